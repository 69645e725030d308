"""Calls of a resource that following a feed needs, for both kinds of clients; generated methods provide them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from compliance_onboarding._generated.sync._pagination import Page
from compliance_onboarding._pagination import AsyncPage
from compliance_onboarding._response import Response

T = TypeVar("T")

#: Called after a page was processed.
AsyncOnPage: TypeAlias = Callable[[AsyncPage[T]], Awaitable[None]]
OnPage: TypeAlias = Callable[[Page[T]], None]
#: Called with an unreadable item, unchanged, and the reason.
AsyncOnPoison: TypeAlias = Callable[[object, str], Awaitable[None]]
OnPoison: TypeAlias = Callable[[object, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class AsyncFeed(Generic[T]):
    """The calls of a feed."""

    #: Get the page at a cursor, with its headers.
    read: Callable[[str | None], Awaitable[Response[AsyncPage[T]]]]
    #: Acknowledge everything up to a cursor.
    acknowledge: Callable[[str], Awaitable[None]]
    #: The header with the number of seconds to wait before reading again.
    interval: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed(Generic[T]):
    """The calls of a feed for the synchronous client."""

    read: Callable[[str | None], Response[Page[T]]]
    acknowledge: Callable[[str], None]
    interval: str
