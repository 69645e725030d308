"""Following a feed without end."""

from __future__ import annotations

from typing import Any

import pytest

from compliance_onboarding import errors
from support.following import callback, each, short
from support.objects import event, events
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio

DONE = Reply(204)


def page(numbers: list[int], cursor: str | None, *, more: bool = False, interval: str = "60") -> Reply:
    return Reply(body=events(numbers, cursor, more=more), headers={"X-Poll-Interval": interval})


async def test_it_reads_on_while_there_is_more_and_acknowledges_the_last_page_before_it_waits(
    follow: Any, stub: Stub
) -> None:
    stub.answer(page([1, 2], "c1", more=True, interval="0"), page([3], "c2"), DONE, page([], "c2", interval="3600"))
    following = follow(2)
    assert await following.collect() == ["fr-1", "fr-2", "fr-3"]
    assert [short(asked) for asked in stub.asked] == ["list", "list c1", "ack c2", "list c2"]
    assert following.slept == [60, 3600]
    assert following.feed.cursor == "c2"


async def test_it_goes_on_from_a_saved_cursor_with_what_it_was_given(follow: Any, stub: Stub) -> None:
    stub.answer(page([], "c7"))
    await follow(cursor="c7", limit=5, extra_headers={"X-Trace": "1"}).collect()
    assert dict(stub.asked[0].query) == {"cursor": "c7", "limit": "5"}
    assert stub.asked[0]["x-trace"] == "1"


async def test_each_page_can_be_saved_before_anything_acknowledges_it(follow: Any, kind: str, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=True), page([2], "c2"), DONE)
    saved: list[tuple[str, int]] = []
    await follow(on_page=callback(kind, lambda page: saved.append((page.cursor, len(stub.asked))))).collect()
    assert saved == [("c1", 1), ("c2", 2)]


async def test_a_page_that_was_left_is_not_acknowledged_and_comes_again(follow: Any, stub: Stub) -> None:
    stub.answer(page([1, 2], "c1"), page([1, 2], "c1"), DONE)
    following = follow()
    await each(following.feed, lambda event: bool(event.event_id == "fr-2"))
    assert [short(asked) for asked in stub.asked] == ["list"]
    assert following.feed.cursor is None
    assert await following.collect() == ["fr-1", "fr-2"]


async def test_a_page_that_could_not_be_saved_is_not_acknowledged(follow: Any, kind: str, stub: Stub) -> None:
    def fail(page: object) -> None:
        raise OSError("disk full")

    stub.answer(page([1], "c1", more=True))
    following = follow(on_page=callback(kind, fail))
    with pytest.raises(OSError, match="disk full"):
        await following.collect()
    assert (len(stub.asked), following.feed.cursor) == (1, None)


async def test_an_answer_that_ends_where_it_was_asked_to_begin_is_skipped(follow: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=True), page([1], "c1", more=True), page([2], "c2"), DONE)
    assert await follow(2).collect() == ["fr-1", "fr-2"]


async def test_events_without_a_cursor_are_refused(follow: Any, stub: Stub) -> None:
    stub.answer(page([1], None))
    with pytest.raises(errors.PaginationError):
        await follow().collect()


@pytest.mark.parametrize(
    ("interval", "options", "seconds"),
    [
        ("900", {}, 900),
        ("", {}, 60),
        ("soon", {}, 60),
        ("0", {}, 1),
        ("60", {"min_interval": 90}, 90),
        ("86400", {"max_interval": 5}, 5),
    ],
)
async def test_the_server_tells_the_cadence_within_the_callers_bounds(
    follow: Any, stub: Stub, interval: str, options: dict[str, float], seconds: float
) -> None:
    stub.answer(page([], "c1", interval=interval))
    following = follow(**options)
    await following.collect()
    assert following.slept == [seconds]


async def test_it_waits_as_long_as_it_is_asked_to_and_tells_why(follow: Any, stub: Stub) -> None:
    stub.answer(
        problem(429, "rate_limited", headers={"Retry-After": "7"}),
        problem(503, "dependency_unavailable", headers={"Retry-After": "3600"}),
        page([1], "c1"),
        DONE,
    )
    told: list[float] = []

    def retry(_: Exception, seconds: float) -> None:
        told.append(seconds)

    following = follow(3, on_retry=retry)
    assert await following.collect() == ["fr-1"]
    assert following.slept == [7, 3600, 60]
    assert told == [7, 3600]


async def test_it_waits_longer_after_each_failure_in_a_row_up_to_a_minute(follow: Any, stub: Stub) -> None:
    stub.answer(*[Reply(hang_up=True)] * 9, page([], "c1"), Reply(hang_up=True), page([], "c1"))
    following = follow(12)
    await following.collect()
    bounds = [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert all(max(1, most / 2) <= slept <= most for slept, most in zip(following.slept, bounds, strict=False))
    assert following.slept[9:] == [60, 1, 60]


async def test_it_goes_on_after_a_time_out_and_after_a_deadline(follow: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=True), Reply(delay=1.5), page([2], "c2"), DONE)
    assert await follow(2, timeout=0.9).collect() == ["fr-1", "fr-2"]
    stub.answer(Reply(delay=1.5), page([3], "c3"), DONE)
    assert await follow(2, deadline=0.9).collect() == ["fr-3"]


