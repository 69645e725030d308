"""What methods take: names that exist, in either spelling, and a body as a whole or by its members."""

from __future__ import annotations

import inspect
import traceback
from operator import attrgetter
from typing import Any

import pytest

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding, errors, params, types
from compliance_onboarding._arguments import python_name
from support.both import settle
from support.contract import operations, resolved
from support.objects import APPLICATION_ID, application, document
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio

EMPTY: dict[str, Any] = {"items": [], "cursor": None, "hasMore": False}


def call(method: str, *args: object, **given: object) -> tuple[str, tuple[object, ...], dict[str, object]]:
    return method, args, given


@pytest.mark.parametrize(
    ("called", "message"),
    [
        (call("applications.list", stauts=["draft"]), r"list\(\) takes no argument 'stauts'; did you mean 'status'"),
        (call("applications.create", purpose="other", applicant={}, extrenal_id="1"), "did you mean 'external_id'"),
        (call("applications.get", "a", timout=1), "did you mean 'timeout'"),
        (call("applications.get", "a", idempotency_key="k"), "takes no argument 'idempotency_key'"),
        (call("applications.get", "a", qqq=1), r"takes no argument 'qqq'$"),
        (call("applications.create", purpose="other"), r"create\(\) is missing 'applicant'$"),
        (call("applications.create"), r"create\(\) is missing 'purpose', 'applicant'$"),
        (call("applications.create", {}, submit=True), r"has its body already, and beside it 'submit'$"),
        (call("applications.create", "x"), "a body is an object of the API or a dictionary, not a str"),
        (call("applications.list", created_after="x", createdAfter="y"), "got 'created_after' twice"),
        (call("applications.get", "a", applicationId="b"), "got 'application_id' twice"),
        (call("applications.with_response.list", stauts=["draft"]), "did you mean 'status'"),
        (call("funds_recovery.events.follow", cursr="x"), "did you mean 'cursor'"),
    ],
)
async def test_an_argument_that_does_not_fit_is_refused_and_nothing_is_sent(
    client: Any, stub: Stub, called: tuple[str, tuple[object, ...], dict[str, object]], message: str
) -> None:
    method, args, given = called
    with pytest.raises(TypeError, match=message):
        await settle(attrgetter(method)(client)(*args, **given))
    assert stub.asked == []


async def test_arguments_may_have_the_names_of_the_wire(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=EMPTY))
    await settle(client.applications.list(createdAfter="2026-11-03T00:00:00Z", externalId="a"))
    stub.answer(Reply(body=application()))
    await settle(client.applications.get(applicationId=APPLICATION_ID))
    await settle(client.applications.update(APPLICATION_ID, externalId="b", **{"If-Match": "1"}))
    asked = stub.asked
    assert asked[0].query == [("externalId", "a"), ("createdAfter", "2026-11-03T00:00:00Z")]
    assert asked[1].path == f"/v1/applications/{APPLICATION_ID}"
    assert (asked[2].json, asked[2]["If-Match"]) == ({"externalId": "b"}, "1")


def test_the_name_of_every_argument_follows_from_its_name_on_the_wire() -> None:
    client = ComplianceOnboarding(base_url="http://localhost", access_token="t")
    for _, _, operation in operations():
        path = [*operation["x-sdk"]["resource"].split("."), operation["x-sdk"]["method"]]
        method: Any = attrgetter(".".join(map(python_name, path)))(client)
        wire = {parameter["name"] for parameter in map(resolved, operation.get("parameters", []))}
        if "requestBody" in operation:
            media = next(iter(resolved(operation["requestBody"])["content"].values()))
            wire |= resolved(media["schema"])["properties"].keys()
        known = set(inspect.signature(method).parameters) | {"idempotency_key"}
        assert {python_name(name) for name in wire} <= known, operation["operationId"]


BODIES: list[Any] = [
    types.ApplicationCreate.model_validate({"purpose": "other", "applicant": {"fullName": "Ana"}, "later": 1}),
    {"purpose": "other", "applicant": {"full_name": "Ana"}, "later": 1},
    {"purpose": types.ApplicationPurpose.OTHER, "applicant": types.ApplicantCreate(full_name="Ana"), "later": 1},
]


@pytest.mark.parametrize("body", BODIES)
async def test_a_body_is_taken_as_a_whole(client: Any, stub: Stub, body: Any) -> None:
    stub.answer(Reply(body=application()))
    await settle(client.applications.create(body, idempotency_key="k"))
    await settle(client.applications.create(body=body))
    for asked in stub.asked:
        assert asked.json == {"purpose": "other", "applicant": {"fullName": "Ana"}, "later": 1}
    assert stub.asked[0]["Idempotency-Key"] == "k"


async def test_a_body_may_stand_behind_what_is_in_the_path(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    body: params.ApplicationUpdate = {"external_id": None}
    await settle(client.applications.update(APPLICATION_ID, body, if_match="1"))
    assert (stub.asked[0].json, stub.asked[0]["If-Match"]) == ({"externalId": None}, "1")


async def test_a_form_with_a_file_is_taken_as_a_whole(client: Any, stub: Stub) -> None:
    stub.answer(Reply(status=201, body=document()))
    body = {"type": "passport", "expires_on": "2030-01-01", "file": ("a.pdf", b"%PDF-1")}
    await settle(client.applications.documents.upload(APPLICATION_ID, body))
    sent = stub.asked[0].body
    assert b'name="expiresOn"' in sent
    assert b'name="file"; filename="a.pdf"' in sent


async def test_a_form_is_taken_as_a_whole(make: Any, stub: Stub) -> None:
    await settle(make(access_token="token").oauth.token.create({"grant_type": "client_credentials"}))
    assert stub.token_requests[0].body == b"grant_type=client_credentials"


async def test_the_frames_of_a_call_hold_nothing_of_its_body(client: Any, stub: Stub) -> None:
    stub.answer(problem(422, "validation_failed"))
    with pytest.raises(errors.UnprocessableContentError) as caught:
        await settle(client.applications.update(APPLICATION_ID, applicant={"full_name": "Maria"}))
    frames = traceback.StackSummary.extract(traceback.walk_tb(caught.value.__traceback__), capture_locals=True)
    ours = [one for one in frames if "compliance_onboarding" in one.filename and "resources" not in one.filename]
    assert any("_arguments" in one.filename for one in ours)
    assert "Maria" not in "".join(str(frame.locals) for frame in ours)


def test_methods_look_like_what_they_are() -> None:
    method = AsyncComplianceOnboarding(base_url="http://localhost", access_token="t").applications.create
    assert inspect.iscoroutinefunction(method)
    assert list(inspect.signature(method).parameters)[:3] == ["body", "external_id", "purpose"]
    assert (inspect.getdoc(method) or "").startswith("Create an application.")
