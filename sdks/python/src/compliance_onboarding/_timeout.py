"""`asyncio.timeout`, which Python has from 3.11 on."""

from __future__ import annotations

import asyncio
import sys
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self


class Timeout:
    """Cancels the enclosed block when the time is over, and raises `TimeoutError`."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._handle: asyncio.TimerHandle | None = None
        self._expired = False

    async def __aenter__(self) -> Self:
        task = asyncio.current_task()
        if self._seconds is not None and task is not None:
            self._handle = asyncio.get_running_loop().call_later(max(0.0, self._seconds), self._expire, task)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._handle is not None:
            self._handle.cancel()
        if self._expired and isinstance(error, asyncio.CancelledError):
            raise TimeoutError from error

    def _expire(self, task: asyncio.Task[object]) -> None:
        self._expired = True
        task.cancel()


if sys.version_info >= (3, 11):
    async_timeout = asyncio.timeout
else:
    async_timeout = Timeout
