"""The life of an access token: asked for once, shared, never kept after a refusal."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding, errors
from compliance_onboarding._token import TokenStore, token_living, token_store
from support.both import settle
from support.oauth import CLIENT, token
from support.objects import APPLICATION_ID, application
from support.stub import Asked, Reply, Stub, problem

pytestmark = pytest.mark.anyio


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


async def test_clients_of_the_same_oauth_client_share_its_token(make: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    await settle(make(**CLIENT).applications.get(APPLICATION_ID))
    await settle(make(**CLIENT, timeout=5).applications.get(APPLICATION_ID))
    assert len(stub.token_requests) == 1
    await settle(make(**{**CLIENT, "client_secret": "another"}).applications.get(APPLICATION_ID))
    await settle(make(**CLIENT, scopes=["read"]).applications.get(APPLICATION_ID))
    assert len(stub.token_requests) == 3


def test_the_two_kinds_of_clients_share_tokens_too(stub: Stub) -> None:
    stub.answer(Reply(body=application()))

    async def asynchronous() -> None:
        async with AsyncComplianceOnboarding(base_url=stub.url, **CLIENT) as client:
            await client.applications.get(APPLICATION_ID)

    with ComplianceOnboarding(base_url=stub.url, **CLIENT) as client:
        client.applications.get(APPLICATION_ID)
        asyncio.run(asynchronous())
    assert len(stub.token_requests) == 1


def test_a_store_lasts_as_long_as_its_clients() -> None:
    def clients() -> None:
        store = token_store("http://a", "id", "secret", None)
        assert token_store("http://a", "id", "secret", None) is store
        request, _ = store.join()
        store.complete(request, token_living("t", 60, since=time.monotonic()))

    clients()
    assert token_store("http://a", "id", "secret", None).token is None


def test_a_token_that_was_asked_for_before_a_refusal_is_not_kept() -> None:
    store = TokenStore()
    first, _ = store.join()
    store.complete(first, token_living("one", 60, since=time.monotonic()))
    slow, ours = store.join()
    assert ours
    store.forget("one")
    fresh, ours = store.join()
    assert ours, "the request from before the refusal must not be waited for"
    store.complete(slow, token_living("two", 60, since=time.monotonic()))
    assert store.token is None
    store.complete(fresh, token_living("three", 60, since=time.monotonic()))
    assert store.token is not None
    assert store.token.value == "three"
    store.forget("one")
    assert store.token.value == "three"


async def test_each_waiting_call_raises_an_error_of_its_own(stub: Stub) -> None:
    stub.tokens = lambda _: Reply(delay=0.1, status=401, body={"error": "invalid_client"})
    async with AsyncComplianceOnboarding(base_url=stub.url, **CLIENT) as client:
        calls = (client.applications.get(APPLICATION_ID) for _ in range(5))
        raised = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(error) for error in raised] == [errors.OAuthError] * 5
    assert len({id(error) for error in raised}) == 5
    assert len(stub.token_requests) == 1


async def test_a_call_does_not_fail_with_the_client_that_asked_for_its_token(stub: Stub) -> None:
    _slow_token(stub)

    async def broken(_: httpx2.Request) -> httpx2.Response:
        await asyncio.sleep(0.02)
        raise RuntimeError("this client was closed")

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(broken)) as http:
        first = AsyncComplianceOnboarding(base_url=stub.url, http_client=http, **CLIENT)
        async with AsyncComplianceOnboarding(base_url=stub.url, **CLIENT) as second:
            failing = asyncio.ensure_future(first.applications.get(APPLICATION_ID))
            await asyncio.sleep(0.005)
            assert (await second.applications.get(APPLICATION_ID)).version == 1
        with pytest.raises(RuntimeError, match="closed"):
            await failing


def test_an_event_loop_that_ends_leaves_nobody_waiting(stub: Stub) -> None:
    _slow_token(stub)
    client = AsyncComplianceOnboarding(base_url=stub.url, **CLIENT)

    async def leave() -> None:
        call = asyncio.ensure_future(client.applications.get(APPLICATION_ID))
        await asyncio.sleep(0.02)
        call.cancel()

    asyncio.run(leave())
    with ComplianceOnboarding(base_url=stub.url, **CLIENT) as other:
        assert other.applications.get(APPLICATION_ID, deadline=5).version == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
def test_a_forked_process_keeps_the_token_and_not_the_request() -> None:
    store = token_store("http://fork", "id", "secret", None)
    request, _ = store.join()
    store.complete(request, token_living("t", 60, since=time.monotonic()))
    store.join()
    with store._lock:
        child = os.fork()
        if child == 0:
            _, ours = store.join()
            os._exit(0 if ours and store.token is not None else 1)
    assert os.waitpid(child, 0)[1] == 0


async def test_a_thousand_calls_at_once_ask_for_one_token(stub: Stub) -> None:
    asked: list[str] = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.path)
        await asyncio.sleep(0.01)
        body = token("shared").body if request.url.path == "/oauth/token" else application()
        return httpx2.Response(200, json=body)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        client = AsyncComplianceOnboarding(base_url="http://thousand", http_client=http, **CLIENT)
        await asyncio.gather(*(client.applications.get(APPLICATION_ID) for _ in range(1000)))
    assert asked.count("/oauth/token") == 1
    assert len(asked) == 1001


def test_no_representation_shows_a_token(stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    with ComplianceOnboarding(base_url=stub.url, **CLIENT) as client:
        client.applications.get(APPLICATION_ID)
        store = client._transport._credentials._tokens.store  # type: ignore[union-attr]
        assert "token-1" not in repr(store.token) + repr(store)
