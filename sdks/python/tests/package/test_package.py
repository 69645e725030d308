"""The packages: the same bytes from the same sources, complete, and of use to who installs them."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Final

import pytest

import compliance_onboarding
from support.objects import JPEG, application, document, events
from support.stub import Asked, Reply, Stub

SOURCE = Path(__file__).parents[2]
VERSION: Final = compliance_onboarding.__version__
README = (SOURCE / "README.md").read_text()
BLOCKS: list[str] = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def test_the_same_sources_give_the_same_bytes(builds: list[Path]) -> None:
    one, another = (
        {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()} for folder in builds
    )
    assert len(one) == 2
    assert one == another


def test_the_metadata_are_right(wheel: Path) -> None:
    told = metadata(wheel)
    assert (told["Name"], told["Version"]) == ("compliance-onboarding", VERSION)
    assert told["Requires-Python"] == ">=3.10"
    assert told["License-Expression"] == "Apache-2.0"
    assert told.get_all("Requires-Dist") == ["httpx2<3,>=2.7", "pydantic<3,>=2.7"]
    links = [link.split(", ")[0] for link in told.get_all("Project-URL") or []]
    assert links == ["Documentation", "Changelog", "Source"]
    assert told["Description-Content-Type"] == "text/markdown"
    assert f"## {VERSION}" in (SOURCE / "CHANGELOG.md").read_text()


def test_the_packages_hold_what_they_should_and_nothing_else(builds: list[Path], wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "compliance_onboarding/py.typed" in names
    assert "compliance_onboarding/_generated/sync/_client.py" in names
    assert {name.split("/")[0] for name in names} == {
        "compliance_onboarding",
        f"compliance_onboarding-{VERSION}.dist-info",
    }
    (sdist,) = builds[0].glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        tops = {Path(name).parts[1] for name in archive.getnames()}
    packed = {"src", "examples", "README.md", "CHANGELOG.md", "LICENSE"}
    assert packed <= tops <= packed | {"pyproject.toml", "PKG-INFO", ".gitignore"}


def test_the_links_of_the_map_lead_somewhere_in_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        links: list[str] = re.findall(r"\]\(([^)]+)\)", archive.read("compliance_onboarding/api.md").decode())
    assert len(links) > 20
    assert {f"compliance_onboarding/{link}" for link in links} <= set(names)


def test_types_are_complete_for_who_installs_it(wheel: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", str(tmp_path), str(wheel)], check=True)
    tools = Path(sys.executable).parent
    # Of the interpreter that is first in the path; the package is beside what it depends on.
    env = {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(tmp_path)}
    command = [str(tools / "basedpyright"), "--outputjson", "--ignoreexternal", "--verifytypes"]
    name = "compliance_onboarding"
    done = subprocess.run([*command, name], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)["typeCompleteness"]
    assert told["packageRootDirectory"] == str(tmp_path / name)
    incomplete = [one["name"] for one in told["symbols"] if not one["isTypeKnown"]]
    assert told["completenessScore"] >= 0.99, incomplete


def answer(asked: Asked) -> Reply:
    """Answer the calls of the README."""
    if asked.path.endswith("/documents"):
        return Reply(status=201, body=document())
    if asked.path.startswith("/v1/applications"):
        return Reply(status=201 if asked.method == "POST" else 200, body=application())
    return Reply(body=events([1, 2], "c1", more=False))


def taken(installed: Path, program: str, folder: Path) -> str:
    (folder / "passport.jpg").write_bytes(JPEG)
    with Stub() as stub:
        stub.answer(answer)
        env = {
            "PATH": os.environ["PATH"],
            "COMPLIANCE_BASE_URL": stub.url,
            "COMPLIANCE_API_KEY": "kyc_test_7Hq2ZtK9_4fT0",
        }
        command = [str(installed), "-W", "error", "-c", program]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_sixty_seconds_of_the_readme_run_where_it_is_installed(installed: Path, tmp_path: Path) -> None:
    assert taken(installed, BLOCKS[0], tmp_path).split() == [
        *("FUNDS_RECOVERY_CREATED", "CREATED", "0197f2ca-1111-7000-8000-000000000001"),
        *("FUNDS_RECOVERY_CREATED", "CREATED", "0197f2ca-1111-7000-8000-000000000001"),
    ]


def test_the_same_with_await(installed: Path, tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in BLOCKS[1].splitlines())
    program = f"import asyncio\napplication_id = 'a'\nasync def main():\n{body}asyncio.run(main())\n"
    assert taken(installed, program, tmp_path).split() == ["FUNDS_RECOVERY_CREATED"] * 2


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_every_sample_of_the_readme_is_python(number: int) -> None:
    top_level_await = 0x2000
    assert compile(BLOCKS[number], "README.md", "exec", flags=top_level_await) is not None


#: Imports all modules of the package while the names that Python has from 3.11 on are missing; the libraries, whose
#: installed releases may be for later Pythons, see the true modules.
OLDER = """
import asyncio, datetime, enum, importlib, pkgutil, typing, sys, types
import httpcore2, httpx2, pydantic, typing_extensions
pydantic.create_model("Warm", at=(datetime.datetime, ...))(at=datetime.datetime.now())
version = sys.version_info
for module, names in {
    asyncio: {"timeout", "timeout_at", "TaskGroup", "Runner"}, datetime: {"UTC"}, enum: {"StrEnum"},
    typing: {"Self", "Unpack", "Required", "NotRequired", "assert_type", "assert_never", "LiteralString", "Never"},
}.items():
    older = sys.modules[module.__name__] = types.ModuleType(module.__name__)
    older.__dict__.update({name: value for name, value in vars(module).items() if name not in names})
sys.version_info = (3, 10, 0, "final", 0)
import compliance_onboarding
for found in pkgutil.walk_packages(compliance_onboarding.__path__, "compliance_onboarding."):
    importlib.import_module(found.name)
sys.modules |= {"asyncio": asyncio, "datetime": datetime, "enum": enum, "typing": typing}
sys.version_info = version
"""


@pytest.mark.parametrize("installed", [platform.python_version()], indirect=True, ids=["here"])
def test_it_runs_without_what_python_got_after_3_10(installed: Path, tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in BLOCKS[1].splitlines())
    program = f"{OLDER}\n{BLOCKS[0]}\napplication_id = 'a'\nasync def main():\n{body}asyncio.run(main())\n"
    program += "from compliance_onboarding import params, types\nprint(format(types.Channel('web'), '>5'))\n"
    assert len(taken(installed, program, tmp_path).split()) == 6 + 2 + 1


IMPORT = """
import time
began = time.process_time()
import compliance_onboarding
print(json.dumps([time.process_time() - began, "compliance_onboarding._generated.models" in sys.modules]))
"""


def test_importing_takes_less_than_half_a_second_and_leaves_the_objects_for_later(installed: Path) -> None:
    # Processor time: a busy machine is not what is measured.
    program = [str(installed), "-c", f"import json, sys\n{IMPORT}"]
    told = [json.loads(subprocess.run(program, check=True, capture_output=True).stdout) for _ in range(5)]
    assert not any(loaded for _, loaded in told)
    assert min(seconds for seconds, _ in told) < 0.5
