"""The programs of `examples/`, run against the examples of the contract."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

import compliance_onboarding
from compliance_onboarding.testing import ExampleTransport, reset_after, status
from support.objects import APPLICATION_ID
from support.stub import Asked, Reply, Stub

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def transport() -> ExampleTransport:
    return ExampleTransport()


@pytest.fixture
def service(transport: ExampleTransport) -> Iterator[Stub]:
    def answer(asked: Asked) -> Reply:
        parts = urlsplit(asked.target)
        request = httpx2.Request(
            asked.method,
            f"http://localhost{parts.path}?{parts.query}",
            headers=list(asked.headers.items()),
            content=asked.body,
        )
        try:
            response = transport.handle_request(request)
        except httpx2.TransportError:
            return Reply(hang_up=True)
        return Reply(response.status_code, response.content, {"Content-Type": response.headers.get("content-type", "")})

    with Stub() as stub:
        stub.answer(answer)
        yield stub


def run(name: str, *args: str, service: Stub, folder: Path, **environment: str) -> str:
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(compliance_onboarding.__file__).parents[1]),
        "COMPLIANCE_BASE_URL": service.url,
        "COMPLIANCE_API_KEY": "kyc_test_7Hq2ZtK9_4fT0",
        **environment,
    }
    command = [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), *args]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_every_program_is_run_here() -> None:
    tested = Path(__file__).read_text()
    assert [path.stem for path in EXAMPLES.glob("*.py") if f'run("{path.stem}"' not in tested] == []


def test_quickstart(service: Stub, tmp_path: Path) -> None:
    assert "opened 0197" in run("quickstart", service=service, folder=tmp_path)


def test_upload_and_download(service: Stub, tmp_path: Path) -> None:
    (tmp_path / "bill.pdf").write_bytes(b"%PDF-1.7")
    told = run("upload_and_download", APPLICATION_ID, "bill.pdf", service=service, folder=tmp_path)
    assert "saved copy-bill.pdf" in told
    assert (tmp_path / "copy-bill.pdf").read_bytes()


def test_following_the_feed(service: Stub, transport: ExampleTransport, tmp_path: Path) -> None:
    shown = len(list(transport.client().funds_recovery.events.list()))
    told = run("follow_the_feed", str(shown), service=service, folder=tmp_path)
    assert len(told.splitlines()) == shown > 0


def test_certain_writes(service: Stub, transport: ExampleTransport, tmp_path: Path) -> None:
    transport.answer("submitApplication", reset_after, reset_after, reset_after, {})
    assert APPLICATION_ID in run("certain_writes", APPLICATION_ID, service=service, folder=tmp_path)
    assert len({seen.headers["idempotency-key"] for seen in transport.requests}) == 1
    transport.answer("submitApplication", status(409, "invalid_state_transition", currentStatus="approved"))
    with pytest.raises(AssertionError, match="it is approved already"):
        run("certain_writes", APPLICATION_ID, service=service, folder=tmp_path)


def test_a_proxy(service: Stub, tmp_path: Path) -> None:
    elsewhere = "http://compliance.example"
    run("proxy", service=service, folder=tmp_path, PROXY_URL=service.url, COMPLIANCE_BASE_URL=elsewhere)
    assert [asked.target for asked in service.asked] == [f"{elsewhere}/v1/applications?limit=5"]


def test_tests_of_a_program(service: Stub, tmp_path: Path) -> None:
    assert run("test_your_program", service=service, folder=tmp_path) == "passed\n"


def test_telemetry(service: Stub, tmp_path: Path) -> None:
    told = run("telemetry", service=service, folder=tmp_path)
    assert '"url.template": "/v1/applications"' in told
    assert "'full_name': '***'" in told
    assert "Maria" not in told
