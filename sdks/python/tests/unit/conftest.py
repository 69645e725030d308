"""Fixtures: clients of a real HTTP server that answers what a test plans."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import compliance_onboarding._deprecation
import compliance_onboarding._retry
import compliance_onboarding._token
from support.clients import Clients
from support.following import Following
from support.stub import Stub


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "ACCESS_TOKEN", "CLIENT_ID", "CLIENT_SECRET", "BASE_URL", "LOG"):
        monkeypatch.delenv(f"COMPLIANCE_{name}", raising=False)
    # Reset state that programs share and tests must not share.
    compliance_onboarding._token._stores.clear()
    compliance_onboarding._deprecation._told.clear()
    # Shortened, because the waits that the policy allows are too long for a test.
    monkeypatch.setattr(compliance_onboarding._retry, "FIRST_WAIT", 0.01)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as server:
        yield server


@pytest.fixture
async def make(kind: str, stub: Stub, anyio_backend: str) -> AsyncIterator[Clients]:
    """Make clients of the stub."""
    async with Clients(kind, base_url=stub.url, api_key="kyc_test_key") as clients:
        yield clients


@pytest.fixture
def client(make: Clients) -> Any:
    return make()


@pytest.fixture
def follow(make: Any, kind: str) -> Any:
    def begin(pauses: int = 1, **options: Any) -> Following:
        return Following(make, kind, pauses, **options)

    return begin
