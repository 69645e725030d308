"""How long an attempt and a call may take, and what happens to their connection."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

import compliance_onboarding._http
from compliance_onboarding import (
    APITimeoutError,
    AsyncComplianceOnboarding,
    DeadlineExceededError,
    errors,
)
from compliance_onboarding._concurrency import beginning, call_begins
from compliance_onboarding._timeout import Timeout
from support.both import settle
from support.objects import APPLICATION_ID, application
from support.stub import Reply, Stub, problem

pytestmark = pytest.mark.anyio


async def test_a_slow_attempt_times_out_and_is_repeated(client: Any, stub: Stub) -> None:
    stub.answer(Reply(delay=2, body=application()), Reply(body=application()))
    read = await settle(client.applications.get(APPLICATION_ID, timeout=1))
    assert read.version == 1
    assert len(stub.asked) == 2


async def test_a_slow_server_ends_in_a_timeout(client: Any, stub: Stub) -> None:
    stub.answer(Reply(delay=2, body=application()))
    with pytest.raises(APITimeoutError):
        await settle(client.applications.get(APPLICATION_ID, timeout=1, max_retries=1))
    assert len(stub.asked) == 2


async def test_an_answer_that_drips_does_not_outlast_its_timeout(client: Any, stub: Stub) -> None:
    stub.answer(Reply(drip=0.05, body=application()))
    began = time.monotonic()
    with pytest.raises(APITimeoutError):
        await settle(client.applications.get(APPLICATION_ID, timeout=0.3, max_retries=0))
    assert time.monotonic() - began < 5


async def test_the_deadline_covers_all_attempts(client: Any, stub: Stub) -> None:
    stub.answer(Reply(delay=0.5, body=application()))
    began = time.monotonic()
    with pytest.raises(DeadlineExceededError):
        await settle(client.applications.get(APPLICATION_ID, timeout=0.2, deadline=0.5, max_retries=50))
    assert time.monotonic() - began < 5


class SlowPath(os.PathLike[str]):
    """Stands for whatever a call does before it sends, such as the imports of the first one."""

    def __fspath__(self) -> str:
        time.sleep(2)
        return __file__


async def test_the_deadline_counts_from_the_call_and_not_from_its_first_byte(client: Any, stub: Stub) -> None:
    stub.answer(Reply(delay=6, status=201, body=application()))
    began = time.monotonic()
    with pytest.raises(DeadlineExceededError):
        await settle(
            client.applications.documents.upload(APPLICATION_ID, file=SlowPath(), type="passport", deadline=2.4)
        )
    assert 2.4 <= time.monotonic() - began < 4.2


def test_only_what_a_call_sends_first_counts_from_its_beginning() -> None:
    with call_begins():
        time.sleep(0.3)
        assert time.monotonic() - beginning() >= 0.3
        assert time.monotonic() - beginning() < 0.3


async def test_pages_have_a_deadline_each_which_counts_from_their_request(client: Any, stub: Stub) -> None:
    page = {"items": [application()], "cursor": "c1", "hasMore": True}
    stub.answer(Reply(body=page), Reply(body={**page, "cursor": None, "hasMore": False}))
    listing = client.applications.list(deadline=2)
    await asyncio.sleep(2.1)
    first = await settle(listing)
    await asyncio.sleep(2.1)
    await settle(first.next_page())
    assert len(stub.asked) == 2


async def test_a_wait_beyond_the_deadline_is_not_begun(client: Any, stub: Stub) -> None:
    stub.answer(problem(503, "overloaded", headers={"Retry-After": "30"}))
    began = time.monotonic()
    with pytest.raises(errors.OverloadedError):
        await settle(client.applications.get(APPLICATION_ID, deadline=5))
    assert time.monotonic() - began < 5


@contextmanager
def trickle(sent: bytes, *, pause: float) -> Generator[str, None, None]:
    """Answer with single bytes, without end: each of them comes in time, all of them never do."""
    stop = threading.Event()

    def answer(connection: socket.socket) -> None:
        with connection:
            connection.recv(65536)
            try:
                connection.sendall(sent)
                while not stop.wait(pause):
                    connection.sendall(b"x")
            except OSError:
                pass

    def serve() -> None:
        while not stop.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        stop.set()


@pytest.mark.parametrize(
    "sent",
    [b"", b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"],
    ids=["status", "header", "body"],
)
async def test_no_part_of_an_answer_can_trickle_beyond_the_limit(make: Any, sent: bytes) -> None:
    with trickle(sent, pause=0.1) as url:
        client = make(base_url=url)
        began = time.monotonic()
        with pytest.raises(APITimeoutError):
            await settle(client.applications.get(APPLICATION_ID, timeout=0.25, max_retries=0))
        with pytest.raises(DeadlineExceededError):
            await settle(client.applications.get(APPLICATION_ID, timeout=60, deadline=0.25))
        assert time.monotonic() - began < 5


async def test_a_connection_that_stood_still_is_not_used_again(client: Any, stub: Stub) -> None:
    stub.answer(Reply(drip=0.05, body=application()), Reply(body=application(version=2)))
    with pytest.raises(APITimeoutError):
        await settle(client.applications.get(APPLICATION_ID, timeout=0.2, max_retries=0))
    assert (await settle(client.applications.get(APPLICATION_ID))).version == 2


async def test_a_connection_keeps_the_limits_of_every_call_it_serves(client: Any, stub: Stub) -> None:
    stub.answer(Reply(body=application()), Reply(delay=1, body=application()))
    await settle(client.applications.get(APPLICATION_ID, timeout=0.9))
    with pytest.raises(APITimeoutError):
        await settle(client.applications.get(APPLICATION_ID, timeout=0.2, max_retries=0))


async def test_a_cancelled_call_closes_its_connection_and_leaves_the_client_usable(stub: Stub) -> None:
    async with AsyncComplianceOnboarding(base_url=stub.url, api_key="key") as client:
        stub.answer(Reply(delay=0.2, body=application()), Reply(body=application(version=2)))
        call = asyncio.ensure_future(client.applications.get(APPLICATION_ID))
        while not stub.asked:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        transport: Any = client._transport.http.client()._transport
        assert transport._pool.connections == []
        assert (await client.applications.get(APPLICATION_ID)).version == 2


async def test_a_cancelled_wait_between_attempts_ends_the_call(stub: Stub) -> None:
    async with AsyncComplianceOnboarding(base_url=stub.url, api_key="key") as client:
        stub.answer(problem(503, "overloaded", headers={"Retry-After": "30"}))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.applications.get(APPLICATION_ID), 0.2)
    assert len(stub.asked) == 1


async def test_without_limits_a_call_takes_the_time_it_needs(client: Any, stub: Stub) -> None:
    stub.answer(Reply(delay=0.05, body=application()))
    assert (await settle(client.applications.get(APPLICATION_ID, timeout=None, deadline=None))).version == 1


async def test_the_substitute_for_older_pythons_cancels_in_time() -> None:
    with pytest.raises(TimeoutError):
        async with Timeout(0.01):
            await asyncio.sleep(5)
    async with Timeout(5), Timeout(None):
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        async with Timeout(5):
            raise asyncio.CancelledError
    await asyncio.sleep(0.02)


async def test_certificates_are_read_once_and_before_the_first_call(
    make: Any, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    create = httpx2.create_ssl_context

    def counted() -> object:
        read.append(create())
        return read[-1]

    monkeypatch.setattr(httpx2, "create_ssl_context", counted)
    compliance_onboarding._http._trust.cache_clear()
    client, _ = make(), make()
    assert len(read) == 1
    stub.answer(Reply(body=application()))
    await settle(client.applications.get(APPLICATION_ID))
    assert len(read) == 1
