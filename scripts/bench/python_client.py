"""What calls cost with the Python SDK beside the bare HTTP library, and how late a deadline ends them.

Prints JSON; run by sdk.ts with its order as JSON.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx2
from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding, errors

ORDER = json.loads(sys.argv[1])
URL, KEY, ID = ORDER["url"], ORDER["key"], ORDER["id"]
TIMERS = ThreadPoolExecutor(1)


async def settled(answer: Any) -> Any:
    return await answer if inspect.isawaitable(answer) else answer


async def timed(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    for _ in range(ORDER["calls"]):
        await settled(work())
    return (time.perf_counter() - begun) / ORDER["calls"] * 1e6


def bare_timer(seconds: float) -> float:
    """When a plain wait of so many seconds is over."""
    time.sleep(seconds)
    return time.perf_counter()


async def measured(client: type[Any], raw: Callable[[], Any]) -> dict[str, object]:
    """The figures of one client, which answers at once or with something to await."""
    sdk, cost = client(base_url=URL, api_key=KEY), {"raw": [], "sdk": []}
    for turn in range(ORDER["rounds"] + 1):
        for name, work in (("raw", raw), ("sdk", lambda: sdk.applications.get(ID))):
            taken = await timed(work)
            # The first round warms up.
            cost[name].extend([taken] if turn else [])
    late: dict[str, list[float]] = {}
    for number, slow in enumerate(ORDER["slow"]):
        slowly = client(base_url=f"{URL}/{number}", api_key=KEY, timeout=10, max_retries=1000, retry_budget=math.inf)
        late[slow] = []
        for turn in range(ORDER["deadlines"]):
            deadline = 0.1 + turn % 5 * 0.02
            # A busy machine is late with any timer; what counts is how much later than a bare one the call ends.
            timer = TIMERS.submit(bare_timer, deadline)
            with suppress(errors.ComplianceOnboardingError):
                await settled(slowly.applications.get(ID, deadline=deadline))
            ended = time.perf_counter()
            late[slow].append((ended - timer.result()) * 1000)
    return {"cost": cost, "late": late}


async def main() -> dict[str, object]:
    address, headers = f"{URL}/v1/applications/{ID}", {"X-API-Key": KEY}
    http, async_http = httpx2.Client(), httpx2.AsyncClient()

    async def bare() -> object:
        return (await async_http.get(address, headers=headers)).json()

    return {
        "sync": await measured(ComplianceOnboarding, lambda: http.get(address, headers=headers).json()),
        "async": await measured(AsyncComplianceOnboarding, bare),
    }


print(json.dumps(asyncio.run(main())))
