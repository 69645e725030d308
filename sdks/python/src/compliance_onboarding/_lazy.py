"""Names that are imported on first use (PEP 562): a program uses few of them, and starts faster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(
    module: str, package: str, homes: Mapping[str, str], *, suffix: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a module whose names are defined in the modules of a package.

    `homes` has the names of each module, separated by blanks; this module adds `suffix` to each name.
    """
    places = {f"{name}{suffix}": (home, name) for home, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        place = places.get(name)
        if place is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, attribute = place
        value = getattr(import_module(f"{package}.{home}"), attribute)
        # Set on the module, so that the next access does not call this function.
        setattr(sys.modules[module], name, value)
        return value

    return get, lambda: sorted(places)
