"""A call and its response, as resources and transport exchange them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx2

from compliance_onboarding._body import Body
from compliance_onboarding._operation import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An operation with all data to send."""

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
    """A response with its body, which is empty if `http` has not been read yet."""

    http: httpx2.Response
    content: bytes = field(repr=False)
