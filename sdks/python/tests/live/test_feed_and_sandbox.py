"""The event feed and the sandbox switch, against the running service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from compliance_onboarding import errors
from support.both import collect, settle
from support.clients import Clients
from support.live import Live, person

pytestmark = pytest.mark.anyio


@pytest.fixture
async def consumer(owner: Any, make: Clients) -> AsyncIterator[Any]:
    """A consumer that has acknowledged nothing yet: a key of its own, which is exchanged for tokens."""
    issued = await settle(
        owner.settings.api_keys.create(name="Consumer", environment="live", scopes=["read"], pin_environment=True)
    )
    yield make(api_key=issued.secret)
    await settle(owner.settings.api_keys.revoke(issued.api_key.prefix))


async def test_the_feed_is_read_to_its_end_without_gap_or_double(consumer: Any) -> None:
    events = await collect(consumer.funds_recovery.events.list(limit=4))
    assert len(events) > 4
    assert len({event.event_id for event in events}) == len(events)
    assert all(event.event_type.startswith("FUNDS_RECOVERY_") for event in events)
    assert events[0].raw_payload


async def test_presenting_a_cursor_acknowledges_and_receiving_a_page_does_not(consumer: Any) -> None:
    feed = consumer.funds_recovery.events
    first = await settle(feed.list(limit=3))
    again = await settle(feed.list(limit=3))
    assert [event.event_id for event in again.items] == [event.event_id for event in first.items]
    second = await settle(first.next_page())
    resumed = await settle(feed.list(limit=3))
    assert [event.event_id for event in resumed.items] == [event.event_id for event in second.items]


async def test_the_feed_says_when_to_come_back(consumer: Any) -> None:
    feed = consumer.funds_recovery.events
    first = await settle(feed.with_response.list(limit=1))
    assert first.headers["X-Poll-Interval"] == "0"
    pages = await collect(feed.list().pages())
    end = await settle(feed.with_response.list(cursor=pages[-1].cursor))
    assert end.data.items == []
    assert 60 <= int(end.headers["X-Poll-Interval"]) <= 86_400 * 1.1
    assert end.headers["X-Next-Poll-At"].endswith("Z")


async def test_a_cursor_of_another_consumer_is_refused(consumer: Any, machine: Any) -> None:
    page = await settle(consumer.funds_recovery.events.list(limit=1))
    with pytest.raises(errors.InvalidCursorError):
        await settle(machine.funds_recovery.events.list(cursor=page.cursor))


async def test_the_sandbox_is_switched_filled_and_emptied(owner: Any, make: Clients, service: Live) -> None:
    tester = make(api_key=service.test_key)
    status = await settle(owner.sandbox.enable())
    assert status.enabled
    assert status.enabled_by is not None
    try:
        application = await settle(tester.applications.create(**person()))
        assert (await settle(owner.sandbox.get())).counts.applications >= 1
        reset = await settle(owner.sandbox.delete_data())
        assert reset.deleted.applications >= 1
        with pytest.raises(errors.NotFoundError):
            await settle(tester.applications.get(application.id))
    finally:
        status = await settle(owner.sandbox.disable())
    assert not status.enabled
    with pytest.raises(errors.SandboxDisabledError):
        await settle(tester.applications.create(**person()))
