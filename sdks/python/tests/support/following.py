"""Follows feeds of either kind of client, without waiting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from support.both import settle
from support.stub import Asked


class Pauses:
    """Stands in for what a follower waits with: tells of each pause, which then is over."""

    def __init__(self, kind: str, paused: Callable[[float], bool]) -> None:
        self._kind = kind
        self._paused = paused
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def pause(self, seconds: float) -> Awaitable[None] | None:
        if not self.stopped and self._paused(seconds):
            self.stopped = True
        return _nothing() if self._kind == "async" else None

    def unless_stopped(self, call: Callable[[], Any]) -> Any:
        return call()


async def _nothing() -> None:
    pass


def callback(kind: str, function: Callable[[Any], None]) -> Callable[[Any], Any]:
    """Make of a function what this kind of client calls."""

    async def asynchronous(value: Any) -> None:
        function(value)

    return asynchronous if kind == "async" else function


async def each(events: Any, process: Callable[[Any], bool]) -> None:
    """Process events until that says to leave the loop."""
    iterator = aiter(events) if hasattr(events, "__aiter__") else iter(events)
    try:
        while True:
            event = await settle(anext(iterator) if hasattr(iterator, "__anext__") else next(iterator))
            if process(event):
                return
    except (StopIteration, StopAsyncIteration):
        return
    finally:
        await settle(iterator.aclose() if hasattr(iterator, "aclose") else iterator.close())


def short(asked: Asked) -> str:
    """`list`, `list c1`, `ack c1`."""
    return f"ack {asked.json['cursor']}" if asked.method == "POST" else " ".join(["list", *dict(asked.query).values()])


class Following:
    """Follows the stub; time passes at once, and after so many pauses the caller stops."""

    def __init__(self, make: Any, kind: str, pauses: int, **options: Any) -> None:
        self.feed = make(access_token="token").funds_recovery.events.follow(**options)
        self.slept: list[float] = []

        def paused(seconds: float) -> bool:
            self.slept.append(seconds)
            return len(self.slept) >= pauses

        self.feed._stopping = Pauses(kind, paused)

    async def collect(self) -> list[str]:
        found: list[str] = []

        def processed(event: Any) -> bool:
            found.append(event.event_id)
            return False

        await each(self.feed, processed)
        return found
