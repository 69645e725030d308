"""The client: its options, its tree, and what it says about itself."""

from __future__ import annotations

import inspect
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

import compliance_onboarding
from compliance_onboarding import (
    AsyncComplianceOnboarding,
    ComplianceOnboarding,
    errors,
)
from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Asked, Reply, Stub

#: The package and the contract, each with its own version.
OWN_NAME = (
    f"compliance-onboarding-python/{compliance_onboarding.__version__} contract/{compliance_onboarding.API_VERSION}"
)
pytestmark = pytest.mark.anyio

SOURCE = Path(compliance_onboarding.__file__).parent.parent


async def test_the_environment_configures_a_client(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPLIANCE_BASE_URL", f"{stub.url}/")
    monkeypatch.setenv("COMPLIANCE_API_KEY", "kyc_test_environment")
    stub.answer(Reply(body=application()))
    with ComplianceOnboarding() as client:
        client.applications.get(APPLICATION_ID)
    assert stub.asked[0]["X-API-Key"] == "kyc_test_environment"
    assert stub.asked[0].path == f"/v1/applications/{APPLICATION_ID}"


async def test_given_credentials_leave_those_of_the_environment_aside(
    make: Any, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPLIANCE_API_KEY", "kyc_live_environment")
    stub.answer(Reply(body=application()))
    await settle(make(api_key=None, access_token="token").applications.get(APPLICATION_ID))
    assert stub.asked[0]["X-API-Key"] is None
    assert stub.asked[0]["Authorization"] == "Bearer token"


async def test_without_credentials_the_error_names_what_is_missing(make: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match="COMPLIANCE_API_KEY"):
        await settle(make(api_key=None).applications.get(APPLICATION_ID))


@pytest.mark.parametrize(
    "options",
    [
        {"base_url": "ftp://example.com"},
        {"base_url": "example.com"},
        {"base_url": "https://example.com/?a=b"},
        {"base_url": "https://user:s3cret@example.com"},
        {"client_id": "only"},
        {"api_key": "two\r\nlines"},
        {"api_key": ""},
        {"timeout": 0},
        {"deadline": -1},
        {"max_retries": -1},
    ],
)
async def test_wrong_options_are_refused_at_once(make: Any, options: dict[str, Any]) -> None:
    with pytest.raises(errors.ConfigurationError) as caught:
        make(**options)
    assert "s3cret" not in str(caught.value)


async def test_an_address_may_end_with_a_slash(make: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    for client in (make(base_url=f"{stub.url}/"), make().with_options(base_url=f"{stub.url}/")):
        await settle(client.applications.get(APPLICATION_ID))
    assert {asked.path for asked in stub.asked} == {f"/v1/applications/{APPLICATION_ID}"}


async def test_secrets_are_in_no_representation(make: Any) -> None:
    client = make(api_key="kyc_live_s3cret", client_id="id", client_secret="s3cret", access_token="s3cret")
    assert "s3cret" not in repr(client) + repr(client._transport.options)


async def test_options_of_the_client_and_of_a_call_are_sent(make: Any, stub: Stub) -> None:
    client = make(headers={"X-Client": "a", "X-Both": "client"})
    stub.answer(Reply(body=application()))
    await settle(client.applications.get(APPLICATION_ID, extra_headers={"x-both": "call"}))
    assert (stub.asked[0]["X-Client"], stub.asked[0]["X-Both"]) == ("a", "call")
    assert stub.asked[0]["User-Agent"] == OWN_NAME


async def test_a_program_names_itself_before_the_package(make: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    await settle(make(user_agent="acme-onboarding/2.3").applications.get(APPLICATION_ID))
    assert stub.asked[0]["User-Agent"] == f"acme-onboarding/2.3 {OWN_NAME}"
    with pytest.raises(errors.ConfigurationError, match="user_agent"):
        make(user_agent="two\r\nlines")


async def test_a_call_may_have_query_parameters_of_a_later_server(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body={"items": [], "cursor": None, "hasMore": False}))
    query = {"preview": True, "tag": ["a", "b"], "left_out": None}
    await settle(client.applications.list(limit=5, extra_query=query))
    assert stub.asked[0].query == [("limit", "5"), ("preview", "true"), ("tag", "a"), ("tag", "b")]


@pytest.mark.parametrize("value", ["two\r\nlines", "s3cret \x00", "ã"])
async def test_a_header_that_cannot_be_sent_is_refused_without_showing_it(client: Any, stub: Stub, value: str) -> None:
    with pytest.raises(ValueError, match="x-note") as caught:
        await settle(client.applications.get(APPLICATION_ID, extra_headers={"X-Note": value}))
    assert value not in str(caught.value)
    with pytest.raises(ValueError, match="idempotency-key"):
        await settle(client.sandbox.enable(idempotency_key=value))
    assert stub.asked == []


async def test_a_client_of_the_http_library_can_be_given_and_stays_open(stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    with httpx2.Client(headers={"X-Proxy": "yes"}) as http:
        with ComplianceOnboarding(base_url=stub.url, api_key="key", http_client=http) as client:
            client.applications.get(APPLICATION_ID)
        assert not http.is_closed
    assert stub.asked[0]["X-Proxy"] == "yes"


async def test_a_transport_of_the_http_library_can_be_given(kind: str, anyio_backend: str) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=application())

    transport = httpx2.MockTransport(answer)
    if kind == "sync":
        with httpx2.Client(transport=transport) as http:
            read = ComplianceOnboarding(api_key="key", http_client=http).applications.get(APPLICATION_ID)
    else:
        async with httpx2.AsyncClient(transport=transport) as ahttp:
            client = AsyncComplianceOnboarding(api_key="key", http_client=ahttp)
            read = await client.applications.get(APPLICATION_ID)
    assert read.version == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
def test_a_forked_process_makes_connections_of_its_own(stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    with ComplianceOnboarding(base_url=stub.url, api_key="key") as client:
        client.applications.get(APPLICATION_ID)
        ours = client._transport.http.client()
        child = os.fork()
        if child == 0:
            os._exit(1 if client._transport.http.client() is ours else 0)
        assert os.waitpid(child, 0)[1] == 0
        assert client._transport.http.client() is ours


def test_one_client_serves_many_threads(stub: Stub) -> None:
    def answer(asked: Asked) -> Reply:
        return Reply(body=application(externalId=asked.path.rsplit("/", 1)[-1]))

    stub.answer(answer)
    with ComplianceOnboarding(base_url=stub.url, api_key="key") as client, ThreadPoolExecutor(20) as pool:
        names = [f"n{number}" for number in range(200)]
        assert [read.external_id for read in pool.map(client.applications.get, names)] == names


async def test_a_closed_client_can_be_used_again(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    await settle(client.applications.get(APPLICATION_ID))
    await settle(client.close())
    assert (await settle(client.applications.get(APPLICATION_ID))).version == 1


async def test_with_response_gives_status_and_headers(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application(), headers={"ETag": '"1"', "X-Request-Id": "abc"}))
    answer = await settle(client.applications.with_response.get(APPLICATION_ID))
    assert (answer.status, answer.etag, answer.request_id, answer.data.version) == (200, '"1"', "abc", 1)
    assert b"Maria" in answer.content
    assert not answer.replayed


async def test_with_response_works_on_a_page(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body={"items": [], "cursor": None, "hasMore": False}, headers={"X-Environment": "live"}))
    answer = await settle(client.applications.with_response.list())
    assert answer.headers["X-Environment"] == "live"
    assert answer.data.items == []


def _methods(resource: object, prefix: str = "") -> dict[str, str]:
    """Return every method beneath a resource with its signature, without what makes it asynchronous."""
    found: dict[str, str] = {}
    for name, member in inspect.getmembers(type(resource)):
        if name.startswith("_") or name in {"close", "with_options", "send", "with_response"}:
            continue
        if inspect.isfunction(member):
            found[prefix + name] = str(inspect.signature(member)).replace("AsyncPaginator", "Page").replace("Async", "")
        elif hasattr(member, "func"):
            found |= _methods(getattr(resource, name), f"{prefix}{name}.")
    return found


def test_both_clients_have_the_same_methods() -> None:
    methods = _methods(ComplianceOnboarding())
    assert methods == _methods(AsyncComplianceOnboarding())
    assert {
        "applications.create",
        "applications.documents.upload",
        "funds_recovery.events.list",
    } <= methods.keys()
    assert {
        "settings.api_keys.replace_scopes",
        "sandbox.enable",
        "auth.login",
        "oauth.token.create",
    } <= methods.keys()


def test_derived_code_has_nothing_asynchronous() -> None:
    for path in (SOURCE / "compliance_onboarding/_generated/sync").rglob("*.py"):
        code = path.read_text()
        assert "await " not in code
        assert "async def" not in code
        assert "asyncio" not in code


def outside_asyncio(call: Any) -> None:
    """Take the first step of a call as another event loop would."""
    with pytest.raises(errors.ConfigurationError, match="needs asyncio") as caught:
        call.send(None)
    assert caught.value.outcome == "not_sent"


def test_another_event_loop_is_told_what_is_needed() -> None:
    client = AsyncComplianceOnboarding(base_url="http://127.0.0.1:9", access_token="token")
    outside_asyncio(client.applications.get("a"))
    outside_asyncio(client.applications.list().__aiter__().__anext__())
    outside_asyncio(client.funds_recovery.events.follow().__aiter__().__anext__())
    with pytest.raises(StopIteration):
        client.close().send(None)
