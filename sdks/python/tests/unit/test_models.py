"""Objects of the API: tolerant of what a later server sends, exact in what is sent back."""

from __future__ import annotations

import copy
import json
import pickle
import typing
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
import typing_extensions
from pydantic.fields import FieldInfo

from compliance_onboarding import UNSET, Model, params, types
from compliance_onboarding._union import Variant
from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Reply, Stub

pytestmark = pytest.mark.anyio


def parsed(**changes: object) -> types.Application:
    return types.Application.model_validate_json(json.dumps(application(**changes)))


def test_members_have_python_types() -> None:
    read = parsed()
    assert read.id == APPLICATION_ID
    assert json.dumps(read.id) == f'"{APPLICATION_ID}"'
    assert read.created_at == datetime(2026, 11, 3, 12, 10, tzinfo=timezone.utc)
    assert read.applicant.date_of_birth == date(1990, 4, 12)
    assert read.status is types.ApplicationStatus.DRAFT
    assert read.metadata == {"sandbox": True, "attempt": 5, "score": 0.5, "note": "5"}
    assert [type(value) for value in read.metadata.values()] == [bool, int, float, str]


def test_an_unknown_value_of_an_enumeration_survives_and_returns_unchanged() -> None:
    read = parsed(status="escalated")
    assert read.status == "escalated"
    assert isinstance(read.status, types.ApplicationStatus)
    assert not read.status.known
    assert types.ApplicationStatus.DRAFT.known
    assert read.to_dict()["status"] == "escalated"
    assert hash(read.status) == hash("escalated")
    assert copy.deepcopy(read.status) == pickle.loads(pickle.dumps(read.status)) == "escalated"  # noqa: S301


def test_unknown_values_are_not_collected() -> None:
    before = len(types.ApplicationStatus.__members__)
    for number in range(100):
        types.ApplicationStatus(f"invented_{number}")
    assert len(types.ApplicationStatus.__members__) == before
    assert types.ApplicationStatus("invented_1") == types.ApplicationStatus("invented_1")


def test_a_number_is_no_value_of_an_enumeration() -> None:
    with pytest.raises(ValueError, match="status"):
        parsed(status=5)


def test_unknown_members_survive_and_return_unchanged_at_every_depth() -> None:
    sent = application(reviewers=[{"name": "Rui"}])
    sent["applicant"]["shoeSize"] = 38
    read = types.Application.model_validate(sent)
    assert read.to_dict()["reviewers"] == [{"name": "Rui"}]
    assert read.to_dict()["applicant"]["shoeSize"] == 38


def test_an_object_returns_as_it_came() -> None:
    sent = application()
    again = parsed().to_dict()
    assert again == sent
    assert list(again) == list(sent)
    assert json.loads(parsed().to_json()) == sent


def test_limits_of_the_contract_are_not_enforced_on_answers() -> None:
    sent = application()
    sent["applicant"]["fullName"] = "x" * 10_000
    sent["applicant"]["email"] = "no e-mail"
    assert types.Application.model_validate(sent).applicant.email == "no e-mail"


def test_personal_data_stays_out_of_representations() -> None:
    text = repr(parsed())
    assert "Maria" not in text
    assert "52998224725" not in text
    assert "maria.silva@example.com" not in text
    assert "status=<ApplicationStatus.DRAFT" in text
    assert parsed().applicant.full_name == "Maria da Silva"


def test_objects_are_made_by_python_or_by_wire_names() -> None:
    by_python = types.TaxResidency.model_validate({"country": "BR", "tin": "1"})
    assert types.Applicant.model_validate(application()["applicant"]).full_name == "Maria da Silva"
    assert types.ApplicantCreate(full_name="Maria").to_dict() == {"fullName": "Maria"}
    assert types.ApplicantCreate.model_validate({"fullName": "Maria"}).full_name == "Maria"
    assert by_python.to_dict() == {"country": "BR", "tin": "1"}


def _dictionaries() -> list[tuple[str, Any]]:
    found = [(name, getattr(params, name)) for name in params.__all__]
    # A form with files has a dictionary alone.
    return [(name, kind) for name, kind in found if typing.is_typeddict(kind) and name in types.__all__]


def _is_tag(model: type[Model], field: FieldInfo) -> bool:
    """Whether the member says which variant of a union it is: a model fills it in, a dictionary must name it."""
    return issubclass(model, Variant) and typing.get_origin(field.annotation) is typing.Literal


@pytest.mark.parametrize(("name", "kind"), _dictionaries())
def test_dictionaries_have_the_members_of_their_models(name: str, kind: Any) -> None:
    model: type[Model] = getattr(types, name)
    required = {member for member, field in model.model_fields.items() if field.is_required() or _is_tag(model, field)}
    hints = typing.get_type_hints(kind, include_extras=True)
    assert set(hints) == set(model.model_fields)
    marked = {member for member, hint in hints.items() if typing.get_origin(hint) is typing_extensions.Required}
    assert marked == required


