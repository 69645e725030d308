"""The few places where asynchronous and synchronous code differ in more than keywords.

The synchronous client is derived from the asynchronous one by exchanging names; each pair here has the same
members, so that the exchange is all it takes.
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
    """Let a deadline count from here: the first call of a program imports much before it sends anything."""
    before = _call_began.get()
    _call_began.set(time.monotonic())
    try:
        yield
    finally:
        _call_began.set(before)


def beginning() -> float:
    """Return when the call began, on the monotonic clock: now, unless a method was called that has sent nothing yet."""
    began = _call_began.get()
    # A later call in this context, for example in a task that a hook starts, has its own beginning.
    _call_began.set(None)
    return time.monotonic() if began is None else began


class _Clock:
    """Time left of a limit; `error` is raised when nothing is."""

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
    """A limit that a thread keeps by asking `check` and `remaining`, and its sockets by asking `time_left`."""

    def __enter__(self) -> Self:
        self.check()
        ends = [end for end in (self._end, _end_of_block.get()) if end is not None]
        self._outer: Token[float | None] = _end_of_block.set(min(ends, default=None))
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        _end_of_block.reset(self._outer)


def require_asyncio() -> None:
    """Refuse any other event loop with words, before anything was begun."""
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
    """Let a thread do something that nobody waits for."""
    threading.Thread(target=work, args=args, kwargs=kwargs, name="compliance-onboarding", daemon=True).start()


#: Strong references, because the event loop keeps only weak references to its tasks.
_tasks: Final[set[asyncio.Task[None]]] = set()


def async_start(work: Callable[P, Coroutine[object, object, None]], *args: P.args, **kwargs: P.kwargs) -> None:
    """Let a task do something that nobody waits for."""
    task = asyncio.get_running_loop().create_task(work(*args, **kwargs))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def outcome(future: Future[T], limit: TimeLimit) -> T:
    """Wait for what another thread or event loop is doing."""
    try:
        remaining = limit.remaining()
        return future.result(None if remaining is None else max(0.0, remaining))
    except FutureTimeoutError:
        limit.check()
        raise


async def async_outcome(future: Future[T], limit: AsyncTimeLimit) -> T:
    """Wait likewise; `AsyncTimeLimit` cancels the wait."""
    limit.check()
    return await asyncio.wrap_future(future)


async_sleep = asyncio.sleep
sleep = time.sleep
