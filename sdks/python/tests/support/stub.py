"""An HTTP server on a thread that answers what a test has planned and remembers what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from typing_extensions import Self


@dataclass(frozen=True)
class Asked:
    """A request that arrived."""

    method: str
    target: str
    headers: Message
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> list[tuple[str, str]]:
        return parse_qsl(urlsplit(self.target).query, keep_blank_values=True)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def __getitem__(self, header: str) -> str | None:
        return self.headers.get(header)


@dataclass(frozen=True)
class Reply:
    """An answer to give."""

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    #: Seconds before the answer begins.
    delay: float = 0
    #: Close the connection instead of answering.
    hang_up: bool = False
    #: Send this many bytes of the body, then close the connection.
    cut_after: int | None = None
    #: Seconds between single bytes of the body.
    drip: float = 0

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dumps(self.body).encode()

    @property
    def media_type(self) -> str:
        return "application/problem+json" if self.status >= 400 else "application/json"


def problem(status: int, code: str, *, headers: Mapping[str, str] | None = None, **members: object) -> Reply:
    """A refusal after RFC 9457."""
    body = {
        "type": f"/problems/{code}",
        "title": code.replace("_", " "),
        "status": status,
        "code": code,
        "requestId": "0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00",
        **members,
    }
    return Reply(status, body, {"X-Request-Id": "0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00", **(headers or {})})


class Stub:
    """Answers each request with what `plan` says; the last entry goes on answering."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.token_requests: list[Asked] = []
        self.plan: list[Reply | Callable[[Asked], Reply]] = []
        self.tokens: Callable[[Asked], Reply] = self._next_token
        self._lock = threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                stub.handle(self, Asked(self.command, self.path, self.headers, body))

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, request: object, client_address: object) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, *plan: Reply | Callable[[Asked], Reply]) -> None:
        """Plan the answers to come."""
        self.plan = list(plan)

    def handle(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        """Answer one request."""
        with self._lock:
            if asked.path == "/oauth/token":
                self.token_requests.append(asked)
                planned: Reply | Callable[[Asked], Reply] = self.tokens
            else:
                self.asked.append(asked)
                planned = self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]
        reply = planned if isinstance(planned, Reply) else planned(asked)
        time.sleep(reply.delay)
        if reply.hang_up:
            handler.close_connection = True
            return
        handler.send_response(reply.status)
        for name, value in {"Content-Type": reply.media_type, **reply.headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(reply.content)))
        handler.end_headers()
        if reply.cut_after is not None:
            handler.wfile.write(reply.content[: reply.cut_after])
            handler.close_connection = True
        elif reply.drip:
            for byte in reply.content:
                time.sleep(reply.drip)
                handler.wfile.write(bytes([byte]))
        else:
            handler.wfile.write(reply.content)

    def _next_token(self, asked: Asked) -> Reply:
        number = len(self.token_requests)
        token = {
            "access_token": f"token-{number}",
            "token_type": "Bearer",
            "expires_in": 3600,
            "scope": "read",
        }
        return Reply(body=token)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
