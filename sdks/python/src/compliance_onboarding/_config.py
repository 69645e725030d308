"""Configuration of a client, from arguments and from the environment."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypedDict
from urllib.parse import urlsplit

from compliance_onboarding._errors import ConfigurationError
from compliance_onboarding._generated.contract import DEFAULT_BASE_URL
from compliance_onboarding._logging import RequestEvent, ResponseEvent, default_logger
from compliance_onboarding._version import USER_AGENT

DEFAULT_TIMEOUT: Final = 30.0
DEFAULT_DEADLINE: Final = 120.0
DEFAULT_IDLE_TIMEOUT: Final = 30.0
DEFAULT_MAX_RETRIES: Final = 2
DEFAULT_RETRY_BUDGET: Final = 10.0


class CallOptions(TypedDict, total=False):
    """Options of one call, which override those of the client."""

    #: Seconds that one attempt may take; None for no limit.
    timeout: float | None
    #: Seconds that the call may take with its repetitions and waits; None for no limit.
    deadline: float | None
    #: Seconds that a download may stand still, from one piece of the file to the next; None for no limit.
    idle_timeout: float | None
    #: How often a failed attempt is repeated.
    max_retries: int
    #: Additional headers.
    extra_headers: Mapping[str, str]
    #: Additional query parameters, for example of a later server.
    extra_query: Mapping[str, object]


class KeyedCallOptions(CallOptions, total=False):
    """Options of a call that honours `Idempotency-Key`."""

    #: Your key; without it, each call gets a key that its repetitions share.
    idempotency_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientOptions:
    """The options of a client, complete and checked."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    access_token: str | None = field(default=None, repr=False)
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    scopes: Sequence[str] | None = None
    timeout: float | None = DEFAULT_TIMEOUT
    deadline: float | None = DEFAULT_DEADLINE
    idle_timeout: float | None = DEFAULT_IDLE_TIMEOUT
    max_retries: int = DEFAULT_MAX_RETRIES
    #: Repetitions that all calls together may use before one of them succeeds.
    retry_budget: float = DEFAULT_RETRY_BUDGET
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    #: The caller's own product, placed before that of this package.
    user_agent: str | None = None
    logger: logging.Logger = default_logger
    on_request: Callable[[RequestEvent], None] | None = None
    on_response: Callable[[ResponseEvent], None] | None = None

    @property
    def oauth_client(self) -> tuple[str, str] | None:
        """Id and secret for the token endpoint. An API key is an OAuth client whose id is the key's prefix."""
        if self.client_id is not None and self.client_secret is not None:
            return self.client_id, self.client_secret
        # kyc_live_7Hq2ZtK9_4fT0…: three parts of prefix, then the secret part.
        parts = (self.api_key or "").split("_")
        return ("_".join(parts[:3]), "_".join(parts)) if len(parts) > 3 else None

    @property
    def product(self) -> str:
        """The `User-Agent`: products and their versions, and nothing about the machine or its user."""
        return USER_AGENT if self.user_agent is None else f"{self.user_agent} {USER_AGENT}"

    @property
    def identity(self) -> tuple[object, ...]:
        """The values that determine which credentials are sent, and where."""
        scopes = None if self.scopes is None else tuple(self.scopes)
        return (self.base_url, self.api_key, self.access_token, self.client_id, self.client_secret, scopes)

    def __post_init__(self) -> None:
        address = urlsplit(self.base_url)
        if address.scheme not in {"http", "https"} or not address.netloc or address.query or address.fragment:
            raise ConfigurationError("base_url must be an http(s) address without query and fragment")
        if "@" in address.netloc:
            raise ConfigurationError("base_url must not carry a user name or password")
        if (self.client_id is None) != (self.client_secret is None):
            raise ConfigurationError("client_id and client_secret go together")
        for name in ("api_key", "access_token", "client_id", "client_secret"):
            value: str | None = getattr(self, name)
            # A line break would end the header, and a blank is never part of a credential.
            if value is not None and (not value or any(not "!" <= character <= "~" for character in value)):
                raise ConfigurationError(f"{name} is empty or holds characters that no credential has")
        for name in ("timeout", "deadline", "idle_timeout"):
            seconds: float | None = getattr(self, name)
            if seconds is not None and not seconds > 0:
                raise ConfigurationError(f"{name} must be more than 0 seconds, or None for no limit")
        if self.user_agent is not None and not (self.user_agent.isascii() and self.user_agent.isprintable()):
            raise ConfigurationError("user_agent holds characters that a header cannot carry")
        if self.max_retries < 0:
            raise ConfigurationError("max_retries must not be negative")
        if not self.retry_budget >= 0:
            raise ConfigurationError("retry_budget must not be negative")


def base_url_or_default(base_url: str | None) -> str:
    """Return the passed address, else `COMPLIANCE_BASE_URL`, else that of the contract, without a slash at the end."""
    return (base_url or os.environ.get("COMPLIANCE_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")


def credentials_or_environment(**given: str | None) -> dict[str, str | None]:
    """Return the passed credentials, or those of `COMPLIANCE_*` if none were passed."""
    if any(value is not None for value in given.values()):
        return given
    return {name: os.environ.get(f"COMPLIANCE_{name.upper()}") or None for name in given}


_LEVELS: Final = {
    "off": logging.CRITICAL + 1,
    "error": logging.ERROR,
    "warn": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}


def logger_or_default(logger: logging.Logger | None) -> logging.Logger:
    """Return the passed logger, else that of the package, at the level of `COMPLIANCE_LOG` if it is set."""
    wanted = os.environ.get("COMPLIANCE_LOG")
    if logger is not None or not wanted:
        return logger or default_logger
    if wanted not in _LEVELS:
        raise ConfigurationError(f"COMPLIANCE_LOG must be one of {', '.join(_LEVELS)}")
    default_logger.setLevel(_LEVELS[wanted])
    if not default_logger.hasHandlers():
        default_logger.addHandler(logging.StreamHandler())
    return default_logger
