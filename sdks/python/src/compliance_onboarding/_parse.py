"""From a successful answer to an API object."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError

from compliance_onboarding._base import Model
from compliance_onboarding._call import Answer
from compliance_onboarding._errors import InvalidResponseError
from compliance_onboarding._operation import Operation

M = TypeVar("M", bound=Model)


def parsed(model: type[M], answer: Answer, operation: Operation) -> M:
    """Parse the body; values are left out of the error, for they may be personal data."""
    try:
        return model.model_validate_json(answer.content)
    except ValidationError as error:
        places = "; ".join(
            f"/{'/'.join(map(str, entry['loc']))} {entry['msg']}"
            for entry in error.errors(include_url=False, include_context=False, include_input=False)[:5]
        )
        raise InvalidResponseError(f"{operation.name}: the answer is not a valid {model.__name__}: {places}") from None
