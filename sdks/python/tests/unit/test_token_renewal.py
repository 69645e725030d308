"""The renewal of an access token: beside the calls, before its end, and with a pause after a failure."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from typing import Any

import pytest

from compliance_onboarding import errors
from compliance_onboarding._token import TokenStore, token_living
from support.both import settle
from support.oauth import CLIENT, token
from support.objects import APPLICATION_ID, application
from support.stub import Reply, Stub

pytestmark = pytest.mark.anyio


def age(client: Any, *, expired: bool) -> None:
    """Make the client's token as old as one that is due for renewal, or that has ended."""
    store = client._transport._credentials._tokens.store
    now = time.monotonic()
    store._token = dataclasses.replace(store._token, renew_at=now, expires_at=now if expired else now + 20)


async def renewed(client: Any) -> None:
    """Wait for the request that runs beside the calls."""
    request = client._transport._credentials._tokens.store._pending
    if request is not None:
        outcome = asyncio.wrap_future(request.outcome)
        await asyncio.wait([outcome])
        # An exception that is never retrieved would be reported at garbage collection, and fail some other test.
        outcome.exception()
        # Waiting callers are notified last.
        await asyncio.sleep(0)


async def test_a_token_is_renewed_before_it_ends(make: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    client = make(**CLIENT)
    await settle(client.applications.get(APPLICATION_ID))
    lasts = client._transport._credentials._tokens.store._token.renew_at - time.monotonic()
    assert 3500 < lasts <= 3570
    age(client, expired=False)
    await settle(client.applications.get(APPLICATION_ID))
    # No call waits for the renewal: the old token is used until the new one has arrived.
    assert stub.asked[1]["Authorization"] == "Bearer token-1"
    await renewed(client)
    await settle(client.applications.get(APPLICATION_ID))
    assert stub.asked[2]["Authorization"] == "Bearer token-2"
    assert len(stub.token_requests) == 2


async def test_a_token_that_lives_still_serves_when_its_renewal_fails(make: Any, stub: Stub) -> None:
    stub.tokens = lambda _: token("first") if len(stub.token_requests) == 1 else Reply(status=503)
    stub.answer(Reply(body=application()))
    client = make(**CLIENT, max_retries=0)
    await settle(client.applications.get(APPLICATION_ID))
    age(client, expired=False)
    await settle(client.applications.get(APPLICATION_ID))
    await renewed(client)
    await settle(client.applications.get(APPLICATION_ID))
    assert [asked["Authorization"] for asked in stub.asked] == ["Bearer first"] * 3
    # After a failure the token endpoint is asked again after a pause, not by every call.
    assert len(stub.token_requests) == 2
    age(client, expired=True)
    with pytest.raises(errors.ServerError):
        await settle(client.applications.get(APPLICATION_ID))


@pytest.mark.parametrize(
    ("refusal", "least", "most"),
    [
        (Reply(status=503), 1, 2),
        (Reply(status=503, headers={"Retry-After": "2.5"}), 2.5, 2.5),
        (Reply(status=429, headers={"Retry-After": "300"}), 300, 300),
        (Reply(status=401, body={"error": "invalid_client"}), 1, 2),
    ],
)
async def test_after_a_failed_renewal_the_next_one_waits(
    make: Any, stub: Stub, refusal: Reply, least: float, most: float
) -> None:
    stub.tokens = lambda _: token("first") if len(stub.token_requests) == 1 else refusal
    stub.answer(Reply(body=application()))
    client = make(**CLIENT, max_retries=0)
    await settle(client.applications.get(APPLICATION_ID))
    age(client, expired=False)
    await settle(client.applications.get(APPLICATION_ID))
    await renewed(client)
    pause = client._transport._credentials._tokens.store._token.renew_at - time.monotonic()
    assert least - 1 < pause <= most


def test_renewals_that_fail_in_a_row_wait_longer_and_longer_up_to_a_minute() -> None:
    store = TokenStore()
    first, _ = store.join()
    now = time.monotonic()
    store.complete(first, token_living("one", 3600, since=now))
    pauses: list[float] = []
    for _ in range(9):
        request, _ = store.join()
        store.fail(request, errors.APIConnectionError("down"))
        assert store.token is not None
        pauses.append(store.token.renew_at - time.monotonic())
    for number, pause in enumerate(pauses):
        assert min(30, 2**number) - 1 < pause <= min(60, 2 ** (number + 1))
    completed, _ = store.join()
    store.complete(completed, token_living("two", 3600, since=now))
    request, _ = store.join()
    store.fail(request, errors.APIConnectionError("down"))
    assert store.token is not None
    assert store.token.renew_at - time.monotonic() <= 2
