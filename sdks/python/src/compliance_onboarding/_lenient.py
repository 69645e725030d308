"""Reads responses that do not match the contract: valid parts are parsed, the others are left unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from compliance_onboarding._base import PARSE_ERRORS, Model, ParseError
from compliance_onboarding._wire import bears_tag


def leniently(annotation: Any, value: object) -> tuple[Any, tuple[ParseError, ...]]:
    """Parse the valid parts of a value, and report the invalid ones."""
    try:
        return TypeAdapter(annotation).validate_python(value), ()
    except ValidationError as error:
        as_it_came = (value, (ParseError("", _reason(error)),))
    alternatives = list(_alternatives(annotation))
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        models = [each for each in alternatives if _is_model(each)]
        # If there are several, the variant with the tag of the value.
        for model in models if len(models) == 1 else [each for each in models if bears_tag(each, members)]:
            return _object(model, members)
    for kind in alternatives:
        if get_origin(kind) is list and isinstance(value, list):
            items = [leniently(get_args(kind)[0], item) for item in cast("list[object]", value)]
            return [read for read, _ in items], _beneath(enumerate(faults for _, faults in items))
        if get_origin(kind) is dict and isinstance(value, dict):
            members = cast("dict[str, object]", value)
            entries = {name: leniently(get_args(kind)[1], item) for name, item in members.items()}
            faults = _beneath((name, faults) for name, (_, faults) in entries.items())
            return {name: read for name, (read, _) in entries.items()}, faults
    return as_it_came


def _object(model: type[Model], members: Mapping[str, object]) -> tuple[Model, tuple[ParseError, ...]]:
    model.model_rebuild()
    instance = model.model_construct()
    faults: list[ParseError] = []
    unknown = dict(members)
    for name, field in model.model_fields.items():
        wire_name = field.alias or name
        given = wire_name if wire_name in unknown else name
        if given in unknown:
            value = unknown.pop(given)
            try:
                # Validates only this member, with the validator of the class.
                model.__pydantic_validator__.validate_assignment(instance, name, value)
            except ValidationError:
                read, beneath = leniently(_annotation(field), value)
                faults += _beneath([(wire_name, beneath)])
                vars(instance)[name] = read
                instance.__pydantic_fields_set__.add(name)
        elif field.is_required():
            faults += _beneath([(wire_name, (ParseError("", "Field required"),))])
            vars(instance)[name] = None
    object.__setattr__(instance, "__pydantic_extra__", unknown)
    # Copies and pickles by pydantic include it.
    object.__setattr__(instance, "__pydantic_private__", {PARSE_ERRORS: tuple(faults)})
    return instance, tuple(faults)


def _annotation(field: FieldInfo) -> Any:
    """Return the type of a member with its pydantic metadata, such as the discriminator of a union."""
    whole = (field.annotation, *field.metadata)
    return Annotated[whole] if field.metadata else field.annotation


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and get_origin(kind) is None and issubclass(kind, Model)


def _beneath(places: Iterable[tuple[object, Iterable[ParseError]]]) -> tuple[ParseError, ...]:
    """Return the faults of parts with pointers relative to the whole."""
    return tuple(
        ParseError(f"/{str(name).replace('~', '~0').replace('/', '~1')}{fault.pointer}", fault.reason)
        for name, faults in places
        for fault in faults
    )


def _alternatives(annotation: Any) -> Iterator[Any]:
    """Return the members of a union; any other type is its own only member."""
    if get_origin(annotation) is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif get_origin(annotation) in {Union, UnionType}:
        for argument in get_args(annotation):
            yield from _alternatives(argument)
    else:
        yield annotation


def _reason(error: ValidationError) -> str:
    """Return why a value is invalid, without the parts of the value that the parser quotes."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    message = first["msg"]
    return message.partition(", ")[0] if first["type"].endswith("_parsing") else message
