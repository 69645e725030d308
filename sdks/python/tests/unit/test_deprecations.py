"""Warnings about operations that will go away."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Reply, Stub

pytestmark = pytest.mark.anyio

#: 2026-11-03 and half a year later.
ENDING = {
    "Deprecation": "@1793664000",
    "Sunset": "Mon, 03 May 2027 00:00:00 GMT",
    "Link": '</guides/versioning>; rel="deprecation"; type="text/html"',
}


async def warned(client: Any) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        await settle(client.applications.get(APPLICATION_ID))
    return caught


async def test_a_deprecated_operation_is_told_once_and_to_the_program(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application(), headers=ENDING))
    (one,) = await warned(client)
    assert one.category is DeprecationWarning
    assert str(one.message) == (
        "getApplication is deprecated since 2026-11-03 and will stop working on 2027-05-03; see /guides/versioning"
    )
    assert one.filename.endswith(("test_deprecations.py", "both.py"))
    assert await warned(client) == []


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
async def test_what_an_answer_leaves_out_or_garbles_is_left_out(
    client: Any, stub: Stub, headers: dict[str, str], text: str
) -> None:
    stub.answer(Reply(body=application(), headers=headers))
    assert [str(one.message) for one in await warned(client)] == [text]


async def test_an_operation_that_stays_is_not_warned_about(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()))
    assert await warned(client) == []
