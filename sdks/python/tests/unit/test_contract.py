"""The package against the contract it is generated from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest

from compliance_onboarding import Model, types
from compliance_onboarding._generated import operations
from compliance_onboarding._operation import Operation
from support.contract import operations as contract
from support.contract import resolved


def examples() -> Iterator[tuple[str, str, Any]]:
    """Return operation and name, schema and value of every example of an answer in JSON."""
    for _, _, operation in contract():
        for status, response in operation["responses"].items():
            for media_type, media in resolved(response).get("content", {}).items():
                schema = media["schema"].get("$ref", "").rsplit("/", 1)[-1]
                for name, example in media.get("examples", {}).items() if "json" in media_type else ():
                    yield f"{operation['operationId']} {status} {name}", schema, resolved(example)["value"]


EXAMPLES: dict[str, dict[str, Any]] = {}
for _name, _schema, _value in examples():
    EXAMPLES.setdefault(_schema, {})[_name] = _value


def test_every_operation_is_there() -> None:
    constants = [value for value in vars(operations).values() if isinstance(value, Operation)]
    ours = {(one.name, one.method, one.path) for one in constants}
    assert ours == {(operation["operationId"], method, path) for method, path, operation in contract()}


def test_operations_promise_what_the_contract_promises() -> None:
    ours = {one.name: one for one in vars(operations).values() if isinstance(one, Operation)}
    for _, _, operation in contract():
        one = ours[operation["operationId"]]
        assert one.keyed == operation.get("x-idempotent", False)
        assert set(one.security) == {scheme for requirement in operation["security"] for scheme in requirement}


@pytest.mark.parametrize("schema", EXAMPLES)
def test_every_example_of_an_answer_is_read_and_written_unchanged(schema: str) -> None:
    model: type[Model] = getattr(types, schema)
    for name, value in EXAMPLES[schema].items():
        assert model.model_validate_json(json.dumps(value)).to_dict() == value, name


@pytest.mark.parametrize("schema", EXAMPLES)
def test_every_answer_survives_members_and_values_that_a_later_server_adds(schema: str) -> None:
    model: type[Model] = getattr(types, schema)
    for name, value in EXAMPLES[schema].items():
        later = extended(value)
        assert model.model_validate_json(json.dumps(later)).to_dict() == later, name


def extended(value: Any) -> Any:
    """Add a member to every object."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {**{name: extended(member) for name, member in members.items()}, "addedLater": "x"}
    return list(map(extended, cast("list[object]", value))) if isinstance(value, list) else value
