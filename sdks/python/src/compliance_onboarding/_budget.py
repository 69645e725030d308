"""How many repetitions a client may add to the load of a service that fails."""

from __future__ import annotations

import threading
from typing import Final

#: Returned to the budget by a call that needed no repetition.
REWARD: Final = 0.1


class RetryBudget:
    """The repetitions that a client may still spend, shared by all its calls.

    A repetition takes one; a call that succeeds after repetitions gives them back, one that succeeds at once gives
    a tenth. While nothing succeeds nothing comes back, so in an outage, however long, a client repeats `size` times
    altogether and then sends each call once: with the usual 10, a thousand calls are at most 1,010 requests
    (101 %), and from a hundred calls on it is never above 110 %.
    """

    def __init__(self, size: float) -> None:
        self._size = self._left = float(size)
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take one repetition; false when none is left."""
        with self._lock:
            # Ten tenths add up to one, although not exactly in binary fractions.
            if self._left < 1 - 1e-9:
                return False
            self._left -= 1
            return True

    def give_back(self, repetitions: int) -> None:
        """Note that a call succeeded after so many repetitions."""
        with self._lock:
            self._left = min(self._size, self._left + (repetitions or REWARD))
