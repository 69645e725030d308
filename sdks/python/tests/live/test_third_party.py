"""The token endpoint, used by an OAuth library that knows nothing of this service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import uuid4

import pytest
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from support.both import settle
from support.live import Live

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("way", ["client_secret_basic", "client_secret_post"])]


def session(way: str, client_id: str, client_secret: str) -> Any:
    """Return a session of the library for a client that authenticates in this way."""
    return OAuth2Session(client_id, client_secret, token_endpoint_auth_method=way)


def obtain(service: Live, way: str, client_id: str, client_secret: str, **parameters: str) -> Any:
    """Fetch a token by the client-credentials grant."""
    with session(way, client_id, client_secret) as library:
        return library.fetch_token(
            f"{service.base_url}/oauth/token", **{"grant_type": "client_credentials", **parameters}
        )


def refusal(service: Live, way: str, client_id: str, client_secret: str, **parameters: str) -> str:
    """Return the error code that the library reports."""
    with pytest.raises(OAuthError) as caught:
        obtain(service, way, client_id, client_secret, **parameters)
    assert caught.value.description
    return str(caught.value.error)


@pytest.fixture
async def key(owner: Any) -> AsyncIterator[Any]:
    """Create API keys, which are OAuth clients; they are revoked afterwards."""
    made: list[str] = []

    async def create(**changes: Any) -> Any:
        answer = await settle(
            owner.settings.api_keys.create(
                **{"name": f"Library {uuid4()}", "environment": "live", "scopes": ["read"], **changes}
            )
        )
        made.append(answer.api_key.prefix)
        return answer.api_key.prefix, answer.secret

    yield create
    for prefix in made:
        await settle(owner.settings.api_keys.revoke(prefix))


async def test_a_token_opens_the_api(way: str, service: Live) -> None:
    token = obtain(service, way, service.client_id, service.client_secret, scope="write read")
    assert (token["token_type"], token["scope"], token["expires_in"]) == ("Bearer", "read write", 3600)
    with session(way, service.client_id, service.client_secret) as library:
        library.token = token
        assert library.get(f"{service.base_url}/v1/applications").status_code == 200


async def test_an_unknown_client_and_a_wrong_secret_are_invalid_clients(way: str, service: Live) -> None:
    assert refusal(service, way, service.client_id, "wrong") == "invalid_client"
    assert refusal(service, way, "kyc_live_00000000", service.client_secret) == "invalid_client"


async def test_a_key_that_has_ended_or_may_not_be_used_from_here_is_an_invalid_client(
    way: str, service: Live, owner: Any, key: Any
) -> None:
    revoked = await key()
    await settle(owner.settings.api_keys.revoke(revoked[0]))
    elsewhere = await key(ip_allowlist=["203.0.113.0/24"])
    assert refusal(service, way, *revoked) == "invalid_client"
    assert refusal(service, way, *elsewhere) == "invalid_client"


async def test_a_test_key_is_no_client_while_the_sandbox_is_off(way: str, service: Live, key: Any) -> None:
    sandboxed = await key(environment="test", expires_at=datetime.now(timezone.utc) + timedelta(hours=1))
    assert refusal(service, way, *sandboxed) == "unauthorized_client"


async def test_a_scope_that_is_unknown_or_not_granted_is_invalid(way: str, service: Live, key: Any) -> None:
    reader = await key()
    assert refusal(service, way, *reader, scope="nonsense") == "invalid_scope"
    assert refusal(service, way, *reader, scope="read admin") == "invalid_scope"


async def test_every_other_grant_is_unsupported(way: str, service: Live) -> None:
    for grant in ("password", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"):
        answer = refusal(service, way, service.client_id, service.client_secret, grant_type=grant)
        assert answer == "unsupported_grant_type"


async def test_a_parameter_without_its_other_half_is_an_invalid_request(way: str, service: Live) -> None:
    with session(way, service.client_id, service.client_secret) as library:
        answer = library.post(
            f"{service.base_url}/oauth/token?scope=read", data={"grant_type": "client_credentials"}, withhold_token=True
        )
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
