"""Answers in pages."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.bus.jetstream.paging import ERROR_HEADER, PAGE_HEADER, Assembly, pages
from edge_gateway.bus.limits import PAGE_BYTES
from edge_gateway.bus.questions import Answer


@pytest.mark.parametrize("size", [0, 1, PAGE_BYTES, PAGE_BYTES + 1, 3 * PAGE_BYTES, 3 * PAGE_BYTES + 5])
@pytest.mark.parametrize("error", [False, True])
def test_answer_comes_back_whole(size: int, *, error: bool) -> None:
    answer = Answer(bytes(itertools.islice(itertools.cycle(range(251)), size)), error=error)
    parts = pages(answer)
    assert all(len(data) <= PAGE_BYTES for data, _ in parts)
    assembly = Assembly()
    *partial, last = [assembly.add(data, headers) for data, headers in parts]
    assert partial == [None] * (len(parts) - 1)
    assert last == answer


@given(st.permutations(range(4)), st.integers(0, 3))
def test_order_and_repetition_of_pages_do_not_matter(order: list[int], repeated: int) -> None:
    answer = Answer(b"a" * PAGE_BYTES + b"b" * PAGE_BYTES + b"c" * PAGE_BYTES + b"d")
    parts = pages(answer)
    assembly = Assembly()
    assert assembly.add(*parts[order[0]]) is None
    assert assembly.add(*parts[order[0]]) is None
    results = [assembly.add(*parts[index]) for index in order[1:]]
    assert results[-1] == answer
    assert assembly.add(*parts[repeated]) == answer


@pytest.mark.parametrize("headers", [{}, {PAGE_HEADER: "1"}, {PAGE_HEADER: "a/b"}, {ERROR_HEADER: "1"}])
def test_what_is_no_page_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        Assembly().add(b"", headers)
