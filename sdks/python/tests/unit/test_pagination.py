"""Lists that come in pages."""

from __future__ import annotations

from typing import Any

import pytest

from compliance_onboarding import errors
from compliance_onboarding.types import FundsRecoveryEvent
from support.both import collect, settle, take
from support.objects import application, events
from support.stub import Asked, Reply, Stub, problem

pytestmark = pytest.mark.anyio


@pytest.fixture
def feed(make: Any) -> Any:
    return make(access_token="token").funds_recovery.events


def page(numbers: list[int], cursor: str | None, *, more: bool) -> Reply:
    return Reply(body=events(numbers, cursor, more=more))


async def ids(items: Any) -> list[str]:
    return [item.event_id for item in await collect(items)]


async def test_a_page_has_its_items_its_cursor_and_says_whether_there_is_more(feed: Any, stub: Stub) -> None:
    stub.answer(page([1, 2], "c1", more=True))
    first = await settle(feed.list(limit=2))
    assert [item.event_id for item in first.items] == ["fr-1", "fr-2"]
    assert isinstance(first.items[0], FundsRecoveryEvent)
    assert (first.cursor, first.has_more) == ("c1", True)
    assert stub.asked[0].query == [("limit", "2")]


async def test_iterating_goes_through_all_pages(feed: Any, stub: Stub) -> None:
    stub.answer(page([1, 2], "c1", more=True), page([3], "c2", more=True), page([4], "c3", more=False))
    assert await ids(feed.list(limit=2)) == ["fr-1", "fr-2", "fr-3", "fr-4"]
    assert [asked.query for asked in stub.asked] == [
        [("limit", "2")],
        [("limit", "2"), ("cursor", "c1")],
        [("limit", "2"), ("cursor", "c2")],
    ]


async def test_an_empty_page_does_not_end_a_list_that_has_more(feed: Any, stub: Stub) -> None:
    stub.answer(page([], "c1", more=True), page([], "c2", more=True), page([1], "c3", more=False))
    assert await ids(feed.list()) == ["fr-1"]


async def test_a_feed_without_events_is_empty(feed: Any, stub: Stub) -> None:
    stub.answer(page([], None, more=False))
    assert await ids(feed.list()) == []


async def test_the_pages_can_be_gone_through(feed: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=True), page([2], "c2", more=False))
    pages = await collect(feed.list().pages())
    assert [one.cursor for one in pages] == ["c1", "c2"]
    assert stub.asked[1].query == [("cursor", "c1")]


async def test_the_next_page_is_not_asked_for_before_the_last_item_is_taken(feed: Any, stub: Stub) -> None:
    stub.answer(page([1, 2], "c1", more=True), page([3], "c2", more=False))
    await take(feed.list(), 2)
    # A request would acknowledge events that the caller has not processed yet.
    assert len(stub.asked) == 1


async def test_a_list_goes_on_from_a_cursor(feed: Any, stub: Stub) -> None:
    stub.answer(page([3], "c3", more=False))
    assert await ids(feed.list(cursor="c2")) == ["fr-3"]
    assert stub.asked[0].query == [("cursor", "c2")]


@pytest.mark.parametrize(
    ("cursors", "text"),
    [
        (["c1", "c1"], "page 2 leads back to page 2"),
        (["c1", "c2", "c1"], "page 3 leads back to page 2"),
        ([None], "page 1 says that more follows but gives no cursor"),
    ],
)
async def test_a_list_that_does_not_advance_is_an_error(
    feed: Any, stub: Stub, cursors: list[str | None], text: str
) -> None:
    stub.answer(*(page([number], cursor, more=True) for number, cursor in enumerate(cursors)))
    with pytest.raises(errors.PaginationError, match=text):
        await collect(feed.list())
    assert len(stub.asked) == len(cursors)


async def test_a_list_that_answers_the_cursor_it_was_asked_with_is_an_error(feed: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=True))
    with pytest.raises(errors.PaginationError, match="page 1 leads back to page 1"):
        await collect(feed.list(cursor="c1"))


async def test_a_page_can_be_turned_twice(feed: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=True), page([2], "c2", more=False))
    first = await settle(feed.list())
    for _ in range(2):
        second = await settle(first.next_page())
        assert (second.number, second.items[0].event_id) == (2, "fr-2")


async def test_a_failure_between_pages_is_repeated_and_loses_nothing(feed: Any, stub: Stub) -> None:
    stub.answer(
        page([1], "c1", more=True),
        problem(503, "overloaded"),
        Reply(hang_up=True),
        page([2], "c2", more=False),
    )
    assert await ids(feed.list()) == ["fr-1", "fr-2"]


async def test_next_page_is_none_behind_the_last(feed: Any, stub: Stub) -> None:
    stub.answer(page([1], "c1", more=False))
    only = await settle(feed.list())
    assert await settle(only.next_page()) is None


async def test_filters_stay_the_same_over_pages(client: Any, stub: Stub) -> None:
    def answer(asked: Asked) -> Reply:
        last = ("cursor", "c1") in asked.query
        return Reply(body={"items": [application()], "cursor": None if last else "c1", "hasMore": not last})

    stub.answer(answer)
    found = await collect(client.applications.list(status=["draft", "in_review"], tax_id="52998224725"))
    assert len(found) == 2
    filters = [("status", "draft"), ("status", "in_review"), ("taxId", "52998224725")]
    assert [asked.query for asked in stub.asked] == [filters, [*filters, ("cursor", "c1")]]


async def test_ten_thousand_events_arrive_once_and_in_order(feed: Any, stub: Stub) -> None:
    def answer(asked: Asked) -> Reply:
        start = int(dict(asked.query).get("cursor", "0"))
        numbers = list(range(start, min(start + 200, 10_000)))
        return page(numbers, str(start + len(numbers)), more=start + len(numbers) < 10_000)

    stub.answer(answer)
    assert await ids(feed.list(limit=200)) == [f"fr-{number}" for number in range(10_000)]
