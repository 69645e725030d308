"""Tests of the warnings about deprecated operations."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Reply, Stub

pytestmark = pytest.mark.anyio

#: Deprecated since 2026-11-03, removed half a year later.
DEPRECATION_HEADERS = {
    "Deprecation": "@1793664000",
    "Sunset": "Mon, 03 May 2027 00:00:00 GMT",
    "Link": '</guides/versioning>; rel="deprecation"; type="text/html"',
}


async def warnings_of_a_call(client: Any) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        await settle(client.applications.get(APPLICATION_ID))
    return caught


async def test_a_deprecated_operation_warns_once_and_points_at_the_caller(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application(), headers=DEPRECATION_HEADERS))
    (warning,) = await warnings_of_a_call(client)
    assert warning.category is DeprecationWarning
    assert str(warning.message) == (
        "getApplication is deprecated since 2026-11-03 and will stop working on 2027-05-03; see /guides/versioning"
    )
    assert warning.filename.endswith(("test_deprecations.py", "both.py"))
    assert await warnings_of_a_call(client) == []


@pytest.mark.parametrize(
    ("headers", "text"),
    [
        ({"Deprecation": "@1793664000"}, "getApplication is deprecated since 2026-11-03"),
        (
            {"Sunset": "Mon, 03 May 2027 00:00:00 GMT"},
            "getApplication is deprecated and will stop working on 2027-05-03",
        ),
        ({"Deprecation": "true", "Sunset": "soon"}, "getApplication is deprecated"),
        ({"Deprecation": "@999999999999", "Sunset": "Mon, 99 May 2027 00:00:00 GMT"}, "getApplication is deprecated"),
    ],
)
async def test_missing_or_malformed_headers_are_left_out_of_the_warning(
    client: Any, stub: Stub, headers: dict[str, str], text: str
) -> None:
    stub.answer(Reply(body=application(), headers=headers))
    assert [str(warning.message) for warning in await warnings_of_a_call(client)] == [text]


async def test_an_operation_without_deprecation_headers_does_not_warn(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    assert await warnings_of_a_call(client) == []
