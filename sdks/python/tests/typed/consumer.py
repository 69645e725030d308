"""How a program uses the package. Never run: mypy and pyright prove that the types are what they should be.

A line marked `type: ignore` is a mistake that the type checkers must find; an unused mark is an error.
"""

from __future__ import annotations

import logging
import math
from pathlib import Path
from uuid import UUID

import httpx2
from typing_extensions import assert_never, assert_type

from compliance_onboarding import (
    UNSET,
    ApplicationCreateParams,
    AsyncComplianceOnboarding,
    AsyncDownload,
    AsyncPage,
    ComplianceOnboarding,
    Download,
    Page,
    Response,
    errors,
    params,
    types,
)


def log_cursor(cursor: str | None) -> None: ...


def synchronous(client: ComplianceOnboarding, application_id: UUID) -> None:
    applicant: params.ApplicantCreate = {"full_name": "Ana Souza", "tax_id": {"type": "cpf", "value": "1"}}
    application = client.applications.create(purpose="other", applicant=applicant, metadata={"n": 1, "b": True})
    assert_type(application, types.Application)
    assert_type(application.applicant.tax_id, types.RecordedTaxId | None)
    client.applications.create(purpose=types.ApplicationPurpose.OTHER, applicant=types.ApplicantCreate(full_name="Ana"))
    client.applications.update(application_id, external_id=None, channel=UNSET, applicant={"email": None})

    page = client.funds_recovery.events.list(limit=10)
    assert_type(page, Page[types.FundsRecoveryEvent])
    for event in page:
        assert_type(event, types.FundsRecoveryEvent)
    assert_type(page.next_page(), Page[types.FundsRecoveryEvent] | None)
    for one in client.applications.list(status=["draft"]).pages():
        assert_type(one.items, list[types.Application])

    documents = client.applications.documents
    assert_type(documents.upload(application_id, file=Path("a.pdf"), type="passport"), types.Document)
    assert_type(documents.download(application_id, "id"), Download)
    assert_type(client.applications.with_response.get(application_id, timeout=5), Response[types.Application])
    client.settings.api_keys.revoke("kyc_live_7Hq2ZtK9")
    client.applications.list(extra_query={"preview": True}, extra_headers={"X-Trace": "1"}, deadline=None)
    for event in client.funds_recovery.events.follow(cursor=None, on_page=lambda page: log_cursor(page.cursor)):
        assert_type(event, types.FundsRecoveryEvent)


async def asynchronous(client: AsyncComplianceOnboarding, application_id: UUID) -> None:
    assert_type(await client.applications.get(application_id), types.Application)
    assert_type(await client.funds_recovery.events.list(), AsyncPage[types.FundsRecoveryEvent])
    async for event in client.funds_recovery.events.list():
        assert_type(event, types.FundsRecoveryEvent)
    async for page in client.applications.list().pages():
        assert_type(page.items, list[types.Application])
    assert_type(await client.applications.documents.download(application_id, "id"), AsyncDownload)
    answer = await client.applications.with_response.list(limit=1)
    assert_type(answer.data, AsyncPage[types.Application])


def configured(http: httpx2.Client, log: logging.Logger) -> None:
    client = ComplianceOnboarding(
        retry_budget=math.inf, user_agent="acme/1", logger=log, http_client=http, timeout=None, scopes=["read"]
    )
    assert_type(client.with_options(timeout=5, access_token="t"), ComplianceOnboarding)
    with client.applications.documents.download("id", "id") as file, Path("copy").open("wb") as target:
        assert_type(file.write_to(target), int)
        assert_type(file.write_to_file("copy"), Path)


def refused(error: errors.DuplicateExternalIdError) -> None:
    assert_type(error.code, str | None)
    assert_type(error.request_id, str | None)
    assert_type(error.retryable, bool)
    assert isinstance(error, errors.ConflictError)


def open_ended(application: types.Application) -> str:
    assert_type(application.id, str)
    assert_type(types.ApplicationStatus.DRAFT, types.ApplicationStatus)
    if application.status == "draft":
        return application.status
    match application.level:
        case types.DiligenceLevel.BASIC | types.DiligenceLevel.STANDARD | types.DiligenceLevel.ENHANCED:
            return "known"
        case later:
            assert_never(later)  # type: ignore[arg-type]


def bodies(client: ComplianceOnboarding) -> None:
    applicant: params.ApplicantCreate = {"full_name": "Ana"}
    body: ApplicationCreateParams = {"purpose": "other", "applicant": applicant}
    assert_type(body, params.ApplicationCreate)
    person = types.ApplicantCreate(full_name="Ana")
    made = types.ApplicationCreate(purpose=types.ApplicationPurpose.OTHER, applicant=person)
    assert_type(client.applications.create(body), types.Application)
    assert_type(client.applications.create(made, idempotency_key="k"), types.Application)
    assert_type(client.applications.with_response.create(body=body), Response[types.Application])
    client.applications.update("id", {"channel": "web"}, if_match="1")
    client.applications.documents.upload("id", {"file": b"", "type": "passport"})


def mistakes(client: ComplianceOnboarding) -> None:
    client.applications.create(purpose="leisure", applicant={"full_name": "Ana"})  # type: ignore[call-overload]
    client.applications.create(purpose="other", applicant={"fullname": "Ana"})  # type: ignore[call-overload]
    client.applications.create(purpose="other")  # type: ignore[call-overload]
    client.applications.get("id", idempotency_key="k")  # type: ignore[call-arg]
    client.applications.get("id", extra_params={})  # type: ignore[call-arg]
    client.applications.update("id", purpose=None)  # type: ignore[call-overload]
    client.applications.documents.upload("id", file="passport.jpg", type="passport")  # type: ignore[call-overload]
    client.settings.api_keys.replace_scopes("prefix", scopes=["everything"])  # type: ignore[list-item]
