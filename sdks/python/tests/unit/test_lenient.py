"""Answers that are not as the contract says: what can be read is read, the rest stays as it came."""

from __future__ import annotations

import copy
import dataclasses
import json
import logging
import pickle
from typing import Annotated, Any, Literal

import pytest
from pydantic import Discriminator, Tag

from compliance_onboarding import errors, types
from compliance_onboarding._base import Model
from compliance_onboarding._lenient import leniently
from compliance_onboarding._union import UNKNOWN, UnknownVariant, Variant, variant_of
from support.both import collect, settle
from support.clients import Clients
from support.objects import APPLICATION_ID, application, event
from support.stub import Reply, Stub

pytestmark = pytest.mark.anyio


@pytest.fixture
def client(make: Clients) -> Any:
    return make(access_token="token")


CREATE: dict[str, Any] = {"purpose": "other", "applicant": {"full_name": "Maria da Silva"}}


async def test_a_created_record_is_returned_although_members_of_it_are_malformed(client: Any, stub: Stub) -> None:
    body = application(version="Maria da Silva", createdAt="yesterday")
    body["applicant"]["dateOfBirth"] = {"year": 1990}
    del body["level"]
    stub.answer(Reply(status=201, body=body))
    created = await settle(client.applications.create(**CREATE))
    assert str(created.id) == APPLICATION_ID
    assert created.applicant.full_name == "Maria da Silva"
    assert (created.version, created.created_at, created.level) == ("Maria da Silva", "yesterday", None)
    assert created.applicant.date_of_birth == {"year": 1990}
    assert {error.pointer for error in created.parse_errors} == {
        "/version",
        "/createdAt",
        "/level",
        "/applicant/dateOfBirth",
    }
    assert [error.pointer for error in created.applicant.parse_errors] == ["/dateOfBirth"]
    assert len(stub.asked) == 1


async def test_what_could_not_be_read_is_logged_and_shown_without_its_values(
    client: Any, stub: Stub, caplog: pytest.LogCaptureFixture
) -> None:
    body = application(version="Maria da Silva", productCodes=["a", {"of": "Maria"}])
    stub.answer(Reply(body=body))
    with caplog.at_level(logging.WARNING, "compliance_onboarding"):
        read = await settle(client.applications.get(APPLICATION_ID))
    assert "getApplication" in caplog.text
    assert "/version" in caplog.text
    assert "/productCodes/1" in caplog.text
    assert "Maria" not in caplog.text + repr(read) + str(read.parse_errors)
    assert read.product_codes == ["a", {"of": "Maria"}]


async def test_what_could_not_be_read_is_written_as_it_came(client: Any, stub: Stub) -> None:
    body = application(createdAt="yesterday", statusReason=["x"], requirements="none", later={"a": 1})
    stub.answer(Reply(body=body))
    read = await settle(client.applications.get(APPLICATION_ID))
    assert read.to_dict() == body
    assert json.loads(read.to_json()) == body
    for again in (copy.copy(read), copy.deepcopy(read), pickle.loads(pickle.dumps(read))):  # noqa: S301
        assert again.parse_errors == read.parse_errors
        assert again == read


async def test_an_answer_that_can_be_read_has_no_parse_errors(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application(later=5, status="invented_later")))
    read = await settle(client.applications.get(APPLICATION_ID))
    assert read.parse_errors == ()
    assert read.applicant.parse_errors == ()


def test_what_a_program_makes_itself_is_checked() -> None:
    with pytest.raises(ValueError, match="version"):
        types.Application.model_validate(application(version="Maria da Silva"))


class Paper(Variant):
    kind: Literal["paper"] = "paper"
    pages: int


class Plate(Variant):
    kind: Literal["plate"] = "plate"
    metal: str


Carrier = Annotated[
    Annotated[Paper, Tag("paper")] | Annotated[Plate, Tag("plate")] | Annotated[UnknownVariant, Tag(UNKNOWN)],
    Discriminator(variant_of("kind", "kind", frozenset({"paper", "plate"}))),
]


class Book(Model):
    carrier: Carrier
    carriers: dict[str, list[Carrier]]


def test_a_variant_with_a_malformed_member_is_still_that_variant() -> None:
    value = {"carrier": {"kind": "plate", "metal": 5}, "carriers": {"a/b": [{"kind": "paper", "pages": "many"}, 7]}}
    book, faults = leniently(Book, value)
    assert type(book.carrier) is Plate
    assert type(book.carriers["a/b"][0]) is Paper
    assert [fault.pointer for fault in faults] == ["/carrier/metal", "/carriers/a~1b/0/pages", "/carriers/a~1b/1"]
    assert book.to_dict() == value


