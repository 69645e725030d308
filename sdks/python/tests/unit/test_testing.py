"""The transport for tests of programs: examples of the contract, and what can go wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

import compliance_onboarding
from compliance_onboarding import APIConnectionError, APITimeoutError, errors, types
from compliance_onboarding._generated.examples import EXAMPLES
from compliance_onboarding.testing import (
    ExampleTransport,
    Seen,
    empty,
    html,
    reset_after,
    reset_before,
    slow,
    status,
    truncated,
    unknown_members,
)
from support.both import settle
from support.contract import operations

pytestmark = pytest.mark.anyio

Make = Callable[..., Any]


@pytest.fixture
def transport() -> ExampleTransport:
    return ExampleTransport()


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest, transport: ExampleTransport) -> Make:
    return transport.client if request.param == "sync" else transport.async_client


async def test_a_call_is_answered_by_the_example_of_the_contract(make: Make, transport: ExampleTransport) -> None:
    application = await settle(make().applications.create(purpose="other", applicant={"full_name": "Ana"}))
    assert isinstance(application, types.Application)
    (seen,) = transport.requests
    assert (seen.operation, seen.method, seen.target) == ("createApplication", "POST", "/v1/applications")
    assert seen.json == {"purpose": "other", "applicant": {"fullName": "Ana"}}
    assert seen.headers["authorization"] == "Bearer test"


def test_every_operation_has_an_answer() -> None:
    assert EXAMPLES.keys() == {operation["operationId"] for _, _, operation in operations()}


async def test_a_list_ends_and_a_file_has_bytes(transport: ExampleTransport) -> None:
    client = transport.client()
    assert len(list(client.applications.list())) == len(client.applications.list().items) > 0
    assert client.applications.documents.download("a", "b").read() != b""


async def test_members_of_the_example_may_be_others(make: Make, transport: ExampleTransport) -> None:
    transport.answer("getApplication", {"status": "approved"}, {"status": "rejected"})
    client = make()
    told = [(await settle(client.applications.get("a"))).status for _ in range(3)]
    assert told == ["approved", "rejected", "rejected"]


async def test_an_answer_may_follow_from_the_request(make: Make, transport: ExampleTransport) -> None:
    def answer(seen: Seen) -> httpx2.Response | dict[str, Any]:
        return {"externalId": seen.target} if "known" in seen.target else httpx2.Response(404)

    transport.answer("getApplication", answer)
    client = make(max_retries=0)
    assert (await settle(client.applications.get("known"))).external_id == "/v1/applications/known"
    with pytest.raises(errors.NotFoundError):
        await settle(client.applications.get("other"))


@pytest.mark.parametrize(
    ("fault", "kind", "outcome"),
    [
        (status(503), errors.ServerError, "unknown"),
        (status(409, "duplicate_external_id", existingId="a"), errors.DuplicateExternalIdError, "refused"),
        (reset_before, APIConnectionError, "not_sent"),
        (reset_after, APIConnectionError, "unknown"),
        (truncated, APIConnectionError, "unknown"),
        (html, errors.InvalidResponseError, "unknown"),
        (empty, errors.InvalidResponseError, "unknown"),
        (slow(60), APITimeoutError, "unknown"),
    ],
)
async def test_what_goes_wrong_is_what_it_would_be(
    make: Make, transport: ExampleTransport, fault: Any, kind: type[errors.ComplianceOnboardingError], outcome: str
) -> None:
    transport.answer("createApplication", fault)
    client = make(max_retries=0, timeout=0.2)
    with pytest.raises(kind) as caught:
        await settle(client.applications.create(purpose="other", applicant={"full_name": "Ana"}))
    assert caught.value.outcome == outcome


async def test_a_fault_that_passes_is_tried_again(make: Make, transport: ExampleTransport) -> None:
    transport.answer("createApplication", status(503, retry_after=0), reset_after, {})
    await settle(make().applications.create(purpose="other", applicant={"full_name": "Ana"}))
    assert len(transport.requests) == 3
    assert len({seen.headers["idempotency-key"] for seen in transport.requests}) == 1


async def test_members_of_a_later_server_are_kept(make: Make, transport: ExampleTransport) -> None:
    transport.answer("getApplication", unknown_members)
    read = (await settle(make().applications.get("a"))).to_dict()
    assert read["addedLater"] == read["applicant"]["addedLater"] == {"by": "a later server"}


async def test_what_the_contract_does_not_know_is_a_mistake_of_the_test(transport: ExampleTransport) -> None:
    with pytest.raises(ValueError, match="no operation 'createAplication'"):
        transport.answer("createAplication", {})


def test_the_package_does_not_load_it() -> None:
    program = "import sys, compliance_onboarding; print('compliance_onboarding.testing' in sys.modules)"
    env = {"PYTHONPATH": str(Path(compliance_onboarding.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", program], env=env, check=True, capture_output=True)
    assert done.stdout == b"False\n"
