"""What can be seen of the calls, and what never can."""

from __future__ import annotations

import json
import logging
import traceback
from typing import Any

import httpx2
import pytest

from compliance_onboarding import RequestEvent, ResponseEvent, errors, types
from compliance_onboarding._skeleton import skeleton
from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio


async def test_what_happens_can_be_watched_without_secrets(make: Any, stub: Stub) -> None:
    requests: list[RequestEvent] = []
    responses: list[ResponseEvent] = []
    client = make(on_request=requests.append, on_response=responses.append)
    stub.answer(
        Reply(hang_up=True),
        problem(503, "overloaded"),
        Reply(body=application(), headers={"Set-Cookie": "s"}),
    )
    await settle(client.applications.get(APPLICATION_ID))
    assert [event.attempt for event in requests] == [1, 2, 3]
    assert [event.status for event in responses] == [None, 503, 200]
    assert responses[0].error == "APIConnectionError"
    assert requests[0].path == "/v1/applications/{applicationId}"
    assert requests[0].headers["x-api-key"] == "***"
    assert (responses[2].headers or {})["set-cookie"] == "***"
    assert all(event.seconds > 0 for event in responses)


async def test_nothing_personal_or_secret_is_logged(make: Any, stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    client = make(client_id="kyc_test_7Hq2ZtK9", client_secret="s3cret", access_token="t0ken")
    with caplog.at_level(logging.DEBUG):
        stub.answer(problem(503, "overloaded"), Reply(status=201, body=application()))
        applicant = {"full_name": "Maria da Silva", "email": "maria.silva@example.com"}
        await settle(client.applications.create(purpose="other", applicant=applicant))
        stub.answer(Reply(body={"items": [application()], "cursor": None, "hasMore": False}))
        await settle(client.applications.list(tax_id="52998224725"))
        stub.answer(problem(404, "not_found"))
        with pytest.raises(errors.NotFoundError):
            await settle(client.applications.get(APPLICATION_ID))
    assert "createApplication POST /v1/applications → 201" in caplog.text
    for canary in ("Maria", "maria.silva", "52998224725", "s3cret", "t0ken", "kyc_test_key", APPLICATION_ID):
        assert canary not in caplog.text


async def test_the_http_library_may_log_the_requests_of_others(stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    stub.answer(Reply())
    with caplog.at_level(logging.INFO), httpx2.Client() as http:
        http.get(f"{stub.url}/theirs")
    assert "/theirs" in caplog.text


async def test_a_logger_can_be_given(make: Any, stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    stub.answer(problem(503, "overloaded", headers={"Retry-After": "0"}), Reply(body=application()))
    with caplog.at_level(logging.INFO):
        await settle(make(logger=logging.getLogger("acme.kyc")).applications.get(APPLICATION_ID))
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("acme.kyc", "getApplication is repeated in 0 ms")
    ]


async def test_the_environment_sets_the_level(
    make: Any, stub: Stub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    package = logging.getLogger("compliance_onboarding")
    monkeypatch.setattr(package, "level", package.level)
    monkeypatch.setenv("COMPLIANCE_LOG", "debug")
    stub.answer(Reply(body=application()))
    await settle(make().applications.get(APPLICATION_ID))
    assert [record.levelname for record in caplog.records if record.name == "compliance_onboarding"] == ["DEBUG"] * 2
    monkeypatch.setenv("COMPLIANCE_LOG", "loud")
    with pytest.raises(errors.ConfigurationError, match="off, error, warn, info, debug"):
        make()


def test_of_a_body_only_names_enumerations_and_flags_are_shown() -> None:
    told = json.loads(skeleton(json.dumps(application(invented={"name": "Maria"})).encode()))
    assert (told["environment"], told["personalDataMasked"], told["statusReason"]) == ("sandbox", False, "***")
    assert (told["applicant"]["fullName"], told["id"], told["metadata"]) == ("***", "***", "***")
    assert told["invented"] == "***"
    assert skeleton(b"%PDF") == "4 bytes"


@pytest.mark.parametrize("mistake", ['{"fullName":"Maria"}', "Maria da Silva", "maria@example.com", 52998224725])
def test_what_stands_by_mistake_where_only_an_object_or_a_code_belongs_is_not_shown(mistake: object) -> None:
    assert skeleton(json.dumps({"applicant": mistake, "purpose": mistake}).encode()) == (
        '{"applicant": "***", "purpose": "***"}'
    )


async def test_no_representation_shows_what_is_personal_or_secret(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application(invented="Maria")))
    answer = await settle(client.applications.with_response.get(APPLICATION_ID))
    shown = repr(answer)
    assert "status=<ApplicationStatus.DRAFT" in shown
    for canary in ("Maria", "52998224725"):
        assert canary not in shown
    token = types.AccessToken(access_token="t0ken", token_type="Bearer", expires_in=1, scope="read")
    assert "t0ken" not in repr(token)
    when = "2026-11-03T12:10:00Z"
    enrolment = {"secret": "s3cret", "otpauthUri": "x?secret=s3cret", "qrSvg": "s3cret", "expiresAt": when}
    assert "s3cret" not in repr(types.TotpEnrolment.model_validate(enrolment))


async def test_no_traceback_shows_what_is_personal_or_secret(client: Any, stub: Stub) -> None:
    """With the local variables of each frame, as reports of errors collect them."""
    stub.answer(problem(422, "validation_failed", detail="The body breaks a rule."))
    with pytest.raises(errors.UnprocessableContentError) as caught:
        await settle(client.applications.list(tax_id="52998224725"))
    frames = traceback.StackSummary.extract(traceback.walk_tb(caught.value.__traceback__), capture_locals=True)
    # A method of a resource holds what its caller gave; nothing beneath it does.
    ours = [one for one in frames if "compliance_onboarding" in one.filename and "resources" not in one.filename]
    assert ours
    shown = "".join(str(frame.locals) for frame in ours)
    assert "52998224725" not in shown
    assert "kyc_test_key" not in shown


class Broken(logging.Handler):
    seen = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.seen += 1
        raise RuntimeError(record.levelname)


def broken(_: object) -> None:
    raise RuntimeError("a defect of the program")


async def test_hooks_and_handlers_that_raise_fail_no_call(make: Any, stub: Stub) -> None:
    logger = logging.Logger("broken", logging.DEBUG)
    handler = Broken()
    logger.addHandler(handler)
    told: list[object] = []

    def counted(event: object) -> None:
        told.append(event)
        broken(event)

    stub.answer(problem(503, "overloaded"), Reply(body=application(version="malformed")))
    client = make(logger=logger, on_request=counted, on_response=counted)
    assert str((await settle(client.applications.get(APPLICATION_ID))).id) == APPLICATION_ID
    assert len(stub.asked) == 2
    assert len(told) == 4
    assert handler.seen > 0


async def test_a_hook_that_raises_is_told(make: Any, stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    stub.answer(Reply(body=application()))
    await settle(make(on_response=broken).applications.get(APPLICATION_ID))
    assert "a hook raised RuntimeError" in caplog.text
    assert "a defect of the program" not in caplog.text
