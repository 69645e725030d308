"""How many repetitions a client may add to the load of a service that fails."""

from __future__ import annotations

import threading


class RetryBudget:
    """A store of repetitions that all calls of a client share.

    It starts full. Each repetition takes one out; each call that succeeds at its first attempt puts `refill` back.
    While everything fails nothing is put back, so a full outage meets at most `capacity` attempts beyond the calls
    themselves, and in the long run repetitions stay below a tenth of the calls. When it is empty, the failure is
    raised at once.
    """

    def __init__(self, capacity: float = 10, refill: float = 0.1) -> None:
        if capacity < 0 or refill < 0:
            raise ValueError("capacity and refill must not be negative")
        self._capacity = float(capacity)
        self._refill = float(refill)
        self._left = self._capacity
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """How many repetitions may be made now."""
        return self._left

    def take(self) -> bool:
        """Take one repetition out; false when none is left."""
        with self._lock:
            # Ten tenths are one, although not in binary fractions.
            if self._left < 1 - 1e-9:
                return False
            self._left = max(0.0, self._left - 1)
            return True

    def give(self) -> None:
        """Note that a call succeeded at its first attempt."""
        with self._lock:
            self._left = min(self._capacity, self._left + self._refill)

    def __repr__(self) -> str:
        return f"RetryBudget(left={self._left:g} of {self._capacity:g})"
