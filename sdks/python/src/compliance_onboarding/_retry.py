"""Conditions and delays of retries."""

from __future__ import annotations

import random
from typing import Final

from compliance_onboarding._errors import (
    APIConnectionError,
    APIStatusError,
    ComplianceOnboardingError,
    InvalidResponseError,
)
from compliance_onboarding._operation import Operation

FIRST_WAIT: Final = 0.5
LONGEST_BACKOFF: Final = 8.0
#: Longest wait: if a server asks for more, the error is raised at once and states the requested time.
LONGEST_ASKED_WAIT: Final = 60.0

_GENERATOR: Final = random.SystemRandom()


def wait_before_repeating(operation: Operation, failure: ComplianceOnboardingError, attempt: int) -> float | None:
    """Return the seconds to wait after attempt `attempt` (from 0); None if it must not be retried."""
    if not is_repeatable(operation, failure):
        return None
    asked = failure.retry_after if isinstance(failure, APIStatusError) else None
    if asked is None:
        return backoff(attempt)
    return asked if asked <= LONGEST_ASKED_WAIT else None


def is_repeatable(operation: Operation, failure: ComplianceOnboardingError) -> bool:
    """Whether the failure is transient and a second attempt does no harm.

    A call that is idempotent neither by its method nor by a key is retried only if it cannot have taken effect: it
    was never sent, or the server refused it before any work was done (a conflict, too early, too many).
    """
    if isinstance(failure, (APIConnectionError, InvalidResponseError)):
        return failure.retryable and (operation.repeatable or failure.outcome == "not_sent")
    if not isinstance(failure, APIStatusError) or not failure.retryable:
        return False
    return failure.status in {409, 425, 429} or operation.repeatable


def backoff(attempt: int) -> float:
    """Return an exponential backoff with full jitter, so that callers that failed together do not retry together."""
    return _GENERATOR.uniform(0, min(LONGEST_BACKOFF, FIRST_WAIT * 2**attempt))


def rising_wait(failures: int, longest: float) -> float:
    """Return a delay for a loop, doubled after each consecutive failure; its second half is random."""
    return min(longest, 2.0 ** min(failures, 16)) * _GENERATOR.uniform(0.5, 1)
