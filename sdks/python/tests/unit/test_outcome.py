"""What an error tells of the effect of its call, and sending that call again."""

from __future__ import annotations

import asyncio
import io
import json
import pickle
import socket
from typing import Any

import httpx2
import pytest

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding, ComplianceOnboardingError, errors
from support.both import settle
from support.oauth import CLIENT, token
from support.objects import APPLICATION_ID, JPEG, application, document
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio

CREATE: dict[str, Any] = {"purpose": "other", "applicant": {"full_name": "Maria da Silva"}}
LOST = Reply(hang_up=True)


async def failed(call: Any) -> ComplianceOnboardingError:
    with pytest.raises(ComplianceOnboardingError) as caught:
        await settle(call())
    return caught.value


async def created(client: Any, **options: object) -> ComplianceOnboardingError:
    return await failed(lambda: client.applications.create(**CREATE, **options))


@pytest.mark.parametrize(
    ("replies", "outcome"),
    [
        ([problem(422, "validation_failed")], "refused"),
        ([problem(409, "duplicate_external_id")], "refused"),
        ([problem(429, "rate_limited")] * 3, "refused"),
        ([Reply(status=302, headers={"Location": "/"})], "refused"),
        ([problem(503, "overloaded")] * 3, "unknown"),
        ([problem(408, "request_timeout")] * 3, "unknown"),
        ([problem(409, "idempotency_in_progress", retryable=True)] * 3, "unknown"),
        ([LOST] * 3, "unknown"),
        ([Reply(body=b"<html>")] * 3, "unknown"),
        # An earlier success would have been replayed for the key.
        ([LOST, problem(422, "validation_failed")], "refused"),
        ([LOST, problem(412, "version_conflict")], "refused"),
        # These refusals are decided before the key is read.
        ([LOST, problem(403, "ip_not_allowed")], "unknown"),
        ([LOST, problem(429, "rate_limited"), problem(429, "rate_limited")], "unknown"),
        ([LOST, Reply(status=302, headers={"Location": "/"})], "unknown"),
    ],
)
async def test_an_error_tells_whether_its_call_took_effect(
    client: Any, stub: Stub, replies: list[Reply], outcome: str
) -> None:
    stub.answer(*replies)
    error = await created(client)
    assert (error.outcome, len(stub.asked)) == (outcome, len(replies))
    assert {error.idempotency_key} == {asked["Idempotency-Key"] for asked in stub.asked}


async def test_without_a_key_no_refusal_takes_back_what_may_have_happened(client: Any, stub: Stub) -> None:
    stub.answer(LOST, problem(404, "not_found"))
    error = await failed(lambda: client.settings.api_keys.revoke(APPLICATION_ID))
    assert (error.outcome, error.idempotency_key, len(stub.asked)) == ("unknown", None, 2)


async def test_a_call_that_never_left_is_not_sent(make: Any, stub: Stub) -> None:
    stub.tokens = lambda _: Reply(status=401, body={"error": "invalid_client"})
    keys = {"idempotency_key": "order-7"}
    for error in (
        await created(make(base_url="http://127.0.0.1:9"), **keys),
        await created(make(api_key=None, client_id="a", client_secret="b"), **keys),
        await created(make(**CLIENT), **keys),
    ):
        assert (error.outcome, error.idempotency_key) == ("not_sent", "order-7")
    nobody = await failed(make().auth.get_current_user)
    assert (type(nobody), nobody.outcome, nobody.idempotency_key) == (errors.ConfigurationError, "not_sent", None)
    assert stub.asked == []


async def test_a_deadline_that_passes_before_anything_is_sent_says_so(make: Any, stub: Stub) -> None:
    stub.tokens = lambda _: Reply(delay=1, body=token("late").body)
    error = await created(make(**CLIENT), deadline=0.2)
    assert (type(error), error.outcome) == (errors.DeadlineExceededError, "not_sent")


async def test_a_connection_that_is_not_made_in_time_has_sent_nothing(make: Any) -> None:
    # A listener with a full queue accepts no further connection.
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.settimeout(0)
            one.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}"
        error = await created(make(base_url=url), timeout=0.2, max_retries=0)
        late = await created(make(base_url=url), deadline=0.2)
        for one in waiting:
            one.close()
    assert (type(error), error.outcome) == (errors.APITimeoutError, "not_sent")
    assert (type(late), late.outcome) == (errors.DeadlineExceededError, "not_sent")