async def sent_by(client: Any, stub: Stub, **members: Any) -> Any:
    stub.answer(Reply(body=application()))
    await settle(client.applications.update(APPLICATION_ID, **members))
    return stub.asked[-1].json


async def test_none_is_sent_as_null_and_unset_is_not_sent(client: Any, stub: Stub) -> None:
    assert await sent_by(client, stub, external_id=None) == {"externalId": None}
    assert await sent_by(client, stub, external_id=UNSET, channel="web") == {"channel": "web"}
    applicant = {"email": None, "phone": "+5541988887777", "social_name": UNSET}
    assert await sent_by(client, stub, applicant=applicant) == {"applicant": {"email": None, "phone": "+5541988887777"}}
    assert stub.asked[0]["Content-Type"] == "application/merge-patch+json"


async def test_a_model_sends_what_was_set_and_nothing_else(client: Any, stub: Stub) -> None:
    applicant = types.ApplicantUpdate(email=None, date_of_birth=date(1990, 4, 12))
    assert await sent_by(client, stub, applicant=applicant) == {
        "applicant": {"email": None, "dateOfBirth": "1990-04-12"}
    }


async def test_dictionaries_may_use_either_spelling_and_hold_models(client: Any, stub: Stub) -> None:
    applicant = {
        "full_name": "Maria",
        "taxId": {"type": "cpf", "value": "529.982.247-25"},
        "monthly_income": types.Money(amount=1, currency="BRL"),
        "tax_residencies": [{"country": "BR", "tin": "1"}],
        "date_of_birth": date(1990, 4, 12),
    }
    assert (await sent_by(client, stub, applicant=applicant))["applicant"] == {
        "fullName": "Maria",
        "taxId": {"type": "cpf", "value": "529.982.247-25"},
        "monthlyIncome": {"amount": 1, "currency": "BRL"},
        "taxResidencies": [{"country": "BR", "tin": "1"}],
        "dateOfBirth": "1990-04-12",
    }


async def test_keys_of_metadata_are_the_callers_own(client: Any, stub: Stub) -> None:
    metadata = {"full_name": "kept", "taxId": None, "n": 1, "b": True}
    assert await sent_by(client, stub, metadata=metadata) == {"metadata": metadata}


async def test_a_member_that_is_not_known_is_sent_for_the_server_to_judge(client: Any, stub: Stub) -> None:
    assert await sent_by(client, stub, applicant={"shoe_size": 38}) == {"applicant": {"shoe_size": 38}}


async def test_values_of_enumerations_may_be_text_or_members(client: Any, stub: Stub) -> None:
    members = {"purpose": types.ApplicationPurpose.OTHER, "channel": "web"}
    assert await sent_by(client, stub, **members) == {"purpose": "other", "channel": "web"}


async def test_instants_are_sent_in_utc(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body={"items": [], "cursor": None, "hasMore": False}))
    when = datetime(2026, 11, 3, 9, 0, 0, 123456, tzinfo=timezone(timedelta(hours=-3)))
    await settle(client.applications.list(updated_after=when))
    assert stub.asked[0].query == [("updatedAfter", "2026-11-03T12:00:00.123456Z")]


async def test_an_instant_without_a_zone_is_refused(client: Any) -> None:
    with pytest.raises(ValueError, match="time zone"):
        await settle(client.applications.list(updated_after=datetime(2026, 11, 3)))  # noqa: DTZ001


@pytest.mark.parametrize("value", ["", ".", ".."])
async def test_a_path_cannot_be_left(client: Any, stub: Stub, value: str) -> None:
    with pytest.raises(ValueError, match="applicationId"):
        await settle(client.applications.get(value))
    assert stub.asked == []


async def test_a_path_parameter_stays_in_its_segment(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    await settle(client.applications.get("../sandbox?x=1#y%2F ã"))
    assert stub.asked[0].target == "/v1/applications/..%2Fsandbox%3Fx%3D1%23y%252F%20%C3%A3"


async def test_an_optional_body_without_members_is_not_sent(make: Any, stub: Stub) -> None:
    stub.answer(Reply(status=204))
    client = make(access_token="token")
    assert await settle(client.auth.logout()) is None
    await settle(client.auth.logout(everywhere=True))
    assert [asked.body for asked in stub.asked] == [b"", b'{"everywhere":true}']


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
async def test_what_json_cannot_say_is_refused(client: Any, stub: Stub, number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        await settle(client.applications.update(APPLICATION_ID, metadata={"n": number}))
    assert stub.asked == []
