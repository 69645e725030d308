"""Limit of the retries with which a client may add to the load of a failing service."""

from __future__ import annotations

import threading
from typing import Final

#: Returned to the budget by a call that needed no repetition.
REWARD: Final = 0.1


class RetryBudget:
    """The remaining retries of a client, shared by all its calls.

    A retry takes one; a call that succeeds after retries returns them, and a call that succeeds at once returns a
    tenth. While no call succeeds, none is returned, so in an outage of any length a client retries `size` times
    altogether and then sends each call once. With the default of 10, a thousand calls send at most 1,010 requests
    (101 %), and a hundred calls or more never exceed 110 %.
    """

    def __init__(self, size: float) -> None:
        self._size = self._left = float(size)
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take one retry. Return false if none is left."""
        with self._lock:
            # Ten tenths add up to one, although not exactly in binary fractions.
            if self._left < 1 - 1e-9:
                return False
            self._left -= 1
            return True

    def give_back(self, repetitions: int) -> None:
        """Record that a call succeeded after this number of retries."""
        with self._lock:
            self._left = min(self._size, self._left + (repetitions or REWARD))
