"""Which credential an operation gets, and the tokens of the OAuth 2.0 client-credentials grant."""

from __future__ import annotations

import time
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from compliance_onboarding._body import form_body
from compliance_onboarding._call import Call
from compliance_onboarding._concurrency import AsyncLock, AsyncTimeLimit
from compliance_onboarding._config import ClientOptions
from compliance_onboarding._errors import (
    APIConnectionError,
    APIStatusError,
    ConfigurationError,
    InvalidResponseError,
)
from compliance_onboarding._generated.contract import TOKEN_PATH
from compliance_onboarding._generated.models import AccessToken
from compliance_onboarding._operation import Operation

if TYPE_CHECKING:
    from compliance_onboarding._transport import AsyncTransport

#: Tokens are renewed this long before they expire, or at nine tenths of a shorter life.
EARLY: Final = 30.0

#: Asking for a token twice does no harm, so it is repeated like a read.
TOKEN_OPERATION: Final = Operation(name="createToken", method="POST", path=TOKEN_PATH, harmless=True)


@dataclass(frozen=True, slots=True)
class Authorization:
    """The header that carries a credential."""

    name: str
    value: str
    #: The access token, when this client got it itself and can get another.
    token: str | None = None

    def __repr__(self) -> str:
        return f"Authorization({self.name})"


@dataclass(frozen=True, slots=True)
class Token:
    """An access token and, on the monotonic clock, when to renew it and when it ends."""

    value: str
    renew_at: float
    expires_at: float

    def __repr__(self) -> str:
        return "Token(***)"


class AsyncCredentials:
    """Chooses among the configured credentials the first that an operation accepts."""

    def __init__(self, options: ClientOptions, transport: AsyncTransport) -> None:
        self._options = options
        self._tokens = AsyncTokens(options, transport) if options.oauth_client is not None else None

    async def authorization(self, operation: Operation, limit: AsyncTimeLimit) -> Authorization | None:
        """Return the header for an operation, None for a public one."""
        accepted = operation.security
        if not accepted:
            return None
        if self._options.access_token is not None and not {"bearerAuth", "oauth2"}.isdisjoint(accepted):
            return Authorization("authorization", f"Bearer {self._options.access_token}")
        if self._options.api_key is not None and "apiKey" in accepted:
            return Authorization("x-api-key", self._options.api_key)
        if self._tokens is not None and "oauth2" in accepted:
            token = await self._tokens.get(limit)
            return Authorization("authorization", f"Bearer {token}", token)
        raise ConfigurationError(self._missing(operation))

    def renew(self, refused: Authorization | None) -> bool:
        """Forget a token that was refused; true when another can be had."""
        if self._tokens is None or refused is None or refused.token is None:
            return False
        self._tokens.forget(refused.token)
        return True

    def _missing(self, operation: Operation) -> str:
        ways = {
            "apiKey": "api_key (COMPLIANCE_API_KEY)",
            "oauth2": "client_id and client_secret (COMPLIANCE_CLIENT_ID, COMPLIANCE_CLIENT_SECRET)",
            "bearerAuth": "access_token (COMPLIANCE_ACCESS_TOKEN)",
        }
        return f"{operation.name} needs one of: " + "; ".join(ways.get(name, name) for name in operation.security)


class AsyncTokens:
    """A token shared by all calls: asked for once however many need it, renewed before it ends."""

    def __init__(self, options: ClientOptions, transport: AsyncTransport) -> None:
        self._options = options
        self._transport = transport
        self._lock = AsyncLock()
        self._token: Token | None = None

    async def get(self, limit: AsyncTimeLimit) -> str:
        """Return a token that is good for the next request."""
        token = self._token
        if token is not None and _usable(token, self._lock.locked()):
            return token.value
        async with self._lock.held(limit):
            token = self._token
            if token is not None and _usable(token, renewing=False):
                return token.value
            try:
                self._token = await self._fetch(limit)
            except (APIConnectionError, APIStatusError):
                # The old token lives on for a moment; the next call tries again.
                if token is None or token is not self._token or time.monotonic() >= token.expires_at:
                    raise
                return token.value
            return self._token.value

    def forget(self, refused: str) -> None:
        """Drop a refused token, unless another call has replaced it already."""
        if self._token is not None and self._token.value == refused:
            self._token = None

    async def _fetch(self, limit: AsyncTimeLimit) -> Token:
        options = self._options
        # RFC 6749 §2.3.1: both parts are form-encoded before Basic joins them.
        pair = ":".join(quote(part, safe="") for part in options.oauth_client or ())
        scope = " ".join(options.scopes) if options.scopes is not None else None
        call = Call(
            operation=TOKEN_OPERATION,
            path=TOKEN_PATH,
            headers={"authorization": f"Basic {b64encode(pair.encode()).decode()}"},
            body=form_body({"grant_type": "client_credentials", "scope": scope}),
            timeout=options.timeout,
            deadline=None,
            max_retries=options.max_retries,
        )
        asked_at = time.monotonic()
        answer = await self._transport.send_within(limit, call)
        try:
            token = AccessToken.model_validate_json(answer.content)
        except ValueError as error:
            raise InvalidResponseError("the token endpoint answered something that is not a token") from error
        if any(not "!" <= character <= "~" for character in token.access_token):
            raise InvalidResponseError("the token endpoint answered a token that no header can carry")
        life = float(token.expires_in)
        return Token(token.access_token, asked_at + life - min(EARLY, life / 10), asked_at + life)


def _usable(token: Token, renewing: bool) -> bool:
    """While one call renews the token, the others go on with it as long as it lives."""
    now = time.monotonic()
    return now < token.renew_at or (renewing and now < token.expires_at)
