"""A feed as the service keeps it, with every fault of the way there, on a clock of its own."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Final, Literal

import httpx2

from support.objects import event

Fault = Literal["none", "refused", "lost", "late", "stale", "empty", 429, 503, 500]
FAULTS: Final[tuple[Fault, ...]] = ("refused", "lost", "late", "stale", "empty", 429, 503, 500)
RECOVERIES: Final = 3


def seeded(seed: int) -> random.Random:
    """Return a generator that gives the same for the same seed."""
    return random.Random(seed)  # noqa: S311


class FeedModel:
    """Numbered events that are published in the course of time, and one consumer's position."""

    def __init__(self, choices: random.Random, *, length: int, healthy: bool = False) -> None:
        self._choices = choices
        self._healthy = healthy
        self._arrivals = sorted(choices.randrange(21) * 60.0 for _ in range(length))
        self._generation = 1
        self._not_before = 0.0
        self._last: tuple[int, int] | None = None
        #: Seconds.
        self.now = 0.0
        self.acknowledged = 0
        #: The last event that the consumer has processed; all before it are, too.
        self.processed = 0
        self.expiries = 0
        self.requests = 0
        #: What the client did that it must not do; raised here it would look like a failed connection.
        self.violation: str | None = None

    @property
    def complete(self) -> bool:
        return self.processed == len(self._arrivals)

    def forget(self) -> None:
        """Begin a new process, which knows nothing of what the one before it was told."""
        self._not_before = 0.0

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        self.requests += 1
        acknowledges = request.method == "POST"
        cursor = json.loads(request.content)["cursor"] if acknowledges else request.url.params.get("cursor")
        if not acknowledges and self.now < self._not_before:
            self.violation = self.violation or f"asked {self._not_before - self.now} s too early"
        fault = "none" if self._healthy or self._choices.random() < 0.6 else self._choices.choice(FAULTS)
        if fault == "refused":
            raise httpx2.ConnectError("refused")
        if isinstance(fault, int):
            return self._failure(fault)
        if not self._healthy and self._choices.random() < 0.02:
            self._generation += 1
            self.expiries += 1
        limit = int(request.url.params.get("limit", "100"))
        answer = self._acknowledge(cursor) if acknowledges else self._page(cursor, limit, fault)
        if fault == "lost":
            raise httpx2.ReadError("reset")
        if fault == "late":
            raise httpx2.ReadTimeout("too late")
        return answer()

    def _failure(self, status: int) -> httpx2.Response:
        seconds = self._choices.choice([None, 1, 7, 3600])
        if seconds is not None:
            self._not_before = self.now + seconds
        # What stands before the service answers without a problem document.
        headers = {"content-type": "text/html"} | ({} if seconds is None else {"retry-after": str(seconds)})
        return httpx2.Response(status, headers=headers, text="<h1>Bad gateway</h1>")

    def _position(self, cursor: str) -> int | None:
        generation, position = map(int, cursor.split("."))
        if generation != self._generation:
            return None
        if position > self.processed:
            self.violation = self.violation or f"acknowledged {position}, but only {self.processed} were processed"
        self.acknowledged = max(self.acknowledged, position)
        return position

    def _acknowledge(self, cursor: str) -> Callable[[], httpx2.Response]:
        return _expired if self._position(cursor) is None else lambda: httpx2.Response(204)

    def _page(self, cursor: str | None, limit: int, fault: Fault) -> Callable[[], httpx2.Response]:
        start = self.acknowledged if cursor is None else self._position(cursor)
        if start is None:
            return _expired
        if fault == "stale" and cursor is not None and self._last is not None and self._last[1] == start:
            last = self._last
            return lambda: self._answer(*last, more=True, seconds=0)
        published = sum(at <= self.now for at in self._arrivals)
        end = start if fault == "empty" and start > 0 else min(published, start + limit)
        # At the tail the server tells when to come back; a client that never hears it is bound by nothing.
        seconds = 0 if end < published else 60 * (1 + self._choices.randrange(30))

        def answer() -> httpx2.Response:
            self._last = (start, end)
            self._not_before = self.now + seconds
            return self._answer(start, end, more=end < published, seconds=seconds)

        return answer

    def _answer(self, start: int, end: int, *, more: bool, seconds: int) -> httpx2.Response:
        events = [event(number, fundsRecoveryId=_recovery(number)) for number in range(start + 1, end + 1)]
        body = {"events": events, "cursor": f"{self._generation}.{end}" if end else None, "hasMore": more}
        return httpx2.Response(200, headers={"x-poll-interval": str(seconds)}, json=body)


def _recovery(number: int) -> str:
    return f"0197f2ca-1111-7000-8000-00000000000{number % RECOVERIES}"


def _expired() -> httpx2.Response:
    problem = {"type": "/problems/cursor_expired", "title": "Expired", "status": 400, "code": "cursor_expired"}
    return httpx2.Response(400, headers={"content-type": "application/problem+json"}, json=problem)
