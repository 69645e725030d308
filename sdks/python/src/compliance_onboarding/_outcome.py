"""Whether a call took effect, as far as a client can know, and the call itself for whoever sends it again."""

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
    """How far one attempt came, by what the HTTP library tells of its steps."""

    def __init__(self, *, is_traced: bool) -> None:
        #: Whether every step is reported; a caller's own transport may report none.
        self._is_traced = is_traced
        self._is_sent = False

    def note(self, step: str) -> None:
        """Take note of a step."""
        self._is_traced = True
        if step.endswith("send_request_headers.started"):
            self._is_sent = True

    @property
    def outcome(self) -> Outcome:
        """What is known when no answer arrived."""
        return "not_sent" if self._is_traced and not self._is_sent else "unknown"


class CallOutcome:
    """What is known of a call, attempt by attempt."""

    def __init__(self) -> None:
        self._outcome: Outcome = "not_sent"
        self._open: Attempt | None = None

    def begin(self, attempt: Attempt) -> None:
        """Note that an attempt begins."""
        self._open = attempt

    def end(self, outcome: Outcome) -> None:
        """Note how it ended."""
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
    """A call as it is sent again, and what makes a result of its answer."""

    call: Call
    read: Callable[[Answer], object] = field(repr=False)
    #: The transport class, because the synchronous and the asynchronous client read responses into different objects.
    kind: type


#: Stored outside of the errors, so that neither reports nor pickles of errors hold the personal data of a call.
_resumables: Final[WeakKeyDictionary[ComplianceOnboardingError, Resumable]] = WeakKeyDictionary()


def keep(error: ComplianceOnboardingError, resumable: Resumable, headers: Mapping[str, str]) -> None:
    """Let an error tell the key of its call, and keep the call."""
    key = error.idempotency_key = headers.get("idempotency-key")
    if key is not None:
        call = resumable.call
        resumable = replace(resumable, call=replace(call, headers={**call.headers, "idempotency-key": key}))
    _resumables[error] = resumable


def kept(error: ComplianceOnboardingError, kind: type) -> Resumable:
    """Return the call that ended with an error."""
    resumable = _resumables.get(error)
    if resumable is None:
        raise ValueError(f"this {type(error).__name__} keeps no call: only the error that a call raised can be resumed")
    if resumable.kind is not kind:
        raise ValueError("a call is resumed by a client of the kind that sent it, asynchronous or synchronous")
    return resumable
