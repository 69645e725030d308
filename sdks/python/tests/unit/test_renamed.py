"""Methods by the names that they had before."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

from compliance_onboarding._arguments import REQUIRED
from compliance_onboarding.errors import NotFoundError
from support.both import settle
from support.clients import Clients
from support.contract import operations
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio

RENAMED = [
    pytest.param(alias, "{resource}.{method}".format(**operation["x-sdk"]), id=alias)
    for _, _, operation in operations()
    for alias in operation["x-sdk"].get("aliases", [])
    if "." in alias
]


def method(root: Any, name: str) -> Any:
    """Find a method by its name in the contract."""
    for step in name.split("."):
        root = getattr(root, re.sub(r"([A-Z])", r"_\1", step).lower())
    return root


def required(called: Callable[..., Any]) -> dict[str, str]:
    """Return something for each argument that may not be left out."""
    parameters = inspect.signature(called).parameters.values()
    needed = {inspect.Parameter.empty, REQUIRED}
    return {one.name: "x" for one in parameters if one.default in needed and one.kind is not one.VAR_KEYWORD}


@pytest.mark.parametrize(("before", "now"), RENAMED)
async def test_the_name_from_before_warns_and_does_the_same(make: Clients, stub: Stub, before: str, now: str) -> None:
    client = make(access_token="token")
    stub.answer(problem(404, "not_found"))
    current = method(client, now)
    with pytest.raises(NotFoundError):
        await settle(current(**required(current)))
    with pytest.raises(NotFoundError), pytest.warns(DeprecationWarning, match="Renamed to client"):
        await settle(method(client, before)(**required(current)))
    first, second = stub.asked
    assert (first.method, first.target, first.body) == (second.method, second.target, second.body)


async def test_the_answer_comes_with_its_status_by_the_name_from_before_too(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body={"scenarios": []}))
    with pytest.warns(DeprecationWarning, match="Renamed to client"):
        answer = await settle(client.sandbox.funds_recovery.with_response.scenarios())
    assert (answer.status, answer.data.scenarios) == (200, [])
