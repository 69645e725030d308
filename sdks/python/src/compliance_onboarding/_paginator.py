"""What an asynchronous list method returns before anything is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from typing import Generic, TypeVar

from compliance_onboarding._pagination import AsyncListing, AsyncPage

T = TypeVar("T")


class AsyncPaginator(Generic[T]):
    """Await it for the first page, or iterate over it for all items."""

    def __init__(self, listing: AsyncListing[T], cursor: str | None) -> None:
        self._listing = listing
        self._cursor = cursor

    async def _first(self) -> AsyncPage[T]:
        seen = frozenset({self._cursor} if self._cursor else ())
        return await self._listing.page(None, seen)

    def __await__(self) -> Generator[None, None, AsyncPage[T]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._first():
            yield item

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Go through the pages."""
        async for page in (await self._first()).pages():
            yield page
