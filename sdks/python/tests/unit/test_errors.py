"""What a refusal becomes."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from compliance_onboarding import APIStatusError, errors
from compliance_onboarding._generated.errors import PROBLEM_ERRORS
from compliance_onboarding._problem import error_from
from support.both import settle
from support.objects import APPLICATION_ID
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio


async def refused(client: Any) -> APIStatusError:
    with pytest.raises(APIStatusError) as caught:
        await settle(client.applications.get(APPLICATION_ID, max_retries=0))
    return caught.value


async def test_an_error_carries_code_status_and_request_id(client: Any, stub: Stub) -> None:
    stub.answer(problem(404, "not_found", detail="There is no such application."))
    error = await refused(client)
    assert type(error) is errors.NotFoundError
    assert (error.status, error.code) == (404, "not_found")
    assert error.request_id == "0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00"
    assert str(error) == ("404 not_found: There is no such application. (request 0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00)")


async def test_an_error_names_every_offending_member(client: Any, stub: Stub) -> None:
    entries = [
        {"pointer": "/applicant/fullName", "code": "too_short", "message": "must have at least 2 characters"},
        {"pointer": "/purpose", "code": "required", "message": "is required"},
    ]
    stub.answer(problem(422, "validation_failed", errors=entries))
    error = await refused(client)
    assert type(error) is errors.ValidationFailedError
    assert isinstance(error, errors.UnprocessableContentError)
    assert [(entry.pointer, entry.code) for entry in error.errors] == [
        ("/applicant/fullName", "too_short"),
        ("/purpose", "required"),
    ]
    assert "/applicant/fullName: must have at least 2 characters (too_short)" in str(error)


async def test_members_of_a_particular_code_are_kept(client: Any, stub: Stub) -> None:
    stub.answer(problem(409, "invalid_state_transition", currentStatus="withdrawn", allowedTransitions=[]))
    error = await refused(client)
    assert isinstance(error, errors.InvalidStateTransitionError)
    assert error.problem["currentStatus"] == "withdrawn"


async def test_an_unknown_code_has_the_class_of_its_status(client: Any, stub: Stub) -> None:
    stub.answer(problem(409, "invented_later"))
    error = await refused(client)
    assert type(error) is errors.ConflictError
    assert error.code == "invented_later"


async def test_a_code_under_another_status_has_the_class_of_the_status(client: Any, stub: Stub) -> None:
    stub.answer(problem(400, "not_found"))
    assert type(await refused(client)) is errors.BadRequestError


@pytest.mark.parametrize("body", [b"", b"<html>Bad gateway</html>", b"[1]", b"\xff", None, {"error": 5}])
async def test_an_answer_that_is_no_problem_is_an_error_all_the_same(client: Any, stub: Stub, body: object) -> None:
    stub.answer(Reply(status=502, body=body))
    error = await refused(client)
    assert type(error) is errors.ServerError
    assert error.code is None
    assert error.errors == ()


async def test_an_answer_that_is_not_json_is_told(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=b"<html>"))
    with pytest.raises(errors.InvalidResponseError):
        await settle(client.applications.get(APPLICATION_ID))


def test_an_error_survives_pickling() -> None:
    content = b'{"code": "rate_limited", "title": "Too many requests"}'
    error = error_from(429, {"Retry-After": "7", "X-Request-Id": "abc"}, content)
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(copy) is errors.RateLimitedError
    assert (copy.code, copy.retry_after, copy.request_id, str(copy)) == ("rate_limited", 7, "abc", str(error))


@pytest.mark.parametrize(
    "kind", [errors.APIConnectionError, errors.APITimeoutError, errors.DeadlineExceededError, errors.PaginationError]
)
def test_an_error_without_an_answer_survives_pickling_too(kind: type[errors.ComplianceOnboardingError]) -> None:
    error = kind("what happened")
    error.retryable = not error.retryable
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(copy), str(copy), copy.retryable, copy.request_id) == (kind, "what happened", error.retryable, None)


@pytest.mark.parametrize(
    ("refusal", "retryable"),
    [
        (problem(503, "overloaded"), True),
        (problem(501, "not_implemented"), False),
        (problem(409, "invalid_state_transition"), False),
        (problem(409, "idempotency_in_progress", retryable=True), True),
        (problem(503, "overloaded", retryable=False), False),
        (Reply(status=429), True),
        (Reply(status=404), False),
    ],
)
async def test_an_error_says_whether_the_call_may_succeed_later(
    client: Any, stub: Stub, refusal: Reply, *, retryable: bool
) -> None:
    stub.answer(refusal)
    assert (await refused(client)).retryable is retryable


@pytest.mark.parametrize(("code", "kind"), PROBLEM_ERRORS.items())
def test_every_code_of_the_contract_can_be_caught(code: str, kind: type[APIStatusError]) -> None:
    assert kind.problem_code in {code, None}
    assert getattr(errors, kind.__name__) is kind


def test_what_comes_with_a_problem_code_is_typed() -> None:
    duplicate = error_from(409, {}, b'{"code": "duplicate_external_id", "existingId": "a"}')
    assert isinstance(duplicate, errors.DuplicateExternalIdError)
    assert duplicate.existing_id == "a"
    item: dict[str, object] = {"key": "id_document", "kind": "provided", "status": "missing", "reasonCode": None}
    item |= {"alternatives": [], "satisfiedBy": []}
    missing = error_from(422, {}, json.dumps({"code": "requirements_missing", "items": [item]}).encode())
    assert isinstance(missing, errors.RequirementsMissingError)
    assert [one.key for one in missing.items or []] == ["id_document"]


@pytest.mark.parametrize("members", [{}, {"currentVersion": {}}])
def test_what_does_not_come_with_it_is_none(members: dict[str, object]) -> None:
    conflict = error_from(412, {}, json.dumps({"code": "version_conflict", **members}).encode())
    assert isinstance(conflict, errors.VersionConflictError)
    assert conflict.current_version is None
