"""Arguments of methods: unknown names are refused, and each name may be spelled as on the wire."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from functools import wraps
from inspect import iscoroutinefunction
from keyword import iskeyword
from typing import Any, Final, TypeVar, cast

from compliance_onboarding._base import UNSET
from compliance_onboarding._concurrency import call_begins
from compliance_onboarding._config import CallOptions

F = TypeVar("F", bound=Callable[..., Any])


class _Required(Enum):
    REQUIRED = "required"

    def __repr__(self) -> str:
        return "REQUIRED"


#: Default in a signature of a member that is required unless the whole body is passed.
REQUIRED: Final[Any] = _Required.REQUIRED

_BODY: Final = "body"


def takes(options: type[CallOptions]) -> Callable[[F], F]:
    """Check the arguments of a method before the call; `options` are the call options that the method accepts as well.

    Without this check, a method would ignore unknown arguments: type checkers report them because of the type of
    `**options`, but a program without a type checker would continue with `stauts=` ignored. If the method takes a body,
    the check also refuses a call with neither the body nor its required members, and a call with both.
    """

    def decorated(method: F) -> F:
        arguments = _Arguments(method, options)

        @wraps(method)
        def call(self: object, *args: Any, **given: Any) -> Any:
            names = arguments.names(len(args), given)
            ready = _Ready(method, (self, *args), {names[spelled]: value for spelled, value in given.items()})
            # Error reports collect the variables of each frame, which may hold personal data.
            del args, given
            with call_begins():
                return ready.call()

        @wraps(method)
        async def call_async(self: object, *args: Any, **given: Any) -> Any:
            pending = call(self, *args, **given)
            del args, given
            with call_begins():
                return await pending

        return cast("F", call_async if iscoroutinefunction(method) else call)

    return decorated


class _Ready:
    """A call whose representation shows none of its arguments."""

    __slots__ = ("_args", "_given", "_method")

    def __init__(self, method: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> None:
        self._method = method
        self._args = args
        self._given = given

    def call(self) -> Any:
        return self._method(*self._args, **self._given)


class _Arguments:
    def __init__(self, method: Callable[..., Any], options: type[CallOptions]) -> None:
        code = method.__code__
        own: Sequence[str] = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
        defaults: Mapping[str, object] = method.__kwdefaults__ or {}
        self._method = method.__qualname__
        self._positional = own[: code.co_argcount - 1]
        self._names: frozenset[str] = frozenset((*own, *options.__annotations__))
        self._takes_body = _BODY in self._positional
        self._members = {name for name, value in defaults.items() if value is UNSET or value is REQUIRED}
        self._required = [name for name, value in defaults.items() if value is REQUIRED]

    def names(self, positional: int, spelled: Iterable[str]) -> Mapping[str, str]:
        """Return the method's names of the passed keyword arguments; `positional` arguments precede them."""
        names = {spelling: self._name(spelling) for spelling in spelled}
        given = [*self._positional[:positional], *names.values()]
        twice = next((name for index, name in enumerate(given) if name in given[:index]), None)
        if twice is not None:
            raise TypeError(f"{self._method}() got {twice!r} twice")
        if self._takes_body and _BODY in given:
            self._refuse("has its body already, and beside it", [name for name in given if name in self._members])
        elif self._takes_body:
            self._refuse("is missing", [name for name in self._required if name not in given])
        return names

    def _name(self, spelled: str) -> str:
        name = spelled if spelled in self._names else python_name(spelled)
        if name in self._names:
            return name
        near = get_close_matches(name, sorted(self._names), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise TypeError(f"{self._method}() takes no argument {spelled!r}{hint}")

    def _refuse(self, fault: str, names: Sequence[str]) -> None:
        if names:
            raise TypeError(f"{self._method}() {fault} {', '.join(map(repr, names))}")


def python_name(wire: str) -> str:
    """Return the name of an argument: `created_after` of `createdAfter`, `totp_code` of `X-TOTP-Code`."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", wire.removeprefix("X-").replace("OAuth", "Oauth"))
    words = re.findall(r"[A-Za-z0-9]+", re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", spaced))
    name = "_".join(words).lower()
    return f"{name}_" if iskeyword(name) else name
