"""The models against a reading of the contract that is not ours: that of datamodel-code-generator."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import pytest
from pydantic import BaseModel, RootModel

from compliance_onboarding import types
from compliance_onboarding._base import OpenStrEnum
from compliance_onboarding._union import UnknownVariant, Variant
from support.contract import CONTRACT, operations

#: Identifiers, addresses and passwords are text in our models, as in JSON.
TEXT_FORMATS: Final = [f"string+{name}=string" for name in ("email", "password", "uri", "uuid")]
OPTIONS: Final = [
    *("--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"),
    *("--target-python-version", "3.10", "--target-pydantic-version", "2", "--snake-case-field", "--strict-nullable"),
    *("--allow-population-by-field-name", "--extra-fields", "allow", "--output-datetime-class", "AwareDatetime"),
    *("--type-mappings", *TEXT_FORMATS),
    *("--formatters", "builtin", "--disable-warnings", "--ignore-pyproject"),
]
SCHEMAS: Final[dict[str, dict[str, Any]]] = CONTRACT["components"]["schemas"]
OBJECTS: Final = [name for name, schema in SCHEMAS.items() if "properties" in schema or "allOf" in schema]
#: The parts of a multipart body are arguments of a method and no object.
PARTS: Final = {
    media["schema"]["$ref"].rsplit("/", 1)[-1]
    for _, _, operation in operations()
    for media_type, media in operation.get("requestBody", {}).get("content", {}).items()
    if media_type == "multipart/form-data"
}
#: Schemas that only responses for the pages of the service have: no operation of the SDK has them.
FOR_BROWSERS: Final = {"BrowserSession"}
NAMED: Final = [*OBJECTS, *(name for name, schema in SCHEMAS.items() if "enum" in schema or "discriminator" in schema)]

#: What a value may be: names of scalars and of schemas of the contract, and what lists, maps and unnamed objects hold.
Kinds = frozenset[Any]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    source = tmp_path_factory.mktemp("oracle") / "independent_models.py"
    contract = Path(__file__).parents[4] / "openapi.yaml"
    generator = [sys.executable, "-m", "datamodel_code_generator"]
    subprocess.run([*generator, "--input", str(contract), "--output", str(source), *OPTIONS], check=True)
    spec = importlib.util.spec_from_file_location(source.stem, source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[source.stem] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[source.stem]


def kinds(annotation: Any) -> Kinds:  # noqa: PLR0911 - a rule each
    """Return what values of a type are, so that what two generators write in different ways is the same."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return kinds(arguments[0])
    if origin in {Union, UnionType}:
        found = frozenset[Any]().union(*map(kinds, arguments))
        # Our models keep the 5 of a union an integer; in JSON it is a number all the same.
        return found - {"int"} if "float" in found else found
    # One possible value is a limit like others, which the server judges; we name it only where it tells variants apart.
    if origin is Literal:
        return frozenset(type(value).__name__ for value in arguments)
    if origin in {list, dict}:
        return frozenset({(origin.__name__, kinds(arguments[-1]))})
    if not isinstance(annotation, type):
        return frozenset({str(annotation)})
    # We write scalars, lists and maps out where they are used.
    if issubclass(annotation, RootModel):
        return kinds(annotation.model_fields["root"].annotation)
    # Our enumerations are open, and a later variant of a union is kept: the known values must be the same in both.
    if issubclass(annotation, (Enum, OpenStrEnum)):
        values = frozenset(str(member.value) for member in annotation)
        # The other generator makes null a member; we make the enumeration optional.
        return frozenset({("enum", values - {"None"}), *(values & {"None"})})
    if annotation is UnknownVariant:
        return frozenset()
    # Nested objects have different names in the two generators.
    if issubclass(annotation, BaseModel):
        return frozenset({annotation.__name__ if annotation.__name__ in SCHEMAS else members(annotation)})
    return frozenset({"None" if annotation is type(None) else annotation.__name__})


def members(model: type[BaseModel]) -> frozenset[tuple[str, bool, Kinds]]:
    """Return the members of an object: the name of the wire, whether it is required, and what it may be."""
    model.model_rebuild()
    return frozenset(
        # What may be absent reads as None in Python, so that only a required member tells whether null is a value.
        (field.alias or name, required, kinds(field.annotation) - (frozenset() if required else {"None"}))
        for name, field in model.model_fields.items()
        # The tag of a variant is set automatically, and so has a default.
        for is_tag in [issubclass(model, Variant) and get_origin(field.annotation) is Literal]
        for required in [field.is_required() or is_tag]
    )


def read(named: Any) -> frozenset[Any]:
    """Return what a schema with a name is."""
    if isinstance(named, type) and issubclass(named, BaseModel) and "root" not in named.model_fields:
        return members(named)
    return kinds(named)


def test_both_know_every_object_of_the_contract(oracle: ModuleType) -> None:
    assert len(OBJECTS) > 100
    assert [name for name in OBJECTS if not issubclass(getattr(oracle, name, str), BaseModel)] == []
    assert {name for name in OBJECTS if not issubclass(getattr(types, name, str), BaseModel)} == PARTS | FOR_BROWSERS


@pytest.mark.parametrize("name", [name for name in NAMED if name in types.__all__])
def test_our_model_is_what_another_generator_reads_in_the_contract(oracle: ModuleType, name: str) -> None:
    ours, theirs = read(getattr(types, name)), read(getattr(oracle, name))
    assert ours == theirs, f"only ours: {[*ours - theirs]}; only theirs: {[*theirs - ours]}"
