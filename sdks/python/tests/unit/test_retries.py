"""What is repeated, when, and with what."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import pytest

from compliance_onboarding import APIConnectionError, RequestEvent, errors
from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio

DRAFT: dict[str, Any] = {"purpose": "account_opening", "applicant": {"full_name": "Maria da Silva"}}


@pytest.mark.parametrize(
    "failure",
    [
        Reply(hang_up=True),
        Reply(status=408),
        Reply(status=425),
        problem(429, "rate_limited"),
        problem(500, "internal_error"),
        problem(503, "dependency_unavailable"),
    ],
)
async def test_a_read_is_repeated_until_it_succeeds(client: Any, stub: Stub, failure: Reply) -> None:
    stub.answer(failure, failure, Reply(body=application()))
    read = await settle(client.applications.get(APPLICATION_ID))
    assert read.status == "draft"
    assert len(stub.asked) == 3


async def test_a_conflict_that_passes_is_repeated_whatever_the_method(client: Any, stub: Stub) -> None:
    stub.answer(problem(409, "rotation_in_progress", retryable=True), Reply(body=application()))
    await settle(client.applications.update(APPLICATION_ID, channel="web"))
    assert len(stub.asked) == 2


async def test_an_error_is_raised_when_the_repetitions_are_used_up(client: Any, stub: Stub) -> None:
    stub.answer(problem(503, "overloaded"))
    with pytest.raises(errors.OverloadedError):
        await settle(client.applications.get(APPLICATION_ID))
    assert len(stub.asked) == 3


async def test_the_number_of_repetitions_can_be_set_per_call(client: Any, stub: Stub) -> None:
    stub.answer(problem(503, "overloaded"))
    with pytest.raises(errors.ServerError):
        await settle(client.applications.get(APPLICATION_ID, max_retries=0))
    assert len(stub.asked) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        problem(400, "invalid_parameter"),
        problem(404, "not_found"),
        problem(409, "key_limit"),
        problem(503, "overloaded", retryable=False),
        Reply(status=501),
    ],
)
async def test_a_refusal_is_not_repeated(client: Any, stub: Stub, refusal: Reply) -> None:
    stub.answer(refusal)
    with pytest.raises(errors.APIStatusError):
        await settle(client.applications.get(APPLICATION_ID))
    assert len(stub.asked) == 1


async def test_a_creation_keeps_its_idempotency_key_over_repetitions(client: Any, stub: Stub) -> None:
    stub.answer(Reply(hang_up=True), problem(503, "overloaded"), Reply(status=201, body=application()))
    await settle(client.applications.create(**DRAFT))
    keys = {asked["Idempotency-Key"] for asked in stub.asked}
    assert len(stub.asked) == 3
    assert len(keys) == 1
    assert len({asked.body for asked in stub.asked}) == 1


async def test_each_creation_has_an_idempotency_key_of_its_own(client: Any, stub: Stub) -> None:
    stub.answer(Reply(status=201, body=application()))
    await settle(client.applications.create(**DRAFT))
    await settle(client.applications.create(**DRAFT))
    assert len({asked["Idempotency-Key"] for asked in stub.asked}) == 2


async def test_a_given_idempotency_key_is_sent(client: Any, stub: Stub) -> None:
    stub.answer(Reply(status=201, body=application()))
    await settle(client.applications.create(**DRAFT, idempotency_key="order-17"))
    assert stub.asked[0]["Idempotency-Key"] == "order-17"


async def test_a_creation_waits_for_the_first_call_with_its_key(client: Any, stub: Stub) -> None:
    busy = problem(409, "idempotency_in_progress", headers={"Retry-After": "0"}, retryable=True)
    stub.answer(busy, Reply(status=201, body=application(), headers={"Idempotent-Replayed": "true"}))
    answer = await settle(client.applications.with_response.create(**DRAFT))
    assert answer.replayed
    assert answer.data.version == 1


async def test_a_change_without_a_key_is_not_repeated_when_it_may_have_happened(client: Any, stub: Stub) -> None:
    stub.answer(Reply(hang_up=True))
    with pytest.raises(APIConnectionError):
        await settle(client.applications.update(APPLICATION_ID, channel="web"))
    assert len(stub.asked) == 1
    stub.answer(problem(503, "overloaded"))
    with pytest.raises(errors.ServerError):
        await settle(client.applications.update(APPLICATION_ID, channel="web"))
    assert len(stub.asked) == 2


async def test_a_change_without_a_key_is_repeated_when_the_server_did_not_take_it(client: Any, stub: Stub) -> None:
    stub.answer(problem(429, "rate_limited", headers={"Retry-After": "0"}), Reply(body=application()))
    await settle(client.applications.update(APPLICATION_ID, channel="web"))
    assert len(stub.asked) == 2


async def test_a_change_is_repeated_when_no_connection_was_made(make: Any) -> None:
    attempts: list[RequestEvent] = []
    client = make(base_url="http://127.0.0.1:9", on_request=attempts.append)
    with pytest.raises(APIConnectionError) as caught:
        await settle(client.applications.update(APPLICATION_ID, channel="web"))
    assert caught.value.outcome == "not_sent"
    assert [event.attempt for event in attempts] == [1, 2, 3]


async def test_the_server_says_how_long_to_wait(client: Any, stub: Stub) -> None:
    stub.answer(problem(503, "overloaded", headers={"Retry-After": "1"}), Reply(body=application()))
    began = time.monotonic()
    await settle(client.applications.get(APPLICATION_ID))
    assert 1 <= time.monotonic() - began < 5


async def test_the_rate_limit_says_how_long_to_wait(client: Any, stub: Stub) -> None:
    stub.answer(problem(429, "rate_limited", headers={"RateLimit": '"default";r=0;t=1'}), Reply(body=application()))
    began = time.monotonic()
    await settle(client.applications.get(APPLICATION_ID))
    assert 1 <= time.monotonic() - began < 5


async def test_a_date_to_wait_for_is_understood(client: Any, stub: Stub) -> None:
    soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=2), usegmt=True)
    stub.answer(problem(503, "overloaded", headers={"Retry-After": soon}))
    with pytest.raises(errors.ServerError) as caught:
        await settle(client.applications.get(APPLICATION_ID, max_retries=0))
    assert 0 < (caught.value.retry_after or 0) <= 2


async def test_a_long_wait_is_not_waited_but_told(client: Any, stub: Stub) -> None:
    stub.answer(problem(429, "rate_limited", headers={"Retry-After": "3600"}))
    with pytest.raises(errors.RateLimitError) as caught:
        await settle(client.applications.get(APPLICATION_ID))
    assert caught.value.retry_after == 3600
    assert len(stub.asked) == 1


async def test_a_cut_answer_is_repeated(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application(), cut_after=20), Reply(body=application()))
    await settle(client.applications.get(APPLICATION_ID))
    assert len(stub.asked) == 2


async def test_a_redirect_is_not_followed(client: Any, stub: Stub) -> None:
    stub.answer(Reply(status=307, headers={"Location": "http://127.0.0.1:9/elsewhere"}))
    with pytest.raises(errors.APIStatusError) as caught:
        await settle(client.applications.get(APPLICATION_ID))
    assert caught.value.status == 307
    assert isinstance(caught.value, errors.RedirectError)
    assert len(stub.asked) == 1
