"""Result of a list method: a page, or an awaitable that returns one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from typing import Generic, TypeVar

from compliance_onboarding._generated.sync._pagination import Listing, Page
from compliance_onboarding._pagination import AsyncListing, AsyncPage

__all__ = ["AsyncPaginator", "Page", "async_paginator", "paginator"]

T = TypeVar("T")


class AsyncPaginator(Generic[T]):
    """Awaiting it returns the first page, iterating over it all items; no request is sent before."""

    def __init__(self, listing: AsyncListing[T]) -> None:
        self._listing = listing

    def __await__(self) -> Generator[None, None, AsyncPage[T]]:
        return self._listing.first().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._listing.first():
            yield item

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Iterate over the pages."""
        async for page in (await self._listing.first()).pages():
            yield page


def async_paginator(listing: AsyncListing[T]) -> AsyncPaginator[T]:
    """Let the caller choose between the first page and all items."""
    return AsyncPaginator(listing)


def paginator(listing: Listing[T]) -> Page[T]:
    """Return the first page; iterating over it continues with the following pages."""
    return listing.first()
