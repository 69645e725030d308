"""Whatever a server answers, today's or a later one, is read and written back unchanged."""

from __future__ import annotations

import json
import os
import pickle
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from compliance_onboarding import Model, types
from compliance_onboarding._lenient import leniently
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


def spoilt(value: Any) -> st.SearchStrategy[Any]:
    """Return the same with something else in any of its places, or without one."""
    # No number: an instant can be read from one.
    junk: st.SearchStrategy[Any] = st.sampled_from([None, "junk", ["junk"], {"junk": 1}])
    if not value or not isinstance(value, (dict, list)):
        return junk
    if isinstance(value, dict):
        entries: dict[Any, object] = dict(cast("dict[str, object]", value))
    else:
        entries = dict(enumerate(cast("list[object]", value)))

    def rebuilt(changes: dict[Any, Any]) -> Any:
        return changes if isinstance(value, dict) else list(changes.values())

    def without(place: Any) -> Any:
        return rebuilt({name: entry for name, entry in entries.items() if name != place})

    def changed(place: Any) -> st.SearchStrategy[Any]:
        return spoilt(entries[place]).map(lambda new: rebuilt({**entries, place: new}))

    place = st.sampled_from(list(entries))
    return junk | place.map(without) | place.flatmap(changed) | place.flatmap(changed)


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
def test_whatever_is_wrong_in_an_object_it_is_read_and_written_as_it_came(name: str, data: st.DataObject) -> None:
    value = data.draw(values({"$ref": f"#/components/schemas/{name}"}).flatmap(spoilt))
    assume(isinstance(value, dict))
    read, faults = leniently(getattr(types, name), value)
    assert read.to_dict() == value
    assert json.loads(read.to_json()) == value
    assert read.parse_errors == faults
    assert pickle.loads(pickle.dumps(read)) == read  # noqa: S301
    assert repr(read)
