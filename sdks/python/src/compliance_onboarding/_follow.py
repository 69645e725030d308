"""Endless following of a feed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final, Generic, TypeVar

from compliance_onboarding._errors import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    ComplianceOnboardingError,
    EnvironmentChangedError,
    InvalidResponseError,
    PaginationError,
    may_pass,
)
from compliance_onboarding._feed import AsyncFeed, AsyncOnPage, AsyncOnPoison
from compliance_onboarding._logging import call_hook, default_logger
from compliance_onboarding._pagination import AsyncPage
from compliance_onboarding._response import Response
from compliance_onboarding._retry import rising_wait
from compliance_onboarding._stopping import AsyncStopping

T = TypeVar("T")

#: Seconds where the server is silent: it may be older, or a proxy drops its header.
_USUAL_INTERVAL: Final = 60.0
_LONGEST_BACKOFF: Final = 60.0


class AsyncFollow(Generic[T]):
    """An endless iterator over the events of a feed.

    An event counts as processed when the next one is requested, and a page is acknowledged only after all its
    events are processed. So leaving the loop does not acknowledge the current page. Iterating again continues
    from `cursor`.
    """

    def __init__(
        self,
        feed: AsyncFeed[T],
        *,
        cursor: str | None,
        on_page: AsyncOnPage[T] | None,
        on_retry: Callable[[ComplianceOnboardingError, float], None] | None,
        on_poison: AsyncOnPoison | None = None,
        min_interval: float,
        max_interval: float | None,
    ) -> None:
        self._feed = feed
        #: Everything up to it was processed: save it to go on here later. None before the first page was processed.
        self.cursor = cursor or None
        self._on_page = on_page
        self._on_retry = on_retry
        self._on_poison = on_poison
        self._min_interval = min_interval
        self._max_interval = max_interval
        #: The environment of the first answer; None before it.
        self._environment: str | None = None
        self._stopping = AsyncStopping()

    def stop(self) -> None:
        """End the iteration, at once if it is pausing; no further request is sent."""
        self._stopping.stop()

    async def __aiter__(self) -> AsyncIterator[T]:
        while (answer := await self._read()) is not None:
            page = answer.data
            if page.cursor is None and (page.has_more or page.items):
                raise PaginationError("the feed has events but gave no cursor to acknowledge them")
            # A page that ends where it was asked to begin holds nothing new: an answer to an earlier request,
            # from some cache.
            moved = page.cursor != self.cursor
            for index, item in enumerate(page.items if moved else ()):
                if self._stopping.stopped:
                    return
                poison = page.poison.get(index)
                if poison is not None and self._on_poison is not None:
                    await self._on_poison(poison.raw, poison.reason)
                else:
                    yield item
            if moved and self._on_page is not None:
                await self._on_page(page)
            self.cursor = page.cursor
            if page.has_more and moved:
                continue
            # The next request would acknowledge this page too, but only after the whole interval.
            wait = await self._acknowledge(page.cursor) if moved and page.items else 0.0
            await self._stopping.pause(max(self._interval(answer), wait))

    async def _read(self) -> Response[AsyncPage[T]] | None:
        """Return the next page, however long that takes; None if following was stopped."""
        failures = 0
        while not self._stopping.stopped:
            try:
                answer = await self._stopping.unless_stopped(lambda: self._feed.read(self.cursor))
            except ComplianceOnboardingError as failure:
                if isinstance(failure, APIStatusError):
                    self._check_environment(failure.answer.headers)
                if self.cursor is not None and _is_expired(failure):
                    self.cursor = None
                    continue
                delay = self._delay(failure, failures)
                if delay is None:
                    raise
                if self._on_retry is not None:
                    call_hook(self._on_retry, default_logger, failure, delay)
            else:
                if answer is not None:
                    self._check_environment(answer.headers)
                return answer
            await self._stopping.pause(delay)
            failures += 1
        return None

    def _check_environment(self, headers: Mapping[str, str]) -> None:
        """Raise an error if the server responds for another environment, whose events are not followed."""
        environment = headers.get("x-environment")
        if environment is None:
            return
        if self._environment is None:
            self._environment = environment
        elif environment != self._environment:
            raise EnvironmentChangedError(self._environment, environment)

    async def _acknowledge(self, cursor: str | None) -> float:
        """Return how long to wait before the next request.

        After a transient failure, the next request acknowledges the page as well.
        """
        if cursor is None:
            return 0.0
        try:
            await self._stopping.unless_stopped(lambda: self._feed.acknowledge(cursor))
        except ComplianceOnboardingError as failure:
            if isinstance(failure, APIStatusError):
                self._check_environment(failure.answer.headers)
            delay = 0.0 if _is_expired(failure) else self._delay(failure, 0)
            if delay is None:
                raise
            return delay
        return 0.0

    def _interval(self, answer: Response[AsyncPage[T]]) -> float:
        asked = answer.headers.get(self._feed.interval, "").strip()
        seconds = float(asked) if asked.isascii() and asked.isdigit() else _USUAL_INTERVAL
        return max(self._min_interval, seconds if self._max_interval is None else min(seconds, self._max_interval))

    def _delay(self, failure: ComplianceOnboardingError, failures: int) -> float | None:
        """Return how long to wait after a failure; None if waiting does not help."""
        if not _is_passing(failure):
            return None
        asked = failure.retry_after if isinstance(failure, APIStatusError) else None
        return max(self._min_interval, rising_wait(failures, _LONGEST_BACKOFF) if asked is None else asked)


def _is_expired(failure: ComplianceOnboardingError) -> bool:
    return isinstance(failure, APIStatusError) and failure.code == "cursor_expired"


def _is_passing(failure: ComplianceOnboardingError) -> bool:
    """Whether the failure is transient: neither the request nor the credential caused it."""
    if isinstance(failure, APIStatusError):
        return may_pass(failure.status)
    # The deadline of one request is no limit for following.
    if isinstance(failure, (APITimeoutError, InvalidResponseError)):
        return True
    return isinstance(failure, APIConnectionError) and failure.retryable
