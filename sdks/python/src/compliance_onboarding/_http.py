"""The client of the HTTP library: the caller's, or one that this package creates on first use."""

from __future__ import annotations

import asyncio
import os
import ssl
import threading
from functools import cache
from weakref import WeakKeyDictionary

import httpx2


@cache
def _trust() -> ssl.SSLContext:
    """Return the certificates that this process trusts.

    Reading them takes longer than some deadlines, so they are read once, when the first client is created and not
    within its first call.
    """
    return httpx2.create_ssl_context()


class Http:
    """The client for all threads of a process: processes that share a connection would read each other's responses."""

    def __init__(self, given: httpx2.Client | None) -> None:
        self._given = given
        #: Whether the library's own transport is used, which reports each of its steps.
        self.is_own: bool = given is None
        if given is None:
            _trust()
        self._own: httpx2.Client | None = None
        self._process = os.getpid()
        self._making = threading.Lock()

    def client(self) -> httpx2.Client:
        if self._given is not None:
            return self._given
        with self._making:
            process = os.getpid()
            if self._own is None or self._process != process:
                self._own, self._process = httpx2.Client(verify=_trust()), process
            return self._own

    def close(self) -> None:
        with self._making:
            own, self._own = self._own, None
        if own is not None:
            own.close()


class AsyncHttp:
    """The client for one event loop, because a pooled connection cannot be used from another loop."""

    def __init__(self, given: httpx2.AsyncClient | None) -> None:
        self._given = given
        self.is_own: bool = given is None
        if given is None:
            _trust()
        self._own: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()
        self._making = threading.Lock()

    def client(self) -> httpx2.AsyncClient:
        if self._given is not None:
            return self._given
        loop = asyncio.get_running_loop()
        with self._making:
            client = self._own.get(loop)
            if client is None:
                client = self._own[loop] = httpx2.AsyncClient(verify=_trust())
            return client

    async def close(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # No call has opened a connection in another event loop.
            return
        with self._making:
            own = self._own.pop(loop, None)
        if own is not None:
            await own.aclose()