async def test_an_item_that_is_no_object_is_delivered_as_it_came(client: Any, stub: Stub) -> None:
    body = {"events": [event(1), None, "Maria", event(2, timestamp="yesterday")], "cursor": "c", "hasMore": False}
    stub.answer(Reply(body=body))
    page = await settle(client.funds_recovery.events.list())
    first, nothing, text, last = page.items
    assert (first.event_id, nothing, text, last.event_id) == ("fr-1", None, "Maria", "fr-2")
    assert last.timestamp == "yesterday"
    assert {index: poison.raw for index, poison in page.poison.items()} == {
        1: None,
        2: "Maria",
        3: event(2, timestamp="yesterday"),
    }
    assert page.poison[3].reason.startswith("/timestamp ")


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ({"cursor": None, "hasMore": False}, "items"),
        ({"items": None, "cursor": None, "hasMore": False}, "items"),
        ({"items": {}, "cursor": None, "hasMore": False}, "items"),
        ({"items": [], "cursor": None}, "hasMore"),
        ({"items": [], "cursor": None, "hasMore": "true-ish"}, "hasMore"),
        ({"items": [], "cursor": 5, "hasMore": True}, "cursor"),
    ],
)
async def test_a_list_without_what_a_walk_goes_by_is_an_error_and_not_an_empty_list(
    client: Any, stub: Stub, body: object, missing: str
) -> None:
    stub.answer(Reply(body=body))
    with pytest.raises(errors.InvalidResponseError, match=f"no {missing}"):
        await collect(client.applications.list())
    assert len(stub.asked) == 3


BROKEN = {
    "html": Reply(body=b"<html>Sign in</html>", headers={"Content-Type": "text/html; charset=utf-8"}),
    "truncated": Reply(body=b'{"id": "0197f2c8-5b1e'),
    "empty": Reply(),
    "a list": Reply(body=[]),
    "null": Reply(body=b"null"),
    "no text": Reply(body=b"\xff\xfe\x00"),
    "bottomless": Reply(body=b'{"a":' + b"[" * 100_000),
}


@pytest.mark.parametrize("how", BROKEN)
async def test_a_success_without_its_body_is_an_error_that_knows_its_call(client: Any, stub: Stub, how: str) -> None:
    headers = {**BROKEN[how].headers, "X-Request-Id": "r-1"}
    stub.answer(dataclasses.replace(BROKEN[how], status=201, headers=headers))
    with pytest.raises(errors.InvalidResponseError) as caught:
        await settle(client.applications.create(**CREATE, idempotency_key="order-7"))
    error = caught.value
    assert (error.status, error.request_id, error.idempotency_key) == (201, "r-1", "order-7")
    assert (error.outcome, error.retryable) == ("unknown", True)
    # The key makes repeating it safe.
    assert len(stub.asked) == 3


@pytest.mark.parametrize("how", BROKEN)
async def test_a_success_without_its_body_is_not_repeated_where_that_could_do_harm(
    client: Any, stub: Stub, how: str
) -> None:
    stub.answer(BROKEN[how])
    with pytest.raises(errors.InvalidResponseError):
        await settle(client.auth.login(email="a@example.com", password="p"))
    assert len(stub.asked) == 1


async def test_a_page_for_people_is_no_success_of_a_call_without_an_answer(client: Any, stub: Stub) -> None:
    stub.answer(BROKEN["html"])
    with pytest.raises(errors.InvalidResponseError, match="HTML"):
        await settle(client.funds_recovery.events.acknowledge(cursor="c", max_retries=0))
    with pytest.raises(errors.InvalidResponseError, match="HTML"):
        await settle(client.applications.documents.download(APPLICATION_ID, APPLICATION_ID, max_retries=0))
    stub.answer(Reply(status=200, body={"later": True}))
    await settle(client.funds_recovery.events.acknowledge(cursor="c"))


async def test_a_broken_success_that_passes_is_forgotten(client: Any, stub: Stub) -> None:
    stub.answer(BROKEN["html"], BROKEN["truncated"], Reply(body=application()))
    assert (await settle(client.applications.get(APPLICATION_ID))).version == 1
