"""Paginated lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from compliance_onboarding._call import Answer, Call
from compliance_onboarding._errors import PaginationError
from compliance_onboarding._parse import Poison, list_reader

if TYPE_CHECKING:
    from compliance_onboarding._base import Model
    from compliance_onboarding._resource import AsyncResource

T = TypeVar("T")


class AsyncListing(Generic[T]):
    """A list operation with its filters, which requests the page at a cursor."""

    def __init__(self, resource: AsyncResource, call: Call, envelope: type[Model], member: str) -> None:
        self._resource = resource
        self._call = call
        self._envelope = envelope
        self._member = member
        #: Each cursor with the number of the page that it opened. The walk shares it, so that no page costs more.
        self._opened: dict[str, int] = {}

    async def first(self) -> AsyncPage[T]:
        """Return the page that the call requests."""
        asked = dict(self._call.query).get("cursor")
        if asked:
            self._opened[asked] = 1
        return await self._get(self._call, 1)

    async def after(self, page: AsyncPage[T]) -> AsyncPage[T]:
        """Return the page after another one."""
        cursor, number = page.cursor, page.number + 1
        if not cursor:
            raise PaginationError(f"page {page.number} says that more follows but gives no cursor to reach it")
        earlier = self._opened.setdefault(cursor, number)
        if earlier != number:
            raise PaginationError(
                f"page {page.number} leads back to page {earlier}: its cursor was given before, "
                "so the list would never end"
            )
        others = [item for item in self._call.query if item[0] != "cursor"]
        return await self._get(replace(self._call, query=[*others, ("cursor", cursor)]), number)

    async def _get(self, call: Call, number: int) -> AsyncPage[T]:
        read_list = list_reader(self._envelope, self._member, call.operation, self._resource.logger)

        def read(answer: Answer) -> AsyncPage[T]:
            envelope, poison = read_list(answer)
            return AsyncPage(
                listing=self,
                items=cast("list[T]", getattr(envelope, self._member)),
                cursor=cast("str | None", getattr(envelope, "cursor", None)),
                has_more=cast("bool", getattr(envelope, "has_more", False)),
                number=number,
                poison=poison,
            )

        return await self._resource.send(call, read)


class AsyncPage(Generic[T]):
    """One page. Iterating over it continues with the items of the following pages."""

    def __init__(
        self,
        *,
        listing: AsyncListing[T],
        items: list[T],
        cursor: str | None,
        has_more: bool,
        number: int,
        poison: Mapping[int, Poison],
    ) -> None:
        self._listing = listing
        #: The items that could not be read as the contract says, by their index; `items` has them as far as they could.
        self.poison = poison
        #: 1 for the page that was asked for first.
        self.number = number
        #: The items of this page alone.
        self.items = items
        #: Where the next page starts. Keep it to resume later.
        self.cursor = cursor
        #: Whether there is a next page; an empty page may have one.
        self.has_more = has_more

    async def next_page(self) -> AsyncPage[T] | None:
        """Return the next page; None after the last one.

        Only `has_more` marks the end: an empty page may have a successor (AIP-158). A missing or repeated cursor is an
        error, because stopping would lose items and continuing would never end.
        """
        return await self._listing.after(self) if self.has_more else None

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Iterate over this page and the following ones."""
        page: AsyncPage[T] | None = self
        while page is not None:
            yield page
            page = await page.next_page()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.items)} items, has_more={self.has_more})"
