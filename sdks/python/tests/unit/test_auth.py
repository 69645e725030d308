"""Which credential an operation gets, and what happens when it is refused."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from compliance_onboarding import errors
from support.both import settle
from support.oauth import CLIENT
from support.objects import APPLICATION_ID, application, events
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio


async def test_an_api_key_is_sent_where_it_is_accepted(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    await settle(client.applications.get(APPLICATION_ID))
    assert stub.asked[0]["X-API-Key"] == "kyc_test_key"
    assert stub.asked[0]["Authorization"] is None


async def test_an_operation_that_wants_a_token_says_so(make: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match="client_id and client_secret"):
        await settle(make(api_key="no-prefix").funds_recovery.events.list())


async def test_an_api_key_is_exchanged_for_a_token_where_only_tokens_are_accepted(make: Any, stub: Stub) -> None:
    stub.answer(Reply(body=events([], None, more=False)))
    await settle(make(api_key="kyc_test_7Hq2ZtK9_4fT0_x").funds_recovery.events.list())
    pair = base64.b64decode((stub.token_requests[0]["Authorization"] or "").removeprefix("Basic ")).decode()
    assert pair == "kyc_test_7Hq2ZtK9:kyc_test_7Hq2ZtK9_4fT0_x"
    assert stub.asked[0]["Authorization"] == "Bearer token-1"
    assert stub.asked[0]["X-API-Key"] is None


async def test_each_operation_gets_a_credential_that_it_accepts(make: Any, stub: Stub) -> None:
    client = make(client_id="kyc_test_7Hq2ZtK9", client_secret="secret")
    stub.answer(Reply(body=application()), Reply(body=events([], None, more=False)))
    await settle(client.applications.get(APPLICATION_ID))
    await settle(client.funds_recovery.events.list())
    assert stub.asked[0]["X-API-Key"] == "kyc_test_key"
    assert stub.asked[1]["X-API-Key"] is None
    assert stub.asked[1]["Authorization"] == "Bearer token-1"


async def test_a_public_operation_gets_no_credential(make: Any, stub: Stub) -> None:
    stub.answer(problem(401, "invalid_credentials"))
    with pytest.raises(errors.InvalidCredentialsError):
        await settle(make().auth.login(email="ana@example.com", password="wrong"))
    assert stub.asked[0]["X-API-Key"] is None
    assert stub.asked[0]["Authorization"] is None


async def test_a_token_is_asked_for_with_form_encoded_basic_credentials(make: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    await settle(make(**CLIENT, scopes=["read", "write"]).applications.get(APPLICATION_ID))
    asked = stub.token_requests[0]
    pair = base64.b64decode((asked["Authorization"] or "").removeprefix("Basic ")).decode()
    assert pair == "kyc_test_7Hq2ZtK9:kyc_test_7Hq2ZtK9_s%25cret"
    assert asked.body == b"grant_type=client_credentials&scope=read+write"
    assert asked["Content-Type"] == "application/x-www-form-urlencoded"


async def test_a_token_serves_many_calls(make: Any, stub: Stub) -> None:
    client = make(**CLIENT)
    stub.answer(Reply(body=application()))
    for _ in range(3):
        await settle(client.applications.get(APPLICATION_ID))
        await settle(client.with_options(timeout=5).applications.get(APPLICATION_ID))
    assert len(stub.token_requests) == 1


async def test_a_refused_token_is_replaced_once(make: Any, stub: Stub) -> None:
    stub.answer(problem(401, "token_revoked"), Reply(body=application()))
    await settle(make(**CLIENT).applications.get(APPLICATION_ID, max_retries=0))
    assert [asked["Authorization"] for asked in stub.asked] == ["Bearer token-1", "Bearer token-2"]


async def test_a_second_refusal_is_raised(make: Any, stub: Stub) -> None:
    stub.answer(problem(401, "token_revoked"))
    with pytest.raises(errors.TokenRevokedError):
        await settle(make(**CLIENT).applications.get(APPLICATION_ID))
    assert len(stub.asked) == 2


async def test_a_refused_change_is_sent_again_with_another_token(make: Any, stub: Stub) -> None:
    stub.answer(problem(401, "token_expired"), Reply(body=application()))
    await settle(make(**CLIENT).applications.update(APPLICATION_ID, channel="web"))
    assert len(stub.asked) == 2


async def test_an_api_key_that_is_refused_is_not_tried_again(client: Any, stub: Stub) -> None:
    stub.answer(problem(401, "api_key_revoked"))
    with pytest.raises(errors.ApiKeyRevokedError):
        await settle(client.applications.get(APPLICATION_ID))
    assert len(stub.asked) == 1
