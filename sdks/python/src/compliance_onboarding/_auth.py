"""Choice of the credential for an operation, and tokens of the OAuth 2.0 client-credentials grant."""

from __future__ import annotations

import copy
import json
import time
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from compliance_onboarding._body import form_body
from compliance_onboarding._call import Answer, Call
from compliance_onboarding._concurrency import AsyncTimeLimit, async_outcome, async_start
from compliance_onboarding._config import ClientOptions
from compliance_onboarding._errors import ComplianceOnboardingError, ConfigurationError
from compliance_onboarding._failure import invalid_response
from compliance_onboarding._generated.contract import TOKEN_PATH
from compliance_onboarding._json import json_object
from compliance_onboarding._operation import Operation
from compliance_onboarding._token import AbandonedError, Flight, Token, token_living, token_store
from compliance_onboarding._wire import escaped

if TYPE_CHECKING:
    from compliance_onboarding._transport import AsyncTransport

#: Asking for a token twice does no harm, so it is repeated like a read.
TOKEN_OPERATION: Final = Operation(name="createToken", method="POST", path=TOKEN_PATH, harmless=True)


@dataclass(frozen=True)
class Authorization:
    """The header that carries a credential."""

    name: str
    value: str
    #: The access token, when this client got it itself and can get another.
    token: str | None = None

    def __repr__(self) -> str:
        return f"Authorization({self.name})"


class AsyncCredentials:
    """Chooses the first configured credential that an operation accepts."""

    def __init__(self, options: ClientOptions, transport: AsyncTransport) -> None:
        self._options = options
        pair = options.oauth_client
        self._tokens = AsyncTokens(options, pair, transport) if pair is not None else None

    async def authorization(self, operation: Operation, limit: AsyncTimeLimit) -> Authorization | None:
        """Return the header for an operation; None if the operation is public."""
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
        """Discard a refused token. Return true if a new token can be requested."""
        if self._tokens is None or refused is None or refused.token is None:
            return False
        self._tokens.store.forget(refused.token)
        return True

    def _missing(self, operation: Operation) -> str:
        ways = {
            "apiKey": "api_key (COMPLIANCE_API_KEY)",
            "oauth2": "client_id and client_secret (COMPLIANCE_CLIENT_ID, COMPLIANCE_CLIENT_SECRET)",
            "bearerAuth": "access_token (COMPLIANCE_ACCESS_TOKEN)",
        }
        return f"{operation.name} needs one of: " + "; ".join(ways.get(name, name) for name in operation.security)


class AsyncTokens:
    """Requests tokens: concurrent calls share one request, and none waits while the old token is valid."""

    def __init__(self, options: ClientOptions, pair: tuple[str, str], transport: AsyncTransport) -> None:
        self._options = options
        self._pair = pair
        self._transport = transport
        self.store = token_store(options.base_url, *pair, options.scopes)

    async def get(self, limit: AsyncTimeLimit) -> str:
        """Return a token that is valid for the next request."""
        while True:
            token = self.store.token
            if token is not None and time.monotonic() < token.renew_at:
                return token.value
            flight, ours = self.store.join()
            if ours:
                async_start(self._renew, flight)
            if token is not None:
                return token.value
            try:
                return (await async_outcome(flight.outcome, limit)).value
            except AbandonedError as error:
                # The request was another client's, which was closed or whose event loop ended.
                if ours:
                    raise error.__cause__ or error from None
            except ComplianceOnboardingError as error:
                # Each waiting call raises an error of its own, with its own traceback.
                raise copy.copy(error) from None

    async def _renew(self, flight: Flight) -> None:
        try:
            token = await self._fetch()
        except ComplianceOnboardingError as error:
            self.store.fail(flight, error)
        except BaseException as error:
            abandoned = AbandonedError("the request for a token was abandoned")
            abandoned.__cause__ = error
            self.store.fail(flight, abandoned)
            if not isinstance(error, Exception):
                raise
        else:
            self.store.land(flight, token)

    async def _fetch(self) -> Token:
        options = self._options
        # RFC 6749 §2.3.1: both parts are form-encoded before Basic joins them.
        pair = ":".join(escaped(part) for part in self._pair)
        scope = " ".join(options.scopes) if options.scopes is not None else None
        call = Call(
            operation=TOKEN_OPERATION,
            path=TOKEN_PATH,
            headers={"authorization": f"Basic {b64encode(pair.encode()).decode()}"},
            body=form_body({"grant_type": "client_credentials", "scope": scope}),
            timeout=options.timeout,
            deadline=options.deadline,
            max_retries=options.max_retries,
        )
        asked_at = time.monotonic()
        return await self._transport.send(call, lambda answer: _token_in(answer, asked_at))


def _token_in(answer: Answer, asked_at: float) -> Token:
    try:
        members = json_object(json.loads(answer.content))
        value, seconds = str(members["access_token"]), float(members["expires_in"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise invalid_response(TOKEN_OPERATION, answer, "the body is no token") from None
    if not value or any(not "!" <= character <= "~" for character in value):
        raise invalid_response(TOKEN_OPERATION, answer, "no header can carry the token")
    return token_living(value, seconds, since=asked_at)
