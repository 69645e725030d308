"""Lets one test speak to the synchronous and to the asynchronous client."""

from __future__ import annotations

import inspect
from typing import Any


async def settle(value: Any) -> Any:
    """Return what a call answers, awaited where it has to be."""
    return await value if inspect.isawaitable(value) else value


async def collect(items: Any) -> list[Any]:
    """Return all items of an iterable of either kind."""
    return [item async for item in items] if hasattr(items, "__aiter__") else list(items)


async def take(items: Any, count: int) -> list[Any]:
    """Return the first items of an iterable of either kind, leaving the rest alone."""
    taken: list[Any] = []
    if hasattr(items, "__aiter__"):
        async for item in items:
            taken.append(item)
            if len(taken) == count:
                break
    else:
        for item in items:
            taken.append(item)
            if len(taken) == count:
                break
    return taken
