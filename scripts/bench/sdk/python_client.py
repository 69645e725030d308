"""What calls cost with the Python SDK beside the bare HTTP library, and how late a deadline ends them.

Prints JSON; run by index.ts with the address of its server, and how many rounds, calls and deadlines.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import httpx2

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding, errors

URL = sys.argv[1]
ROUNDS, CALLS, DEADLINES = map(int, sys.argv[2:5])
KEY = "kyc_test_Abcdefgh_secret"
ID = "0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21"
SLOW = ("silence", "stop", "trickle", "refusal")


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    for _ in range(CALLS):
        work()
    return (time.perf_counter() - begun) / CALLS * 1e6


async def timed_async(work: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    for _ in range(CALLS):
        await work()
    return (time.perf_counter() - begun) / CALLS * 1e6


def deadline_of(turn: int) -> float:
    return 0.1 + turn % 5 * 0.02


class BareTimer(threading.Thread):
    """Tells when a plain wait of so many seconds was over."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds
        self._rang = 0.0
        self.start()

    def run(self) -> None:
        time.sleep(self._seconds)
        self._rang = time.perf_counter()

    def rings_at(self) -> float:
        self.join()
        return self._rang


async def rings_at(seconds: float) -> float:
    await asyncio.sleep(seconds)
    return time.perf_counter()


def synchronous() -> dict[str, object]:
    raw, sdk, cost = httpx2.Client(), ComplianceOnboarding(base_url=URL, api_key=KEY), {"raw": [], "sdk": []}
    address = f"{URL}/v1/applications/{ID}"
    for turn in range(ROUNDS + 1):
        taken = {
            "raw": timed(lambda: raw.get(address, headers={"X-API-Key": KEY}).json()),
            "sdk": timed(lambda: sdk.applications.get(ID)),
        }
        for name, value in taken.items():
            # The first round warms up.
            cost[name].extend([value] if turn else [])
    late: dict[str, list[float]] = {}
    for slow in SLOW:
        client = ComplianceOnboarding(
            base_url=f"{URL}/{slow}", api_key=KEY, timeout=10, max_retries=1000, retry_budget=math.inf
        )
        late[slow] = []
        for turn in range(DEADLINES):
            # A busy machine is late with any timer; what counts is how much later than a bare one the call ends.
            timer = BareTimer(deadline_of(turn))
            with suppress(errors.ComplianceOnboardingError):
                client.applications.get(ID, deadline=deadline_of(turn))
            ended = time.perf_counter()
            late[slow].append((ended - timer.rings_at()) * 1000)
    return {"cost": cost, "late": late}


async def asynchronous() -> dict[str, object]:
    raw, sdk, cost = httpx2.AsyncClient(), AsyncComplianceOnboarding(base_url=URL, api_key=KEY), {"raw": [], "sdk": []}
    address = f"{URL}/v1/applications/{ID}"

    async def bare() -> object:
        return (await raw.get(address, headers={"X-API-Key": KEY})).json()

    for turn in range(ROUNDS + 1):
        taken = {"raw": await timed_async(bare), "sdk": await timed_async(lambda: sdk.applications.get(ID))}
        for name, value in taken.items():
            cost[name].extend([value] if turn else [])
    late: dict[str, list[float]] = {}
    for slow in SLOW:
        client = AsyncComplianceOnboarding(
            base_url=f"{URL}/{slow}", api_key=KEY, timeout=10, max_retries=1000, retry_budget=math.inf
        )
        late[slow] = []
        for turn in range(DEADLINES):
            timer = asyncio.create_task(rings_at(deadline_of(turn)))
            with suppress(errors.ComplianceOnboardingError):
                await client.applications.get(ID, deadline=deadline_of(turn))
            ended = time.perf_counter()
            late[slow].append((ended - await timer) * 1000)
    return {"cost": cost, "late": late}


print(json.dumps({"sync": synchronous(), "async": asyncio.run(asynchronous())}))
