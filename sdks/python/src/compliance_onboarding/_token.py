"""Access tokens, shared by all clients with the same credentials."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakValueDictionary

from compliance_onboarding._errors import APIStatusError
from compliance_onboarding._retry import rising_wait

#: Tokens are renewed this long before they expire, or at nine tenths of a shorter life.
EARLY: Final = 30.0
#: After a renewal failed while the old token still serves, the next one waits: at least the
#: shortest pause; as long as the endpoint asks, or else longer each time, up to the longest.
SHORTEST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0


@dataclass(frozen=True)
class Token:
    """An access token with its times of renewal and expiry on the monotonic clock."""

    value: str
    renew_at: float
    expires_at: float

    def __repr__(self) -> str:
        return "Token(***)"


def token_living(value: str, seconds: float, *, since: float) -> Token:
    """Return a token with its times."""
    return Token(value, since + seconds - min(EARLY, seconds / 10), since + seconds)


class AbandonedError(Exception):
    """A token request ended because of the call that made it; another call may request again."""


class PendingTokenRequest:
    """A token request that any number of calls wait for."""

    def __init__(self, generation: int) -> None:
        self.generation: Final = generation
        self.outcome: Final[Future[Token]] = Future()
        # A running future cannot be cancelled, so a caller that stops waiting does not stop the others.
        self.outcome.set_running_or_notify_cancel()


class TokenStore:
    """The current token of one OAuth client, and the request for the next one."""

    def __init__(self) -> None:
        self.reset(None)

    def reset(self, token: Token | None) -> None:
        """Reset the store, with or without the current token."""
        self._lock = threading.Lock()
        self._token = token
        self._generation = 0
        self._pending: PendingTokenRequest | None = None
        #: Consecutive failed renewals.
        self._failures = 0

    @property
    def token(self) -> Token | None:
        """The valid token; None if there is none."""
        token = self._token
        return token if token is not None and time.monotonic() < token.expires_at else None

    def join(self) -> tuple[PendingTokenRequest, bool]:
        """Return the pending request, or a new one that the caller must send."""
        with self._lock:
            request = self._pending
            # A request made before a token was refused may return a token that is refused as well.
            if request is not None and request.generation == self._generation:
                return request, False
            self._pending = PendingTokenRequest(self._generation)
            return self._pending, True

    def complete(self, request: PendingTokenRequest, token: Token) -> None:
        """Store a new token, and pass it to all waiting calls."""
        with self._lock:
            if request.generation == self._generation:
                self._token = token
            self._failures = 0
            self._end(request)
        request.outcome.set_result(token)

    def fail(self, request: PendingTokenRequest, error: BaseException) -> None:
        """Tell all waiting calls that there is no new token. A valid token remains in use."""
        with self._lock:
            self._failures += 1
            if self._token is not None:
                asked = error.retry_after if isinstance(error, APIStatusError) else None
                pause = rising_wait(self._failures, LONGEST_PAUSE) if asked is None else asked
                self._token = replace(self._token, renew_at=time.monotonic() + max(SHORTEST_PAUSE, pause))
            self._end(request)
        request.outcome.set_exception(error)

    def forget(self, refused: str) -> None:
        """Discard a refused token unless another one has replaced it."""
        with self._lock:
            if self._token is not None and self._token.value == refused:
                self._token = None
                self._generation += 1

    def _end(self, request: PendingTokenRequest) -> None:
        if self._pending is request:
            self._pending = None


_stores: Final[WeakValueDictionary[tuple[object, ...], TokenStore]] = WeakValueDictionary()
_choosing = threading.Lock()


def token_store(base_url: str, client_id: str, client_secret: str, scopes: Sequence[str] | None) -> TokenStore:
    """Return the store of an OAuth client, which exists as long as a client of this package uses it."""
    # The secret decides which clients share a store; only its hash is kept.
    secret = hashlib.sha256(client_secret.encode()).digest()
    key = (base_url, client_id, secret, None if scopes is None else tuple(sorted(scopes)))
    with _choosing:
        store = _stores.get(key)
        if store is None:
            store = _stores[key] = TokenStore()
        return store


def _after_fork() -> None:
    """Discard locks and requests of threads that the child process does not have."""
    global _choosing  # noqa: PLW0603
    _choosing = threading.Lock()
    for store in list(_stores.values()):
        store.reset(store.token)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
