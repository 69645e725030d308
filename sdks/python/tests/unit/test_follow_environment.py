"""Following a feed whose environment changes."""

from __future__ import annotations

from typing import Any

import pytest

from compliance_onboarding import errors
from support.following import short
from support.objects import events
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio

DONE = Reply(204)


@pytest.mark.parametrize(
    "switched",
    [
        Reply(body=events([7], "s1", more=False), headers={"X-Environment": "sandbox"}),
        problem(400, "invalid_cursor", headers={"X-Environment": "sandbox"}),
        problem(400, "cursor_expired", headers={"X-Environment": "sandbox"}),
    ],
    ids=["events", "a refused cursor", "an expired cursor"],
)
async def test_it_stops_when_the_server_answers_for_another_environment(
    follow: Any, stub: Stub, switched: Reply
) -> None:
    stub.answer(Reply(body=events([1], "c1", more=False), headers={"X-Environment": "live"}), DONE, switched)
    following = follow(9)
    with pytest.raises(errors.EnvironmentChangedError, match="from live to sandbox") as raised:
        await following.collect()
    assert (raised.value.before, raised.value.after) == ("live", "sandbox")
    # Nothing of the other feed was processed or acknowledged.
    assert [short(asked) for asked in stub.asked] == ["list", "ack c1", "list c1"]
    assert following.feed.cursor == "c1"


async def test_it_stops_when_the_acknowledgement_is_refused_for_another_environment(follow: Any, stub: Stub) -> None:
    stub.answer(
        Reply(body=events([1], "c1", more=False), headers={"X-Environment": "live"}),
        problem(400, "invalid_cursor", headers={"X-Environment": "sandbox"}),
    )
    with pytest.raises(errors.EnvironmentChangedError):
        await follow(9).collect()
