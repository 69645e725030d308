"""Methods under their former names."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from typing_extensions import deprecated
else:
    P = ParamSpec("P")
    T = TypeVar("T")

    def deprecated(message: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
        """Replace `typing_extensions.deprecated`, which type checkers know, without depending on that package."""

        def mark(method: Callable[P, T]) -> Callable[P, T]:
            @wraps(method)
            def call(*args: P.args, **kwargs: P.kwargs) -> T:
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                return method(*args, **kwargs)

            return call

        return mark


__all__ = ["deprecated"]
