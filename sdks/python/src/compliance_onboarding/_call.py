"""One call and its answer, between the resources and the transport."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx2

from compliance_onboarding._body import Body
from compliance_onboarding._operation import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An operation with everything that is sent."""

    operation: Operation
    path: str = field(repr=False)
    query: Sequence[tuple[str, str]] = field(default=(), repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    body: Body | None = None
    timeout: float | None
    deadline: float | None
    max_retries: int
    #: Seconds between two pieces of a download.
    idle_timeout: float | None = None
    #: The body of a successful answer is left for the caller to read.
    stream: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its body, which is empty when `http` is still to be read."""

    http: httpx2.Response
    content: bytes = field(repr=False)
