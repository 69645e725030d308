"""Fixtures: clients of the running service with each kind of credential."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from support.both import settle
from support.clients import Clients
from support.live import Live, live


@pytest.fixture(scope="session")
def service() -> Live:
    return live()


@pytest.fixture
async def make(kind: str, service: Live, anyio_backend: str) -> AsyncIterator[Clients]:
    async with Clients(kind, base_url=service.base_url) as clients:
        yield clients


@pytest.fixture
def machine(make: Clients, service: Live) -> Any:
    """Signs in with OAuth client credentials, every scope."""
    return make(client_id=service.client_id, client_secret=service.client_secret)


@pytest.fixture
def public(make: Clients) -> Any:
    """Has no credential of use."""
    return make(api_key="none")


@pytest.fixture
async def owner(make: Clients, public: Any, service: Live) -> AsyncIterator[Any]:
    """A person who has signed in."""
    session = await settle(public.auth.login(email=service.email, password=service.password))
    client = make(access_token=session.access_token)
    yield client
    await settle(client.auth.logout())


@pytest.fixture
async def sandbox(owner: Any, make: Clients, service: Live) -> AsyncIterator[Any]:
    """Sandbox mode is on; the client has the test key."""
    await settle(owner.sandbox.enable())
    yield make(api_key=service.test_key)
    await settle(owner.sandbox.disable())