async def test_a_deadline_that_passes_while_the_server_works_leaves_it_unknown(client: Any, stub: Stub) -> None:
    stub.answer(Reply(delay=1, status=201, body=application()))
    error = await created(client, deadline=0.2)
    assert (type(error), error.outcome) == (errors.DeadlineExceededError, "unknown")


async def test_a_call_is_resumed_under_its_key_and_answers_what_it_would_have(client: Any, stub: Stub) -> None:
    stub.answer(LOST)
    error = await created(client, max_retries=0, extra_headers={"X-Trace": "1"})
    stub.answer(problem(503, "overloaded"), LOST, Reply(status=201, body=application()))
    again = await failed(lambda: client.resume(error))
    assert again.outcome == "unknown"
    again = await failed(lambda: client.resume(again))
    resumed = await settle(client.resume(again))
    assert (str(resumed.id), type(resumed).__name__) == (APPLICATION_ID, "Application")
    assert len({(asked["Idempotency-Key"], asked["X-Trace"], asked.body) for asked in stub.asked}) == 1


async def test_a_resumed_call_has_a_deadline_and_repetitions_of_its_own(client: Any, stub: Stub) -> None:
    stub.answer(LOST)
    error = await created(client)
    stub.asked.clear()
    stub.answer(LOST, LOST, Reply(status=201, body=application()))
    assert (await settle(client.resume(error))).version == 1
    assert len(stub.asked) == 3


async def test_pages_and_uploads_are_resumed_as_well(client: Any, stub: Stub) -> None:
    stub.answer(LOST)
    listing = await failed(lambda: client.applications.list(limit=1, max_retries=0))
    file = io.BytesIO(JPEG)
    upload = await failed(
        lambda: client.applications.documents.upload(APPLICATION_ID, file=file, type="passport", max_retries=0)
    )
    stub.answer(Reply(body={"items": [application()], "cursor": None, "hasMore": False}))
    page = await settle(client.resume(listing))
    assert [str(item.id) for item in page.items] == [APPLICATION_ID]
    stub.answer(Reply(status=201, body=document()))
    assert (await settle(client.resume(upload))).mime_type == "image/jpeg"
    assert JPEG in stub.asked[-1].body
    file.close()
    with pytest.raises(ValueError, match="closed"):
        await settle(client.resume(upload))


async def test_what_keeps_no_call_cannot_be_resumed(client: Any, stub: Stub) -> None:
    stub.answer(LOST)
    error = await created(client)
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (copy.outcome, copy.idempotency_key) == ("unknown", error.idempotency_key)
    for stranger in (copy, errors.APIConnectionError("made elsewhere")):
        with pytest.raises(ValueError, match="keeps no call"):
            await settle(client.resume(stranger))


async def test_a_client_of_the_other_kind_resumes_nothing(stub: Stub) -> None:
    stub.answer(LOST)
    with ComplianceOnboarding(base_url=stub.url, api_key="kyc_test_key") as client:
        error = await failed(lambda: asyncio.to_thread(lambda: client.applications.create(**CREATE)))
    async with AsyncComplianceOnboarding(base_url=stub.url, api_key="kyc_test_key") as other:
        with pytest.raises(ValueError, match="kind"):
            await other.resume(error)


async def test_an_error_shows_nothing_of_the_call_it_keeps(client: Any, stub: Stub) -> None:
    stub.answer(problem(422, "validation_failed"))
    error = await created(client)
    written = json.dumps(vars(error), default=repr)
    shown = f"{error!r} {error} {vars(error)} {dir(error)} {written} {pickle.dumps(error)!r}"
    assert "Maria" not in shown
    assert "kyc_test_key" not in shown


async def test_a_given_transport_that_tells_nothing_leaves_a_timeout_unknown() -> None:
    async def silent(_: httpx2.Request) -> httpx2.Response:
        await asyncio.sleep(5)
        return httpx2.Response(200)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(silent)) as http:
        client = AsyncComplianceOnboarding(base_url="http://silent", api_key="kyc_test_key", http_client=http)
        assert (await created(client, deadline=0.1)).outcome == "unknown"
