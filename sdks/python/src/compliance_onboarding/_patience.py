"""How long the sockets of a synchronous call wait.

The HTTP library applies its timeouts to single reads, of which a slow answer needs many. Here each wait is
shortened to what is left of the innermost `TimeLimit`, so that a call ends in time however its answer trickles.
The asynchronous client needs none of this: there a limit cancels the task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from compliance_onboarding._concurrency import time_left

#: A socket cannot be told to wait for no time: that would mean not to block.
_SHORTEST: Final = 0.001
_KINDS: Final = ("connect", "read", "write", "pool")
_CONNECTED: Final = ("connect_tcp.complete", "connect_unix_socket.complete")


class _TimeLeft(Mapping[str, "float | None"]):
    """The timeouts of one request, asked for when each of its steps begins."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds

    def __getitem__(self, kind: str) -> float | None:
        if kind not in _KINDS:
            raise KeyError(kind)
        return shortened(self._seconds)

    def __iter__(self) -> Iterator[str]:
        return iter(_KINDS)

    def __len__(self) -> int:
        return len(_KINDS)


def extensions(seconds: float | None) -> dict[str, Any]:
    """Return what makes a request of the HTTP library keep the limits of this package."""
    return {"timeout": _TimeLeft(seconds), "trace": _on_step}


def async_extensions(seconds: float | None) -> dict[str, Any]:
    """Return plain timeouts: the limit cancels."""
    return {"timeout": dict.fromkeys(_KINDS, seconds)}


def shortened(seconds: float | None) -> float | None:
    """Return the shorter one of a timeout and the time left."""
    left = time_left()
    if left is None:
        return seconds
    return max(_SHORTEST, left if seconds is None else min(seconds, left))


def _on_step(step: str, info: Mapping[str, Any]) -> None:
    """Take hold of each new connection; the library says `trace` of every step it takes."""
    if step.endswith(_CONNECTED):
        _keep_limits(info["return_value"])


def _keep_limits(stream: Any) -> None:
    read, write, start_tls = stream.read, stream.write, stream.start_tls

    def limited_read(max_bytes: int, timeout: float | None = None) -> Any:
        return read(max_bytes, timeout=shortened(timeout))

    def limited_write(buffer: bytes, timeout: float | None = None) -> Any:
        return write(buffer, timeout=shortened(timeout))

    def limited_start_tls(ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> Any:
        secured = start_tls(ssl_context, server_hostname=server_hostname, timeout=shortened(timeout))
        _keep_limits(secured)
        return secured

    stream.read, stream.write, stream.start_tls = limited_read, limited_write, limited_start_tls
