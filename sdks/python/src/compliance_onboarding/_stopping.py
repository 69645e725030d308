"""Waits that a call can end, for both kinds of clients (see `_concurrency.py`)."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from compliance_onboarding._concurrency import require_asyncio
from compliance_onboarding._timeout import async_timeout

R = TypeVar("R")


class Stopping:
    """Ends the waits of another thread, or of the thread that a signal handler interrupts."""

    def __init__(self) -> None:
        self.stopped = False
        # An event is unsuitable: setting it in a signal handler that interrupts its own wait can deadlock.
        self._wake: queue.SimpleQueue[None] = queue.SimpleQueue()

    def stop(self) -> None:
        """End the wait and all later ones."""
        self.stopped = True
        self._wake.put(None)

    def pause(self, seconds: float) -> None:
        """Wait, unless stopped."""
        if self.stopped:
            return
        try:
            self._wake.get(timeout=min(seconds, threading.TIMEOUT_MAX))
        except queue.Empty:
            return

    def unless_stopped(self, call: Callable[[], R]) -> R | None:
        """Return the result of a call; None if stopped before it. A call of a thread cannot be interrupted."""
        return None if self.stopped else call()


class AsyncStopping:
    """Ends waits and calls of other tasks of the same event loop."""

    def __init__(self) -> None:
        self.stopped = False
        self._event = asyncio.Event()

    def stop(self) -> None:
        """End the wait or the call, and all later ones."""
        self.stopped = True
        self._event.set()

    async def pause(self, seconds: float) -> None:
        """Wait, unless stopped."""
        try:
            async with async_timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            return

    async def unless_stopped(self, call: Callable[[], Awaitable[R]]) -> R | None:
        """Return the result of a call. If stopped before or during the call, cancel it and return None."""
        if self.stopped:
            return None
        require_asyncio()
        answer = asyncio.ensure_future(call())
        stop = asyncio.ensure_future(self._event.wait())
        try:
            await asyncio.wait({answer, stop}, return_when=asyncio.FIRST_COMPLETED)
            return answer.result() if answer.done() else None
        finally:
            answer.cancel()
            stop.cancel()
            await asyncio.gather(answer, stop, return_exceptions=True)
