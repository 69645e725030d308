"""Which credential an operation gets, and the life of an access token."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding, errors
from support.both import settle
from support.objects import APPLICATION_ID, application, events
from support.stub import Asked, Reply, Stub, problem

pytestmark = pytest.mark.anyio

CLIENT: dict[str, Any] = {
    "api_key": None,
    "client_id": "kyc_test_7Hq2ZtK9",
    "client_secret": "kyc_test_7Hq2ZtK9_s%cret",
}


def token(value: str, seconds: float = 3600) -> Reply:
    body = {"access_token": value, "token_type": "Bearer", "expires_in": seconds, "scope": "read"}
    return Reply(body=body)


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


def age(client: Any, *, expired: bool) -> None:
    """Make the client's token as old as one that is due for renewal, or that has ended."""
    tokens = client._transport._credentials._tokens
    now = time.monotonic()
    tokens._token = dataclasses.replace(tokens._token, renew_at=now, expires_at=now if expired else now + 20)


async def test_a_token_is_renewed_before_it_ends(make: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    client = make(**CLIENT)
    await settle(client.applications.get(APPLICATION_ID))
    lasts = client._transport._credentials._tokens._token.renew_at - time.monotonic()
    assert 3500 < lasts <= 3570
    age(client, expired=False)
    await settle(client.applications.get(APPLICATION_ID))
    assert stub.asked[1]["Authorization"] == "Bearer token-2"


async def test_a_token_that_lives_still_serves_when_its_renewal_fails(make: Any, stub: Stub) -> None:
    stub.tokens = lambda _: token("first") if len(stub.token_requests) == 1 else Reply(status=503)
    stub.answer(Reply(body=application()))
    client = make(**CLIENT, max_retries=0)
    await settle(client.applications.get(APPLICATION_ID))
    age(client, expired=False)
    await settle(client.applications.get(APPLICATION_ID))
    assert stub.asked[1]["Authorization"] == "Bearer first"
    age(client, expired=True)
    with pytest.raises(errors.ServerError):
        await settle(client.applications.get(APPLICATION_ID))


async def test_a_token_request_is_repeated_when_the_endpoint_is_busy(make: Any, stub: Stub) -> None:
    stub.tokens = lambda _: Reply(status=503) if len(stub.token_requests) == 1 else token("second")
    stub.answer(Reply(body=application()))
    await settle(make(**CLIENT).applications.get(APPLICATION_ID))
    assert len(stub.token_requests) == 2


async def test_a_refused_client_is_told_as_an_oauth_error(make: Any, stub: Stub) -> None:
    body = {"error": "invalid_client", "error_description": "Unknown client."}
    stub.tokens = lambda _: Reply(status=401, body=body)
    with pytest.raises(errors.OAuthError) as caught:
        await settle(make(**CLIENT).applications.get(APPLICATION_ID))
    assert caught.value.error == "invalid_client"
    assert caught.value.error_description == "Unknown client."
    assert "s%cret" not in str(caught.value)
    assert len(stub.token_requests) == 1


async def test_a_token_that_no_header_can_carry_is_refused(make: Any, stub: Stub) -> None:
    stub.tokens = lambda _: token("two\r\nlines")
    with pytest.raises(errors.InvalidResponseError):
        await settle(make(**CLIENT).applications.get(APPLICATION_ID))
    assert stub.asked == []


def _slow_token(stub: Stub) -> None:
    def answer(_: Asked) -> Reply:
        time.sleep(0.1)
        return token(f"token-{len(stub.token_requests)}")

    stub.tokens = answer
    stub.answer(Reply(body=application()))


def test_many_threads_share_one_token_request(stub: Stub) -> None:
    _slow_token(stub)
    with ComplianceOnboarding(base_url=stub.url, **CLIENT) as client, ThreadPoolExecutor(50) as pool:
        start = threading.Barrier(50)

        def call(_: int) -> int:
            start.wait()
            return client.applications.get(APPLICATION_ID).version

        assert list(pool.map(call, range(50))) == [1] * 50
    assert len(stub.token_requests) == 1


async def test_many_tasks_share_one_token_request(stub: Stub) -> None:
    _slow_token(stub)
    async with AsyncComplianceOnboarding(base_url=stub.url, **CLIENT) as client:
        await asyncio.gather(*(client.applications.get(APPLICATION_ID) for _ in range(200)))
    assert len(stub.token_requests) == 1
    assert len(stub.asked) == 200


async def test_a_cancelled_call_does_not_take_the_token_from_the_others(stub: Stub) -> None:
    _slow_token(stub)
    async with AsyncComplianceOnboarding(base_url=stub.url, **CLIENT) as client:
        first = asyncio.ensure_future(client.applications.get(APPLICATION_ID))
        others = [asyncio.ensure_future(client.applications.get(APPLICATION_ID)) for _ in range(5)]
        await asyncio.sleep(0.03)
        first.cancel()
        assert [one.version for one in await asyncio.gather(*others)] == [1] * 5


async def test_a_call_waits_for_the_token_no_longer_than_its_deadline(make: Any, stub: Stub) -> None:
    stub.tokens = lambda _: Reply(delay=4, status=503)
    began = time.monotonic()
    with pytest.raises(errors.DeadlineExceededError):
        await settle(make(**CLIENT).applications.get(APPLICATION_ID, deadline=0.3))
    assert time.monotonic() - began < 3


async def test_many_refusals_at_once_cause_one_renewal(stub: Stub) -> None:
    def answer(asked: Asked) -> Reply:
        revoked = asked["Authorization"] == "Bearer token-1"
        return problem(401, "token_revoked") if revoked else Reply(body=application())

    stub.answer(answer)
    async with AsyncComplianceOnboarding(base_url=stub.url, **CLIENT) as client:
        await asyncio.gather(*(client.applications.get(APPLICATION_ID) for _ in range(50)))
    assert len(stub.token_requests) == 2


def test_an_asynchronous_client_serves_one_event_loop_after_another(stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    client = AsyncComplianceOnboarding(base_url=stub.url, **CLIENT)

    async def calls() -> None:
        await asyncio.gather(*(client.applications.get(APPLICATION_ID) for _ in range(5)))
        await client.close()

    asyncio.run(calls())
    asyncio.run(calls())
    assert len(stub.token_requests) == 1
