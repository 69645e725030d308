"""Stopping a feed that waits, for its next request or for an answer."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from support.following import each
from support.objects import events
from support.stub import Asked, Reply, Stub

pytestmark = pytest.mark.anyio


async def test_stopping_ends_a_pause_at_once(make: Any, kind: str, stub: Stub) -> None:
    feed = make(access_token="token").funds_recovery.events.follow()
    loop = asyncio.get_running_loop()

    def answer(_: Asked) -> Reply:
        if kind == "sync":
            threading.Timer(0.2, feed.stop).start()
        else:
            loop.call_soon_threadsafe(loop.call_later, 0.2, feed.stop)
        return Reply(body=events([], "c1", more=False), headers={"X-Poll-Interval": "3600"})

    stub.answer(answer)
    begun = time.monotonic()
    await each(feed, pytest.fail)
    assert time.monotonic() - begun < 10
    assert len(stub.asked) == 1


@pytest.mark.parametrize("kind", ["async"])
async def test_stopping_and_cancelling_end_a_request_at_once(make: Any, stub: Stub) -> None:
    stub.answer(Reply(delay=20))
    feed = make(access_token="token").funds_recovery.events.follow()
    begun = time.monotonic()
    asyncio.get_running_loop().call_later(0.2, feed.stop)
    await each(feed, pytest.fail)
    other = make(access_token="token").funds_recovery.events.follow()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(anext(aiter(other)), 0.2)
    assert time.monotonic() - begun < 10
