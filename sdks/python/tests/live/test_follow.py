"""Following the sandbox feed of the running service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from support.both import settle
from support.clients import Clients
from support.following import each

pytestmark = pytest.mark.anyio


@pytest.fixture
async def consumer(owner: Any, sandbox: Any, make: Clients) -> AsyncIterator[Any]:
    """A consumer of the sandbox that has acknowledged nothing yet."""
    issued = await settle(owner.settings.api_keys.create(name="Follower", environment="test", scopes=["read"]))
    yield make(api_key=issued.secret)
    await settle(owner.settings.api_keys.revoke(issued.api_key.prefix))


async def recover(owner: Any, steps: int) -> str:
    """Let a new recovery take the first steps of its course, and return its id."""
    begun = await settle(owner.sandbox.simulations.create(type="funds_recovery_event"))
    recovery = str(begun.effects[0].resource.id)
    for _ in range(steps - 1):
        target = {"type": "funds_recovery", "id": recovery}
        await settle(owner.sandbox.simulations.create(type="funds_recovery_event", target=target))
    return recovery


def collecting(seen: list[Any], enough: Callable[[], bool]) -> Callable[[Any], bool]:
    """Keep what comes until that is enough."""

    def processed(event: Any) -> bool:
        seen.append(event)
        return enough()

    return processed


async def test_a_follower_that_is_left_and_started_again_loses_nothing(consumer: Any, owner: Any) -> None:
    recoveries = [await recover(owner, 4), await recover(owner, 3)]
    feed = consumer.funds_recovery.events
    everything = [event.event_id for event in (await settle(feed.list(limit=200))).items]
    seen: list[Any] = []
    first = feed.follow(limit=3)
    await each(first, collecting(seen, lambda: len(seen) == 5))
    later = await recover(owner, 2)
    second = feed.follow(limit=3, cursor=first.cursor, min_interval=0.1, max_interval=0.1)
    await each(second, collecting(seen, lambda: sum(str(event.funds_recovery_id) == later for event in seen) == 2))
    # The page that was left comes again.
    assert [event.event_id for event in seen[5:7]] == [event.event_id for event in seen[3:5]]
    once = {event.event_id: event for event in seen}
    assert list(once)[: len(everything)] == everything
    course = ["CREATED", "TRACKED", "AWAITING_ANALYSIS", "ANALYSED"]
    for recovery, steps in zip(recoveries, (4, 3), strict=True):
        statuses = [event.status for event in once.values() if str(event.funds_recovery_id) == recovery]
        assert statuses == course[:steps]


async def test_a_page_is_acknowledged_at_the_end_of_the_feed_before_it_is_read_again(consumer: Any, owner: Any) -> None:
    await recover(owner, 2)
    feed = consumer.funds_recovery.events
    following = feed.follow()
    pause = following._stopping.pause

    def paused(seconds: float) -> Any:
        following.stop()
        return pause(seconds)

    following._stopping.pause = paused
    await each(following, collecting([], lambda: False))
    assert (await settle(feed.get_position())).pending_count == 0
    assert (await settle(feed.list())).cursor == following.cursor
