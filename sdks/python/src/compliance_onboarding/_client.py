"""The client."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypedDict

import httpx2

from compliance_onboarding._budget import RetryBudget
from compliance_onboarding._config import (
    DEFAULT_DEADLINE,
    DEFAULT_IDLE_TIMEOUT,
    DEFAULT_MAX_RETRIES,
    DEFAULT_RETRY_BUDGET,
    DEFAULT_TIMEOUT,
    ClientOptions,
    base_url_or_default,
    credentials_or_environment,
    logger_or_default,
)
from compliance_onboarding._errors import ComplianceOnboardingError
from compliance_onboarding._generated.resources import AsyncResources
from compliance_onboarding._http import AsyncHttp
from compliance_onboarding._logging import RequestEvent, ResponseEvent
from compliance_onboarding._transport import AsyncTransport

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class _Changes(TypedDict, total=False):
    api_key: str | None
    access_token: str | None
    client_id: str | None
    client_secret: str | None
    scopes: Sequence[str] | None
    base_url: str
    timeout: float | None
    deadline: float | None
    idle_timeout: float | None
    max_retries: int
    headers: Mapping[str, str]
    user_agent: str | None
    logger: logging.Logger


class AsyncComplianceOnboarding(AsyncResources):
    """A client of the compliance onboarding API. One instance serves a whole program.

    Pass an API key, OAuth client credentials, an access token, or several of them: each operation receives one
    that it accepts, and an API key is exchanged for a token if the operation accepts only tokens. Without any
    credentials, the client reads `COMPLIANCE_API_KEY`, `COMPLIANCE_CLIENT_ID`, `COMPLIANCE_CLIENT_SECRET` and
    `COMPLIANCE_ACCESS_TOKEN`. The address is `base_url` or `COMPLIANCE_BASE_URL`.

    `timeout` (seconds per attempt), `deadline` (seconds per call), `idle_timeout` (seconds that a download may
    stall) and `max_retries` can also be set per call.
    `retry_budget` is the number of retries that all calls together may use before one of them succeeds. The default is
    10, so that an outage of any length costs the service ten additional requests; 0 means none, `math.inf` no limit.
    `user_agent` names your program (`acme-onboarding/2.3`) before this package. `logger` replaces
    `logging.getLogger("compliance_onboarding")`, whose level `COMPLIANCE_LOG=debug` sets.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        scopes: Sequence[str] | None = None,
        access_token: str | None = None,
        base_url: str | None = None,
        timeout: float | None = DEFAULT_TIMEOUT,
        deadline: float | None = DEFAULT_DEADLINE,
        idle_timeout: float | None = DEFAULT_IDLE_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        retry_budget: float = DEFAULT_RETRY_BUDGET,
        headers: Mapping[str, str] | None = None,
        user_agent: str | None = None,
        http_client: httpx2.AsyncClient | None = None,
        logger: logging.Logger | None = None,
        on_request: Callable[[RequestEvent], None] | None = None,
        on_response: Callable[[ResponseEvent], None] | None = None,
    ) -> None:
        credentials = credentials_or_environment(
            api_key=api_key, access_token=access_token, client_id=client_id, client_secret=client_secret
        )
        options = ClientOptions(
            base_url=base_url_or_default(base_url),
            scopes=scopes,
            timeout=timeout,
            deadline=deadline,
            idle_timeout=idle_timeout,
            max_retries=max_retries,
            retry_budget=retry_budget,
            headers=headers or {},
            user_agent=user_agent,
            logger=logger_or_default(logger),
            on_request=on_request,
            on_response=on_response,
            **credentials,
        )
        super().__init__(AsyncTransport(options, AsyncHttp(http_client), RetryBudget(retry_budget)))

    def with_options(self, **changes: Unpack[_Changes]) -> Self:
        """Return a client that differs in some options and shares the connections of this one."""
        if "base_url" in changes:
            changes["base_url"] = base_url_or_default(changes["base_url"])
        client = object.__new__(type(self))
        AsyncResources.__init__(client, self._transport.changed(replace(self._transport.options, **changes)))
        return client

    async def resume(self, error: ComplianceOnboardingError) -> Any:
        """Resend the call that ended with an error, and return its result.

        The call is sent under the same idempotency key, with the limits and retries of a new call. After an error whose
        `outcome` is `"unknown"`, resuming returns the result of the first attempt, or carries the call out if it had no
        effect. Raises `ValueError` for an error that was pickled or raised by another package: it holds no call.
        """
        return await self._transport.resume(error)

    async def close(self) -> None:
        """Close the connections. If the client is used again, it opens new ones."""
        await self._transport.http.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._transport.options.base_url!r})"
