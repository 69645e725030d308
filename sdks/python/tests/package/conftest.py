"""The packages, built twice from copies in different places."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
#: Fixed, so that the same sources give the same bytes (reproducible-builds.org).
EPOCH = "1767225600"


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the folders of both builds."""
    return [_built(tmp_path_factory.mktemp(name) / name) for name in ("one", "another")]


def _built(copy: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__", ".*cache", "tests")
    shutil.copytree(SOURCE, copy, ignore=ignored, copy_function=shutil.copyfile)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(copy.parent / "dist"), str(copy)]
    done = subprocess.run(
        command, env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return copy.parent / "dist"


@pytest.fixture(scope="session")
def wheel(builds: list[Path]) -> Path:
    """Return the wheel."""
    (found,) = builds[0].glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment that holds the wheel and what it needs."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(environment), "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel)], check=True)
    return environment / "bin/python"
