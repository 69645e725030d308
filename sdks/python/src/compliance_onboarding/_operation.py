"""One operation of the contract, as the transport needs to know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Methods whose repetition has the effect of one call (RFC 9110 §9.2.2).
IDEMPOTENT_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """Method, path and properties of an operation that the contract declares."""

    name: str
    method: str
    path: str
    #: Names of the security schemes that are accepted, in the contract's order; none means public.
    security: tuple[str, ...] = ()
    accept: str = "application/json, application/problem+json"
    #: The operation honours `Idempotency-Key`.
    keyed: bool = False
    #: Sending it twice does no harm, although its method does not imply that.
    harmless: bool = False

    @property
    def repeatable(self) -> bool:
        """Whether the operation may be sent again if the effect of the first attempt is unknown."""
        return self.harmless or self.keyed or self.method in IDEMPOTENT_METHODS