async def test_a_failed_acknowledgement_is_left_to_the_next_request(follow: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1"), problem(503, "overloaded", headers={"Retry-After": "300"}), page([], "c1"))
    following = follow(2)
    await following.collect()
    assert [short(asked) for asked in stub.asked] == ["list", "ack c1", "list c1"]
    assert following.slept == [300, 60]


async def test_it_begins_again_without_a_cursor_when_that_has_expired(follow: Any, stub: Stub) -> None:
    expired = problem(400, "cursor_expired")
    stub.answer(page([1], "c1"), expired, expired, page([2], "d1"), DONE)
    assert await follow(2).collect() == ["fr-1", "fr-2"]
    assert [short(asked) for asked in stub.asked] == ["list", "ack c1", "list c1", "list", "ack d1"]


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (400, "invalid_cursor", errors.InvalidCursorError),
        (401, "token_expired", errors.AuthenticationError),
        (403, "insufficient_scope", errors.PermissionDeniedError),
        (404, "not_found", errors.NotFoundError),
    ],
)
async def test_what_waiting_cannot_heal_is_raised(
    follow: Any, stub: Stub, status: int, code: str, error: type[Exception]
) -> None:
    stub.answer(problem(status, code))
    following = follow(cursor="c1")
    with pytest.raises(error):
        await following.collect()
    stub.answer(page([1], "c1"), problem(status, code))
    with pytest.raises(error):
        await follow().collect()
    assert following.slept == []


async def test_stopping_within_a_page_acknowledges_nothing_of_it(follow: Any, stub: Stub) -> None:
    stub.answer(page([1, 2], "c1", more=True))
    following = follow(9)
    await each(following.feed, lambda _: bool(following.feed.stop()))
    assert (len(stub.asked), following.feed.cursor) == (1, None)
    assert await following.collect() == []


async def test_stopping_at_the_last_event_of_a_page_counts_it(follow: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=True))
    following = follow(9)
    await each(following.feed, lambda _: bool(following.feed.stop()))
    assert (len(stub.asked), following.feed.cursor) == (1, "c1")


MALFORMED = Reply(
    body={"events": [event(1), None, event(2, timestamp="yesterday"), event(3)], "cursor": "c1", "hasMore": True},
    headers={"X-Poll-Interval": "60"},
)


async def test_malformed_events_are_delivered_as_far_as_they_can_be_read_and_the_feed_goes_on(
    follow: Any, stub: Stub, caplog: pytest.LogCaptureFixture
) -> None:
    stub.answer(MALFORMED, page([4], "c2"), DONE)
    following = follow()
    found: list[Any] = []

    def processed(item: Any) -> bool:
        found.append(item)
        return False

    await each(following.feed, processed)
    assert [getattr(item, "event_id", item) for item in found] == ["fr-1", None, "fr-2", "fr-3", "fr-4"]
    assert [error.pointer for error in found[2].parse_errors] == ["/timestamp"]
    assert [short(asked) for asked in stub.asked] == ["list", "list c1", "ack c2"]
    assert "/events/1" in caplog.text
    assert "yesterday" not in caplog.text


async def test_malformed_events_are_handed_to_whoever_asks_for_them(follow: Any, stub: Stub, kind: str) -> None:
    stub.answer(MALFORMED, page([4], "c2"), DONE)
    told: list[tuple[object, str]] = []

    async def asynchronous(raw: object, reason: str) -> None:
        told.append((raw, reason))

    def synchronous(raw: object, reason: str) -> None:
        told.append((raw, reason))

    following = follow(on_poison=asynchronous if kind == "async" else synchronous)
    assert await following.collect() == ["fr-1", "fr-3", "fr-4"]
    assert [raw for raw, _ in told] == [None, event(2, timestamp="yesterday")]
    assert told[1][1].startswith("/timestamp ")
    assert [short(asked) for asked in stub.asked] == ["list", "list c1", "ack c2"]


async def test_a_page_for_people_in_place_of_events_does_not_end_following(follow: Any, stub: Stub) -> None:
    stub.answer(Reply(body=b"<html>", headers={"Content-Type": "text/html"}), page([1], "c1"), DONE)
    assert await follow(2).collect() == ["fr-1"]


async def test_a_hook_that_raises_does_not_end_following(
    follow: Any, stub: Stub, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a defect of the program")

    stub.answer(problem(503, "overloaded"), page([1], "c1"), DONE)
    assert await follow(2, on_retry=broken).collect() == ["fr-1"]
    assert "a hook raised RuntimeError" in caplog.text
