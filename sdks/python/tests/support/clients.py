"""Makes clients of either kind and closes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typing_extensions import Self

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding
from support.both import settle


class Clients:
    """Clients of one kind with common options; all are closed at the end."""

    def __init__(self, kind: str, **common: Any) -> None:
        self._kind: Callable[..., Any] = ComplianceOnboarding if kind == "sync" else AsyncComplianceOnboarding
        self._common = common
        self._made: list[Any] = []

    def __call__(self, **options: Any) -> Any:
        self._made.append(self._kind(**{**self._common, **options}))
        return self._made[-1]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._made:
            await settle(client.close())
