"""Operations in which asynchronous and synchronous code differ in more than keywords.

The synchronous client is derived from the asynchronous one by replacing names. Both members of each pair in this
module have the same interface, so that replacing the name is enough.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import TYPE_CHECKING, Final, TypeVar

from compliance_onboarding._errors import APITimeoutError, ConfigurationError
from compliance_onboarding._timeout import async_timeout

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, Self

    P = ParamSpec("P")

T = TypeVar("T")

#: End of the innermost limit of this thread, on the monotonic clock; sockets read it before each wait.
_end_of_block: Final[ContextVar[float | None]] = ContextVar("compliance_onboarding_end_of_block", default=None)


def time_left() -> float | None:
    """Return the seconds until the innermost synchronous limit ends."""
    end = _end_of_block.get()
    return None if end is None else end - time.monotonic()


#: Time at which the method that is sending now was called.
_call_began: Final[ContextVar[float | None]] = ContextVar("compliance_onboarding_call_began", default=None)


@contextmanager
def call_begins() -> Generator[None, None, None]:
    """Start the time of the deadline: the first call of a program imports many modules before it sends anything."""
    before = _call_began.get()
    _call_began.set(time.monotonic())
    try:
        yield
    finally:
        _call_began.set(before)


def beginning() -> float:
    """Return the start of the call on the monotonic clock: that of the method call, or now if it was used already."""
    began = _call_began.get()
    # A later call in this context, for example in a task that a hook starts, has its own beginning.
    _call_began.set(None)
    return time.monotonic() if began is None else began


class _Clock:
    """Remaining time of a limit; raises `error` if no time remains."""

    def __init__(
        self, seconds: float | None, error: Callable[[], APITimeoutError], *, since: float | None = None
    ) -> None:
        self._error = error
        self._end = None if seconds is None else (time.monotonic() if since is None else since) + seconds

    def remaining(self) -> float | None:
        return None if self._end is None else self._end - time.monotonic()

    def check(self) -> None:
        remaining = self.remaining()
        if remaining is not None and remaining <= 0:
            raise self._error()


class TimeLimit(_Clock):
    """A limit that a thread checks with `check` and `remaining`, and its sockets with `time_left`."""

    def __enter__(self) -> Self:
        self.check()
        ends = [end for end in (self._end, _end_of_block.get()) if end is not None]
        self._outer: Token[float | None] = _end_of_block.set(min(ends, default=None))
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        _end_of_block.reset(self._outer)


def require_asyncio() -> None:
    """Reject any other event loop with a clear message before anything is started."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise ConfigurationError(
            "the asynchronous client needs asyncio: with anyio, choose that backend; with trio, call the synchronous "
            "client in a thread (trio.to_thread.run_sync)"
        ) from None


class AsyncTimeLimit(_Clock):
    """A limit at which the block is cancelled."""

    async def __aenter__(self) -> Self:
        require_asyncio()
        self.check()
        self._timeout = async_timeout(self.remaining())
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self._timeout.__aexit__(kind, error, traceback)
        except TimeoutError:
            raise self._error() from None


def start(work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Run a function in a thread without waiting for it."""
    threading.Thread(target=work, args=args, kwargs=kwargs, name="compliance-onboarding", daemon=True).start()


#: Strong references, because the event loop keeps only weak references to its tasks.
_tasks: Final[set[asyncio.Task[None]]] = set()


def async_start(work: Callable[P, Coroutine[object, object, None]], *args: P.args, **kwargs: P.kwargs) -> None:
    """Run a coroutine in a task without waiting for it."""
    task = asyncio.get_running_loop().create_task(work(*args, **kwargs))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def outcome(future: Future[T], limit: TimeLimit) -> T:
    """Wait for the result of another thread or event loop."""
    try:
        remaining = limit.remaining()
        return future.result(None if remaining is None else max(0.0, remaining))
    except FutureTimeoutError:
        limit.check()
        raise


async def async_outcome(future: Future[T], limit: AsyncTimeLimit) -> T:
    """Wait for the result asynchronously; `AsyncTimeLimit` cancels the wait."""
    limit.check()
    return await asyncio.wrap_future(future)


async_sleep = asyncio.sleep
sleep = time.sleep
