"""The book of jobs that were started through us."""

from datetime import UTC, datetime, timedelta

from edge_gateway.contracts.mower import Job
from edge_gateway.device_gateway.attribution import StartInHand
from edge_gateway.device_gateway.job_book import JobBook
from edge_gateway.device_gateway.repository import StartedJob

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
START = StartInHand(command_id="command-1", job_before=None, sent_at=NOW, until=NOW + timedelta(seconds=120))


def test_a_stored_job_is_signed_with_its_command() -> None:
    book = JobBook([StartedJob(job_id="job-1", command_id="command-1", started_at=NOW)])
    assert book.signed(Job(id="job-1")).command_id == "command-1"
    assert book.started_at(Job(id="job-1")) == NOW


def test_a_foreign_job_is_not() -> None:
    book = JobBook()
    assert book.signed(Job(id="job-1")) == Job(id="job-1")
    assert book.started_at(Job(id="job-1")) is None


def test_the_first_new_job_after_a_start_is_its() -> None:
    book = JobBook()
    book.expect(START)
    assert book.recognise(Job(id="job-1"), observed_at=NOW) == StartedJob(
        job_id="job-1", command_id="command-1", started_at=NOW
    )
    assert book.signed(Job(id="job-1")).command_id == "command-1"
    assert book.recognise(Job(id="job-2"), observed_at=NOW) is None, "a start makes one job"


def test_without_a_start_in_hand_a_new_job_is_somebody_elses() -> None:
    assert JobBook().recognise(Job(id="job-1"), observed_at=NOW) is None


def test_a_start_that_is_no_longer_expected_makes_no_job_ours() -> None:
    book = JobBook()
    book.expect(START)
    book.expect(None)
    assert book.recognise(Job(id="job-1"), observed_at=NOW) is None


def test_a_known_job_is_not_taken_for_a_new_starts() -> None:
    book = JobBook([StartedJob(job_id="job-1", command_id="command-0", started_at=NOW)])
    book.expect(START)
    assert book.recognise(Job(id="job-1"), observed_at=NOW) is None
    assert book.signed(Job(id="job-1")).command_id == "command-0"
