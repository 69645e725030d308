"""Sign-in, tokens and API keys, against the running service."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import uuid4

import pytest

from compliance_onboarding import errors, types
from support.both import collect, settle
from support.clients import Clients
from support.live import Live

pytestmark = pytest.mark.anyio


async def test_a_person_signs_in_refreshes_and_signs_out(public: Any, make: Clients, service: Live) -> None:
    session = await settle(public.auth.login(email=service.email, password=service.password))
    assert session.user.email == service.email
    refreshed = await settle(public.auth.refresh(refresh_token=session.refresh_token))
    assert refreshed.refresh_token != session.refresh_token
    person = make(access_token=refreshed.access_token)
    me = await settle(person.auth.get_current_user())
    assert me.user.id == session.user.id
    assert me.user.role is types.Role.OWNER
    assert "createApiKey" in me.permissions
    assert await settle(person.auth.logout()) is None
    with pytest.raises(errors.AuthenticationError):
        await settle(person.auth.get_current_user())


async def test_a_wrong_password_is_refused(public: Any) -> None:
    with pytest.raises(errors.InvalidCredentialsError) as caught:
        await settle(public.auth.login(email=f"{uuid4()}@example.com", password="wrong"))
    assert caught.value.request_id


async def test_a_machine_is_no_person(machine: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match="access_token"):
        await settle(machine.auth.get_current_user())


async def test_a_token_is_issued_for_the_scopes_asked_for(public: Any, make: Clients, service: Live) -> None:
    token = await settle(
        public.oauth.token.create(
            grant_type="client_credentials",
            client_id=service.client_id,
            client_secret=service.client_secret,
            scope="read",
        )
    )
    assert (token.token_type, token.scope) == ("Bearer", "read")
    reader = make(access_token=token.access_token)
    await settle(reader.applications.list(limit=1))
    with pytest.raises(errors.InsufficientScopeError) as caught:
        await settle(reader.sandbox.enable())
    assert "admin" in caught.value.problem["requiredScopes"]


async def test_a_token_is_issued_for_basic_credentials(public: Any, service: Live) -> None:
    pair = base64.b64encode(f"{service.client_id}:{service.client_secret}".encode()).decode()
    token = await settle(
        public.oauth.token.create(grant_type="client_credentials", extra_headers={"Authorization": f"Basic {pair}"})
    )
    assert token.expires_in > 0


async def test_the_token_endpoint_refuses_in_the_words_of_oauth(public: Any, make: Clients, service: Live) -> None:
    with pytest.raises(errors.OAuthError) as caught:
        await settle(public.oauth.token.create(grant_type="password"))
    assert caught.value.status in {400, 401}
    with pytest.raises(errors.OAuthError) as wrong:
        await settle(make(client_id=service.client_id, client_secret="wrong").applications.list())
    assert (wrong.value.status, wrong.value.error) == (401, "invalid_client")


async def test_a_key_lives_from_creation_to_revocation(owner: Any, make: Clients) -> None:
    issued = await settle(
        owner.settings.api_keys.create(
            name="Python live suite",
            environment="live",
            scopes=["read"],
            expires_at=datetime.now(timezone.utc) + timedelta(days=1),
        )
    )
    prefix = issued.api_key.prefix
    assert "secret" not in issued.api_key.to_dict()
    holder = make(api_key=issued.secret)
    await settle(holder.applications.list(limit=1))

    assert prefix in [key.prefix for key in await collect(owner.settings.api_keys.list(status=["active"], limit=2))]
    renamed = await settle(owner.settings.api_keys.update(prefix, name="Renamed", expires_at=None))
    assert (renamed.name, renamed.expires_at) == ("Renamed", None)
    widened = await settle(owner.settings.api_keys.replace_scopes(prefix, scopes=["read", types.Scope.WRITE]))
    assert sorted(widened.scopes) == ["read", "write"]

    successor = await settle(owner.settings.api_keys.rotate(prefix, grace_hours=1))
    assert successor.api_key.prefix != prefix
    rotating = next(key for key in await collect(owner.settings.api_keys.list()) if key.prefix == prefix)
    assert rotating.status == "rotating"
    assert rotating.rotation.successor_prefix == successor.api_key.prefix

    for one in (prefix, successor.api_key.prefix):
        assert await settle(owner.settings.api_keys.revoke(one)) is None
    with pytest.raises(errors.ApiKeyRevokedError):
        await settle(holder.applications.list(limit=1))


async def test_a_key_without_a_scope_is_refused(owner: Any) -> None:
    with pytest.raises(errors.UnprocessableContentError) as caught:
        await settle(owner.settings.api_keys.create(name="None", environment="live", scopes=[]))
    assert [fault.pointer for fault in caught.value.errors] == ["/scopes"]
