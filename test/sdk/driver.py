"""Makes calls with the Python SDK for a program in another language: one JSON object a line, in and out.

Commands run at the same time: those of asynchronous clients as tasks of one event loop, those of synchronous ones each
on a thread. Besides answers, `{"log": …}` tells each line that the SDK logs.
"""

from __future__ import annotations

import ast
import asyncio
import base64
import inspect
import json
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from compliance_onboarding import AsyncComplianceOnboarding, ComplianceOnboarding

KINDS: dict[str, Callable[..., Any]] = {"sync": ComplianceOnboarding, "async": AsyncComplianceOnboarding}
THREADS = 64

clients: dict[str, Any] = {}
#: Errors of calls with an idempotency key, by that key.
failed: dict[str, Any] = {}
writing = threading.Lock()


def write(line: dict[str, Any]) -> None:
    with writing:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


class LogLines(logging.Handler):
    """Pass on every line with everything that its record contains."""

    def emit(self, record: logging.LogRecord) -> None:
        write({"log": f"{record.getMessage()} {record.args!r} {record.exc_text or ''}"})


def open_client(command: dict[str, Any]) -> None:
    options = command["options"]
    if options.pop("debug", False):
        logging.getLogger().setLevel(logging.DEBUG)
        options["on_request"] = options["on_response"] = lambda event: write({"log": repr(event)})
    clients[command["client"]] = KINDS[command["kind"]](**options)


def bound(command: dict[str, Any]) -> Callable[[], Any]:
    """Return the call with its arguments, which are Python literals as in the documentation."""
    method: Any = clients[command["client"]]
    for name in command["method"].split("."):
        method = getattr(method, name)
    keywords = ast.literal_eval(command["keywords"])
    for name, (file_name, content, media_type) in command["files"].items():
        keywords[name] = (file_name, base64.b64decode(content), media_type)
    return lambda: method(*command["positional"], **keywords, **command["options"])


def plain(value: Any) -> Any:
    """Return a value in JSON types."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "has_more"):
        return {"items": [plain(item) for item in value.items], "cursor": value.cursor, "hasMore": value.has_more}
    return value


def failure(error: BaseException) -> dict[str, Any]:
    shown = "".join(traceback.format_exception(error))
    if (key := getattr(error, "idempotency_key", None)) is not None:
        failed[key] = error
    return {
        "name": next(kind.__name__ for kind in type(error).__mro__ if "_generated" not in kind.__module__),
        "message": str(error),
        "code": getattr(error, "code", None),
        "status": getattr(error, "status", None),
        "outcome": getattr(error, "outcome", None),
        "idempotencyKey": key,
        "shown": f"{error!r}\n{shown}",
    }


async def settle(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def outcome_async(call: Callable[[], Any]) -> dict[str, Any]:
    try:
        value = await settle(call())
        if hasattr(value, "iter_bytes"):
            value = base64.b64encode(await settle(value.read())).decode()
        return {"ok": True, "value": plain(value)}
    except Exception as error:
        return {"ok": False, "error": failure(error)}


def outcome_sync(call: Callable[[], Any]) -> dict[str, Any]:
    try:
        value = call()
        if hasattr(value, "iter_bytes"):
            value = base64.b64encode(value.read()).decode()
        return {"ok": True, "value": plain(value)}
    except Exception as error:
        return {"ok": False, "error": failure(error)}


async def take_async(source: Callable[[], Any], most: int) -> list[Any]:
    """Return the items up to the number after which the caller stops, and the failure that ended the walk, if any."""
    taken: list[Any] = []
    try:
        async for one in source():
            taken.append(plain(one))
            if len(taken) == most:
                break
        return [taken, None]
    except Exception as error:
        return [taken, failure(error)]


def take_sync(source: Callable[[], Any], most: int) -> list[Any]:
    taken: list[Any] = []
    try:
        for one in source():
            taken.append(plain(one))
            if len(taken) == most:
                break
        return [taken, None]
    except Exception as error:
        return [taken, failure(error)]


def resuming(command: dict[str, Any]) -> Callable[[], Any]:
    return lambda: clients[command["client"]].resume(failed.pop(command["idempotencyKey"]))


def pages(command: dict[str, Any]) -> Callable[[], Any]:
    call = bound(command)
    return lambda: call().pages()


def on_threads(call: Callable[[], Any], times: int) -> list[dict[str, Any]]:
    """Run as many threads as calls, which start at the same time."""
    results: list[dict[str, Any]] = []
    barrier = threading.Barrier(times)

    def one() -> None:
        barrier.wait()
        results.append(outcome_sync(call))

    threads = [threading.Thread(target=one) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


async def carry_out(command: dict[str, Any], threads: ThreadPoolExecutor) -> Any:
    loop = asyncio.get_running_loop()
    synchronous = isinstance(clients.get(command["client"]), ComplianceOnboarding)
    match command["do"]:
        case "open":
            open_client(command)
        case "close":
            await settle(clients.pop(command["client"]).close())
        case "call" if synchronous:
            return await loop.run_in_executor(threads, outcome_sync, bound(command))
        case "call":
            return await outcome_async(bound(command))
        case "resume" if synchronous:
            return await loop.run_in_executor(threads, outcome_sync, resuming(command))
        case "resume":
            return await outcome_async(resuming(command))
        case "walk" if synchronous:
            return await loop.run_in_executor(threads, take_sync, pages(command), command["most"])
        case "walk":
            return await take_async(pages(command), command["most"])
        case "follow" if synchronous:
            return await loop.run_in_executor(threads, take_sync, bound(command), command["most"])
        case "follow":
            return await take_async(bound(command), command["most"])
        case "many" if synchronous:
            return await loop.run_in_executor(threads, on_threads, bound(command), command["times"])
        case "many":
            return await asyncio.gather(*(outcome_async(bound(command)) for _ in range(command["times"])))
    return None


async def answer(command: dict[str, Any], threads: ThreadPoolExecutor) -> None:
    try:
        write({"id": command["id"], "result": await carry_out(command, threads)})
    except Exception:
        write({"id": command["id"], "broken": traceback.format_exc()})


async def main() -> None:
    logging.getLogger().addHandler(LogLines())
    loop = asyncio.get_running_loop()
    running: set[asyncio.Task[None]] = set()
    with ThreadPoolExecutor(THREADS) as threads:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            task = asyncio.create_task(answer(json.loads(line), threads))
            running.add(task)
            task.add_done_callback(running.discard)


asyncio.run(main())
