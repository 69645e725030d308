"""Fixtures: every behaviour test runs against both clients and a real HTTP server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import compliance_onboarding._retry
from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding
from support.both import settle
from support.stub import Stub

CREDENTIALS = ("API_KEY", "ACCESS_TOKEN", "CLIENT_ID", "CLIENT_SECRET", "BASE_URL")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in CREDENTIALS:
        monkeypatch.delenv(f"COMPLIANCE_{name}", raising=False)
    # The longest waits are what the policy allows, not what a test should take.
    monkeypatch.setattr(compliance_onboarding._retry, "FIRST_WAIT", 0.01)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as server:
        yield server


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param


@pytest.fixture
async def make(kind: str, stub: Stub, anyio_backend: str) -> Any:
    """Make clients of the stub; they are closed after the test."""
    made: list[Any] = []

    def client(**options: Any) -> Any:
        of_kind: Callable[..., Any] = ComplianceOnboarding if kind == "sync" else AsyncComplianceOnboarding
        given: dict[str, Any] = {"base_url": stub.url, "api_key": "kyc_test_key", **options}
        made.append(of_kind(**given))
        return made[-1]

    yield client
    for one in made:
        await settle(one.close())


@pytest.fixture
def client(make: Any) -> Any:
    return make()
