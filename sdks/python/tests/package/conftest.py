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


def _interpreters() -> dict[str, str]:
    """Return the interpreters of this machine that the package is for, by their versions: one of each minor version."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = {_version(sys.executable): sys.executable}
    for minor in range(10, 15):
        name = f"python3.{minor}"
        for path in (shutil.which(name), *sorted(pyenv.glob(f"versions/3.{minor}.*/bin/{name}"))):
            version = _version(path) if path else ""
            if version and not any(one.startswith(f"3.{minor}.") for one in found):
                found[version] = str(path)
    return dict(sorted(found.items(), key=lambda one: [int(part) for part in one[0].split(".")]))


def _version(path: str | Path) -> str:
    """Return the version of an interpreter that can make environments; nothing of others, such as a shim of nothing."""
    program = "import ensurepip, platform, venv; print(platform.python_version())"
    done = subprocess.run([str(path), "-c", program], capture_output=True, text=True, check=False)
    version = done.stdout.strip()
    return version if done.returncode == 0 and version.replace(".", "").isdigit() else ""


INTERPRETERS = _interpreters()


@pytest.fixture(scope="session", params=INTERPRETERS, ids=lambda version: f"Python {version}")
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment that holds the wheel and what it needs."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([INTERPRETERS[request.param], "-m", "venv", "--without-pip", str(environment)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(environment), "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel)], check=True)
    return environment / "bin/python"
