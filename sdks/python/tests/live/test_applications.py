"""Applications and their documents, against the running service."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from compliance_onboarding import errors, types
from support.both import collect, settle
from support.live import person, png

pytestmark = pytest.mark.anyio

DOCUMENT: dict[str, str] = {"type": "passport", "side": "single", "country": "BR", "expires_on": "2035-01-01"}


async def created(client: Any, **changes: Any) -> types.Application:
    application = await settle(client.applications.create(**person(**changes)))
    assert isinstance(application, types.Application)
    return application


async def test_an_application_is_created_and_read(sandbox: Any) -> None:
    application = await created(sandbox)
    assert application.status is types.ApplicationStatus.DRAFT
    assert application.environment == "sandbox"
    assert application.metadata == {"campaign": "november", "attempt": 1, "sandbox": True}
    assert application.applicant.address is not None
    assert application.applicant.address.postal_code == "80010000"
    read = await settle(sandbox.applications.get(application.id))
    assert read.id == application.id
    assert read.created_at == application.created_at
    assert read.documents == []


async def test_models_are_as_good_as_dictionaries(sandbox: Any) -> None:
    applicant = types.ApplicantCreate(full_name="Ana Souza", monthly_income=types.Money(amount=850_000, currency="BRL"))
    application = await created(sandbox, applicant=applicant, purpose=types.ApplicationPurpose.PERIODIC_REVIEW)
    assert application.applicant.full_name == "Ana Souza"
    assert application.applicant.monthly_income == types.Money(amount=850_000, currency="BRL")
    assert application.purpose == "periodic_review"


async def test_a_list_is_filtered_and_goes_over_all_pages(sandbox: Any) -> None:
    before = datetime.now(timezone.utc) - timedelta(seconds=5)
    ids = [(await created(sandbox)).id for _ in range(5)]
    found = await collect(
        sandbox.applications.list(created_after=before, status=["draft", "in_review"], sort="createdAt", limit=2)
    )
    assert [one.id for one in found if one.id in ids] == ids
    assert len({one.id for one in found}) == len(found)
    reference = (await settle(sandbox.applications.get(ids[0]))).external_id
    page = await settle(sandbox.applications.list(external_id=reference))
    assert ([one.id for one in page.items], page.has_more, page.cursor) == ([ids[0]], False, None)


async def test_an_update_sets_clears_and_leaves_alone(sandbox: Any) -> None:
    application = await created(sandbox)
    changed = await settle(
        sandbox.applications.update(
            application.id,
            external_id=None,
            applicant={"email": None, "phone": "+5541988887777"},
            metadata={"campaign": None, "score": 0.5},
            if_match=f'"{application.version}"',
        )
    )
    assert changed.external_id is None
    assert (changed.applicant.email, changed.applicant.phone) == (None, "+5541988887777")
    assert changed.applicant.full_name == application.applicant.full_name
    assert changed.metadata == {"attempt": 1, "score": 0.5, "sandbox": True}
    assert changed.version == application.version + 1


async def test_a_lost_update_is_refused(sandbox: Any) -> None:
    application = await created(sandbox)
    answer = await settle(sandbox.applications.with_response.get(application.id))
    await settle(sandbox.applications.update(application.id, channel="web", if_match=answer.etag))
    with pytest.raises(errors.VersionConflictError) as caught:
        await settle(sandbox.applications.update(application.id, channel="branch", if_match=answer.etag))
    assert caught.value.problem["currentVersion"] == application.version + 1


async def test_every_fault_of_a_body_is_told_at_once(sandbox: Any) -> None:
    with pytest.raises(errors.UnprocessableContentError) as caught:
        await created(sandbox, purpose="leisure", applicant={"full_name": "4", "shoe_size": 38})
    pointers = {fault.pointer for fault in caught.value.errors}
    assert {"/purpose", "/applicant/fullName", "/applicant/shoe_size"} <= pointers
    assert caught.value.request_id


async def test_a_reference_is_unique(sandbox: Any) -> None:
    application = await created(sandbox)
    with pytest.raises(errors.DuplicateExternalIdError) as caught:
        await created(sandbox, external_id=application.external_id)
    assert caught.value.problem["existingId"] == str(application.id)


async def test_a_repeated_creation_is_answered_from_the_record(sandbox: Any) -> None:
    body, key = person(), str(uuid4())
    first = await settle(sandbox.applications.with_response.create(**body, idempotency_key=key))
    second = await settle(sandbox.applications.with_response.create(**body, idempotency_key=key))
    assert (first.status, first.replayed) == (201, False)
    assert (second.status, second.replayed) == (201, True)
    assert second.data == first.data
    with pytest.raises(errors.IdempotencyKeyReusedError):
        await settle(sandbox.applications.create(**person(), idempotency_key=key))


async def test_an_application_goes_from_draft_to_withdrawn(sandbox: Any) -> None:
    application = await created(sandbox)
    with pytest.raises(errors.RequirementsMissingError) as missing:
        await settle(sandbox.applications.submit(application.id))
    assert "id_document" in [item["key"] for item in missing.value.problem["items"]]
    await settle(sandbox.applications.documents.upload(application.id, file=png(), **DOCUMENT))
    submitted = await settle(sandbox.applications.submit(application.id))
    assert submitted.status == "in_review"
    assert submitted.submitted_at is not None
    withdrawn = await settle(
        sandbox.applications.withdraw(application.id, reason_code="applicant_request", note="Changed their mind.")
    )
    assert withdrawn.status is types.ApplicationStatus.WITHDRAWN
    with pytest.raises(errors.InvalidStateTransitionError) as late:
        await settle(sandbox.applications.submit(application.id))
    assert late.value.problem["currentStatus"] == "withdrawn"


async def test_a_document_comes_back_as_it_was_sent(sandbox: Any, tmp_path: Path) -> None:
    application = await created(sandbox)
    content = png()
    path = tmp_path / "passport.png"
    path.write_bytes(content)
    stored = await settle(sandbox.applications.documents.upload(application.id, file=path, **DOCUMENT))
    assert (stored.type, stored.mime_type, stored.size_bytes) == ("passport", "image/png", len(content))
    again = await settle(
        sandbox.applications.documents.with_response.upload(application.id, file=("copy.png", content), **DOCUMENT)
    )
    assert (again.status, again.data.id) == (200, stored.id)

    file = await settle(sandbox.applications.documents.download(application.id, stored.id))
    assert (file.media_type, file.file_name) == ("image/png", "passport.png")
    assert await settle(file.read()) == content
    file = await settle(sandbox.applications.documents.download(application.id, stored.id))
    copy = await settle(file.write_to_file(tmp_path / "copy.png"))
    assert copy.read_bytes() == content
    read = await settle(sandbox.applications.get(application.id))
    assert [document.id for document in read.documents] == [stored.id]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", errors.EmptyFileError),
        (b"plain text", errors.UnsupportedFileTypeError),
        (png()[:200], errors.CorruptFileError),
        (png(20, 20), errors.ImageTooSmallError),
    ],
)
async def test_a_file_that_is_no_document_is_refused(
    sandbox: Any, content: bytes, error: type[errors.APIStatusError]
) -> None:
    application = await created(sandbox)
    with pytest.raises(error):
        await settle(sandbox.applications.documents.upload(application.id, file=content, **DOCUMENT))
    assert (await settle(sandbox.applications.get(application.id))).documents == []


async def test_what_is_not_there_is_not_found(sandbox: Any) -> None:
    with pytest.raises(errors.NotFoundError):
        await settle(sandbox.applications.get(uuid4()))
    with pytest.raises(errors.NotFoundError):
        await settle(sandbox.applications.documents.download(uuid4(), uuid4()))


async def test_a_foreign_cursor_is_refused(sandbox: Any) -> None:
    with pytest.raises(errors.InvalidCursorError):
        await settle(sandbox.applications.list(cursor="AQEAAAABAAAAAAAAACoRIjNEVWZ3"))
