"""Walking a list through faults, and resuming it from its saved cursor."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import httpx2
import pytest

import compliance_onboarding._retry
from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding, errors
from support.both import settle
from support.feed_model import FeedModel, seeded
from support.following import each

pytestmark = pytest.mark.anyio

RUNS: Final = 10_000 if os.environ.get("SOAK") == "true" else 50
SEED: Final = int(os.environ.get("SEED") or 20261121)


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compliance_onboarding._retry, "FIRST_WAIT", 0)


class DiedError(Exception):
    """The process dies."""


def unreliable(choices: random.Random, model: FeedModel) -> Callable[[httpx2.Request], httpx2.Response]:
    """Break about a third of all requests, before or after they took effect."""

    def handle(request: httpx2.Request) -> httpx2.Response:
        fault = "none" if choices.random() < 0.7 else choices.choice(["refused", "lost", "late", 429, 503])
        if isinstance(fault, int):
            return httpx2.Response(fault, headers={"retry-after": "0"})
        if fault == "refused":
            raise httpx2.ConnectError("refused")
        answer = model.handle(request)
        if fault == "lost":
            raise httpx2.ReadError("reset")
        if fault == "late":
            raise httpx2.ReadTimeout("too late")
        return answer

    return handle


async def walk(kind: str, seed: int) -> Counter[str]:
    """Walk one feed to its end, by as many processes as it takes."""
    choices = seeded(seed)
    length, limit = choices.randrange(61), 1 + choices.randrange(7)
    model = FeedModel(choices, length=length, healthy=True)
    model.now = float("inf")
    transport = httpx2.MockTransport(unreliable(choices, model))
    common: dict[str, Any] = {"base_url": "http://feed.invalid", "access_token": "token"}
    client: Any = (
        ComplianceOnboarding(**common, http_client=httpx2.Client(transport=transport))
        if kind == "sync"
        else AsyncComplianceOnboarding(**common, http_client=httpx2.AsyncClient(transport=transport))
    )
    saved: str | None = None
    seen: Counter[str] = Counter(events=length)

    def processed(page: Any) -> bool:
        nonlocal saved
        for event in page.items:
            number = int(event.event_id.removeprefix("fr-"))
            seen["doubles"] += number <= model.processed
            assert model.processed - limit < number <= model.processed + 1, f"SEED={seed}"
            model.processed = max(model.processed, number)
            if choices.random() < 0.02:
                raise DiedError
        saved = page.cursor
        return not page.has_more

    while True:
        try:
            pages = await settle(client.funds_recovery.events.list(cursor=saved, limit=limit))
            await each(pages.pages(), processed)
            break
        except (DiedError, errors.APIConnectionError, errors.APIStatusError):
            seen["deaths"] += 1
    assert (model.processed, model.violation) == (length, None), f"SEED={seed}"
    await settle(client.close())
    return seen


async def test_a_walk_that_resumes_loses_nothing_and_repeats_at_most_the_page_it_died_in(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    total: Counter[str] = Counter()
    for seed in range(SEED, SEED + RUNS):
        total += await walk(kind, seed)
    with capsys.disabled():
        print(f"\n{kind}: {RUNS} walks from SEED={SEED}: {dict(total)}")  # noqa: T201
    assert total["events"] > RUNS
