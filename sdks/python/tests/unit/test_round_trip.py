"""Whatever a server answers, today's or a later one, is read and written back unchanged."""

from __future__ import annotations

import json
import os
import pickle

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from compliance_onboarding import Model, types
from support.contract import answered, values

RUNS = 300 if os.environ.get("SOAK") == "true" else 8


@pytest.mark.parametrize("name", sorted(answered()))
@settings(
    max_examples=RUNS,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_an_answer_is_written_as_it_was_read(name: str, data: st.DataObject) -> None:
    model: type[Model] = getattr(types, name)
    value = data.draw(values({"$ref": f"#/components/schemas/{name}"}))
    read = model.model_validate_json(json.dumps(value))
    assert read.to_dict() == value
    assert json.loads(read.to_json()) == value
    assert model.model_validate(value).to_dict() == value
    assert pickle.loads(pickle.dumps(read)) == read  # noqa: S301
    assert repr(read)
