"""Following a random feed to its end through random faults, crashes and stops."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from typing import Any, Final

import httpx2
import pytest

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding
from support.both import settle
from support.feed_model import FeedModel, seeded
from support.following import Pauses, callback, each

pytestmark = pytest.mark.anyio

RUNS: Final = 10_000 if os.environ.get("SOAK") == "true" else 60
SEED: Final = int(os.environ.get("SEED") or 20261121)


class CrashError(Exception):
    """The process dies."""


def client_of(kind: str, model: FeedModel) -> Any:
    transport = httpx2.MockTransport(model.handle)
    common: dict[str, Any] = {"base_url": "http://feed.invalid", "access_token": "token"}
    if kind == "sync":
        return ComplianceOnboarding(**common, http_client=httpx2.Client(transport=transport))
    return AsyncComplianceOnboarding(**common, http_client=httpx2.AsyncClient(transport=transport))


class Run:
    """One feed and the processes that follow it, one after the other."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind = kind
        self.choices = seeded(seed)
        self.model = FeedModel(self.choices, length=self.choices.randrange(41))
        self.client = client_of(kind, self.model)
        #: How a process continues after the previous one has crashed.
        self.memory = self.choices.choice(["saved with each page", "saved at the end", "none"])
        self.saved: str | None = None
        self.seen: Counter[str] = Counter()

    async def process(self, lifetime: float) -> None:
        """Follow until the process dies, is stopped or has seen everything."""
        model, choices = self.model, self.choices
        feed = self.client.funds_recovery.events.follow(
            cursor=self.saved, limit=1 + choices.randrange(7), on_page=callback(self.kind, self.save)
        )

        def paused(seconds: float) -> bool:
            model.now += seconds
            return model.complete or choices.random() < 0.02

        feed._stopping = Pauses(self.kind, paused)
        expiries, count, previous = model.expiries, 0, 0
        model.forget()

        def processed(event: Any) -> bool:
            nonlocal count, previous
            number, count = int(event.event_id.removeprefix("fr-")), count + 1
            in_order = number == previous + 1
            if not in_order and (number > model.processed + 1 or (previous and model.expiries == expiries)):
                raise AssertionError(f"{number} came after {previous}, with {model.processed} processed")
            self.seen["doubles"] += number <= model.processed
            # Half of all crashes come before the event is processed, half after.
            if count > lifetime and choices.random() < 0.5:
                raise CrashError
            previous, model.processed = number, max(model.processed, number)
            if choices.random() < 0.01:
                feed.stop()
            return count > lifetime

        with suppress(CrashError):
            await each(feed, processed)
        if self.memory == "saved at the end":
            self.saved = feed.cursor

    def save(self, page: Any) -> None:
        if self.memory == "saved with each page":
            self.saved = page.cursor

    async def complete(self) -> Counter[str]:
        """Start processes until everything was seen."""
        while not self.model.complete or not self.seen["processes"]:
            self.seen["processes"] += 1
            assert self.seen["processes"] < 1000, "never comes to an end"
            await self.process(self.choices.randrange(31) if self.seen["processes"] < 50 else float("inf"))
            assert self.model.violation is None, self.model.violation
        await settle(self.client.close())
        self.seen.update(events=self.model.processed, requests=self.model.requests)
        return self.seen


async def complete(kind: str, seed: int) -> Counter[str]:
    try:
        return await Run(kind, seed).complete()
    except Exception as error:
        raise AssertionError(f"SEED={seed}") from error


async def test_nothing_is_lost_disordered_or_acknowledged_unprocessed_and_doubles_follow_crashes(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    total: Counter[str] = Counter()
    for seed in range(SEED, SEED + RUNS):
        total += await complete(kind, seed)
    with capsys.disabled():
        print(f"\n{kind}: {RUNS} runs from SEED={SEED}: {dict(total)}")  # noqa: T201
    assert total["events"] > RUNS


async def test_without_faults_each_event_comes_once_and_all_are_acknowledged_before_it_waits(kind: str) -> None:
    for seed in range(SEED, SEED + RUNS // 10):
        choices = seeded(seed)
        length = 1 + choices.randrange(40)
        model = FeedModel(choices, length=length, healthy=True)
        client = client_of(kind, model)
        feed = client.funds_recovery.events.follow(limit=5)
        numbers: list[int] = []

        def paused(seconds: float, model: FeedModel = model, numbers: list[int] = numbers) -> bool:
            assert model.acknowledged == len(numbers)
            model.now += seconds
            return model.complete

        def processed(event: Any, model: FeedModel = model, numbers: list[int] = numbers) -> bool:
            numbers.append(int(event.event_id.removeprefix("fr-")))
            model.processed = len(numbers)
            return False

        feed._stopping = Pauses(kind, paused)
        await each(feed, processed)
        assert numbers == list(range(1, length + 1)), f"SEED={seed}"
        assert model.violation is None
        await settle(client.close())
