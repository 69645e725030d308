"""The retry budget: what a client may add to the load of a service that fails."""

from __future__ import annotations

import math
from typing import Any

import pytest

from compliance_onboarding import errors
from compliance_onboarding._budget import RetryBudget
from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Asked, Reply, Stub, problem

pytestmark = pytest.mark.anyio


async def calls(client: Any, count: int) -> None:
    for _ in range(count):
        with pytest.raises(errors.ServerError):
            await settle(client.applications.get(APPLICATION_ID, max_retries=5))


async def test_an_outage_meets_ten_requests_more_than_there_are_calls(client: Any, stub: Stub) -> None:
    stub.answer(problem(503, "overloaded", headers={"Retry-After": "0"}))
    await calls(client, 100)
    assert len(stub.asked) == 110


async def test_clients_that_share_connections_share_the_budget(client: Any, stub: Stub) -> None:
    stub.answer(problem(503, "overloaded", headers={"Retry-After": "0"}))
    await calls(client, 2)
    await calls(client.with_options(timeout=5), 5)
    assert len(stub.asked) == 17


@pytest.mark.parametrize(("budget", "asked"), [(0, 3), (1, 4), (math.inf, 18)])
async def test_the_budget_can_be_chosen(make: Any, stub: Stub, budget: float, asked: int) -> None:
    stub.answer(problem(503, "overloaded", headers={"Retry-After": "0"}))
    await calls(make(retry_budget=budget), 3)
    assert len(stub.asked) == asked


async def test_a_negative_budget_is_refused(make: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match="retry_budget"):
        make(retry_budget=-1)


async def test_calls_that_succeed_after_repetitions_cost_nothing(make: Any, stub: Stub) -> None:
    def every_second(_: Asked) -> Reply:
        failing = len(stub.asked) % 2 == 1
        return problem(503, "overloaded", headers={"Retry-After": "0"}) if failing else Reply(body=application())

    stub.answer(every_second)
    client = make(retry_budget=1)
    for _ in range(20):
        await settle(client.applications.get(APPLICATION_ID))
    assert len(stub.asked) == 40


def test_ten_calls_that_succeed_at_once_pay_one_repetition() -> None:
    budget = RetryBudget(2)
    assert [budget.take() for _ in range(3)] == [True, True, False]
    for _ in range(9):
        budget.give_back(0)
    assert not budget.take()
    budget.give_back(0)
    assert budget.take()
    for _ in range(100):
        budget.give_back(2)
    assert [budget.take() for _ in range(3)] == [True, True, False]
