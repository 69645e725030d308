"""Whether a call took effect, as far as a client can know, and the call itself, so that it can be resent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from weakref import WeakKeyDictionary

from compliance_onboarding._call import Answer, Call
from compliance_onboarding._errors import APIStatusError, ComplianceOnboardingError, Outcome

#: From the most to the least certain outcome.
_CERTAINTY: Final[tuple[Outcome, ...]] = ("not_sent", "refused", "unknown")
#: Refusals that cannot follow a success under the same idempotency key, which would have been replayed.
_DEFINITE: Final = frozenset({400, 404, 409, 410, 412, 413, 415, 422, 428})


class Attempt:
    """Progress of one attempt, by the steps that the HTTP library reports."""

    def __init__(self, *, is_traced: bool) -> None:
        #: Whether every step is reported; a caller's own transport may report none.
        self._is_traced = is_traced
        self._is_sent = False

    def note(self, step: str) -> None:
        """Record a step."""
        self._is_traced = True
        if step.endswith("send_request_headers.started"):
            self._is_sent = True

    @property
    def outcome(self) -> Outcome:
        """The outcome if no response arrived."""
        return "not_sent" if self._is_traced and not self._is_sent else "unknown"


class CallOutcome:
    """The outcomes of the attempts of a call."""

    def __init__(self) -> None:
        self._outcome: Outcome = "not_sent"
        self._open: Attempt | None = None

    def begin(self, attempt: Attempt) -> None:
        """Record the start of an attempt."""
        self._open = attempt

    def end(self, outcome: Outcome) -> None:
        """Record the outcome of the attempt."""
        self._open = None
        if _CERTAINTY.index(outcome) > _CERTAINTY.index(self._outcome):
            self._outcome = outcome

    def of(self, error: ComplianceOnboardingError, call: Call) -> Outcome:
        """Return the outcome of the whole call that ends with an error."""
        if self._open is not None:
            self.end(self._open.outcome)
        if (
            call.operation.keyed
            and isinstance(error, APIStatusError)
            and error.status in _DEFINITE
            and error.outcome == "refused"
        ):
            return "refused"
        return self._outcome


@dataclass(frozen=True, slots=True)
class Resumable:
    """A call to resend, with the function that converts its response to a result."""

    call: Call
    read: Callable[[Answer], object] = field(repr=False)
    #: The transport class, because the synchronous and the asynchronous client read responses into different objects.
    kind: type


#: Stored outside of the errors, so that neither reports nor pickles of errors hold the personal data of a call.
_resumables: Final[WeakKeyDictionary[ComplianceOnboardingError, Resumable]] = WeakKeyDictionary()


def keep(error: ComplianceOnboardingError, resumable: Resumable, headers: Mapping[str, str]) -> None:
    """Set the idempotency key of an error, and store its call."""
    key = error.idempotency_key = headers.get("idempotency-key")
    if key is not None:
        call = resumable.call
        resumable = replace(resumable, call=replace(call, headers={**call.headers, "idempotency-key": key}))
    _resumables[error] = resumable


def kept(error: ComplianceOnboardingError, kind: type) -> Resumable:
    """Return the stored call of an error."""
    resumable = _resumables.get(error)
    if resumable is None:
        raise ValueError(f"this {type(error).__name__} keeps no call: only the error that a call raised can be resumed")
    if resumable.kind is not kind:
        raise ValueError("a call is resumed by a client of the kind that sent it, asynchronous or synchronous")
    return resumable
