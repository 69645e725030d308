"""Conversion of successful responses to API objects; a body that does not match the contract is an error."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from compliance_onboarding._base import Model, ParseError
from compliance_onboarding._call import Answer
from compliance_onboarding._failure import invalid_response
from compliance_onboarding._lenient import leniently
from compliance_onboarding._logging import log
from compliance_onboarding._operation import Operation

M = TypeVar("M", bound=Model)

#: Largest number of faults of a response that are logged.
_MOST_FAULTS = 5


@dataclass(frozen=True, slots=True)
class Poison:
    """An item that does not match the contract."""

    #: The item, unchanged.
    raw: object
    reason: str


def object_reader(model: type[M], operation: Operation, logger: logging.Logger) -> Callable[[Answer], M]:
    """Return a function that reads an object from a response, leniently if its members do not match the contract."""

    def read(answer: Answer) -> M:
        try:
            return model.model_validate_json(answer.content)
        except ValidationError:
            members = _members(answer, operation)
        value, faults = leniently(model, members)
        _warn(faults, operation, logger)
        return cast("M", value)

    return read


def union_reader(union: object, operation: Operation, logger: logging.Logger) -> Callable[[Answer], object]:
    """Return a function that reads an object of a union from a response."""

    def read(answer: Answer) -> object:
        value, faults = leniently(union, _members(answer, operation))
        _warn(faults, operation, logger)
        return value

    return read


def list_reader(
    model: type[M], member: str, operation: Operation, logger: logging.Logger
) -> Callable[[Answer], tuple[M, dict[int, Poison]]]:
    """Return a function that reads the envelope of a list and its unreadable items, by their index.

    The members that pagination needs must be present: without them a list would end early, or seem to be empty.
    """
    read_envelope = object_reader(model, operation, logger)

    def read(answer: Answer) -> tuple[M, dict[int, Poison]]:
        envelope = read_envelope(answer)
        promised: dict[str, type | tuple[type, ...]] = {member: list, "cursor": (str, type(None)), "has_more": bool}
        for name, field in model.model_fields.items():
            if name in promised and not isinstance(getattr(envelope, name), promised[name]):
                raise invalid_response(operation, answer, f"the list has no {field.alias or name}")
        return envelope, _poison(envelope, model.model_fields[member].alias or member, answer)

    return read


def nothing_reader(operation: Operation) -> Callable[[Answer], None]:
    """Return a function that accepts any response except HTML, which comes from a proxy before the service."""

    def read(answer: Answer) -> None:
        refuse_page(answer, operation)

    return read


def refuse_page(answer: Answer, operation: Operation) -> None:
    """Raise an error for HTML, which no operation returns but proxies and captive portals do."""
    if answer.http.headers.get("content-type", "").lower().startswith(("text/html", "application/xhtml")):
        raise invalid_response(operation, answer, "the body is HTML")


def _members(answer: Answer, operation: Operation) -> dict[str, Any]:
    if not answer.content:
        raise invalid_response(operation, answer, "without a body")
    try:
        body: object = json.loads(answer.content)
    except (ValueError, RecursionError):
        refuse_page(answer, operation)
        raise invalid_response(operation, answer, "the body is not valid JSON") from None
    if not isinstance(body, dict):
        raise invalid_response(operation, answer, "the body is no object")
    return cast("dict[str, Any]", body)


def _poison(envelope: Model, member: str, answer: Answer) -> dict[int, Poison]:
    reasons: dict[int, list[ParseError]] = {}
    for fault in envelope.parse_errors:
        _, name, index, *inner = [*fault.pointer.split("/", 3), ""]
        if name == member and index.isdecimal():
            place = f"/{inner[0]}" if inner and inner[0] else ""
            reasons.setdefault(int(index), []).append(ParseError(place, fault.reason))
    if not reasons:
        return {}
    raw = json.loads(answer.content)[member]
    return {index: Poison(raw[index], "; ".join(map(str, faults))) for index, faults in reasons.items()}


def _warn(faults: tuple[ParseError, ...], operation: Operation, logger: logging.Logger) -> None:
    if faults:
        told = "; ".join(map(str, faults[:_MOST_FAULTS])) + (" …" if len(faults) > _MOST_FAULTS else "")
        log(logger, logging.WARNING, "%s: the answer is not as the contract says: %s", operation.name, told)
