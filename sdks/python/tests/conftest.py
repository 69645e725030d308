"""Every behaviour is tested on both clients, and a test that expects nothing fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

expectations: Counter[str] = Counter()


def expected() -> None:
    """Counts one thing that a test has expected."""
    expectations["held"] += 1


def pytest_assertion_pass() -> None:
    """Is called by pytest for each `assert` of a test that holds."""
    expected()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fails a test in which nothing was asserted and no error was expected."""
    before = expectations["held"]
    with pytest.MonkeyPatch.context() as patched:
        leave = pytest.RaisesExc.__exit__

        def left(self: Any, *raised: Any) -> bool:
            holds = leave(self, *raised)
            expected()
            return holds

        patched.setattr(pytest.RaisesExc, "__exit__", left)
        yield
    if expectations["held"] == before:
        pytest.fail(f"{item.name} expected nothing: no assert was reached, and no pytest.raises", pytrace=False)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param
