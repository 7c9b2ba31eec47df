"""Where a view goes on."""

import pytest

from edge_gateway.bus.jetstream.place import Place


@pytest.fixture
def place() -> Place:
    place = Place()
    place.begin(stream_made="monday", after=10)
    return place


def test_has_begun_with_its_first_consumer(place: Place) -> None:
    assert place.begun
    assert not Place().begun


def test_goes_on_after_the_newest_when_all_is_settled(place: Place) -> None:
    assert place.next_sequence(stream_made="monday", last_sequence=50) == 11
    for sequence in (12, 15):
        place.pulled(sequence)
        place.settled(sequence)
    assert place.next_sequence(stream_made="monday", last_sequence=50) == 16


def test_goes_on_at_the_first_that_is_not_settled(place: Place) -> None:
    for sequence in (12, 15, 17):
        place.pulled(sequence)
    place.settled(12)
    place.settled(17)
    assert place.next_sequence(stream_made="monday", last_sequence=50) == 15


def test_new_consumer_begins_with_empty_hands(place: Place) -> None:
    place.pulled(12)
    place.begin(stream_made="monday", after=11)
    assert place.next_sequence(stream_made="monday", last_sequence=50) == 12


def test_another_stream_of_the_name_is_read_from_its_beginning(place: Place) -> None:
    assert place.next_sequence(stream_made="tuesday", last_sequence=3) == 1


def test_stream_that_lost_its_end_is_followed_from_there(place: Place) -> None:
    place.pulled(30)
    place.settled(30)
    assert place.next_sequence(stream_made="monday", last_sequence=27) == 28
