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
from compliance_onboarding._token import AbandonedError, PendingTokenRequest, Token, token_living, token_store
from compliance_onboarding._wire import escaped

if TYPE_CHECKING:
    from compliance_onboarding._transport import AsyncTransport

#: Requesting a token twice does no harm, so it is retried like a read.
TOKEN_OPERATION: Final = Operation(name="createToken", method="POST", path=TOKEN_PATH, harmless=True)


@dataclass(frozen=True)
class Authorization:
    """The header that carries a credential."""

    name: str
    value: str
    #: Set only if this client requested the token and can request a new one.
    token: str | None = None

    def __repr__(self) -> str:
        return f"Authorization({self.name})"


class AsyncCredentials:
    """Chooses the first configured credential that an operation accepts."""

    def __init__(self, options: ClientOptions, transport: AsyncTransport) -> None:
        self._options = options
        credentials = options.oauth_client
        self._tokens = AsyncTokens(options, credentials, transport) if credentials is not None else None

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
    """Requests tokens. Concurrent calls share one request, and calls keep using the current token until it expires."""

    def __init__(self, options: ClientOptions, credentials: tuple[str, str], transport: AsyncTransport) -> None:
        self._options = options
        self._credentials = credentials
        self._transport = transport
        self.store = token_store(options.base_url, *credentials, options.scopes)

    async def get(self, limit: AsyncTimeLimit) -> str:
        """Return a token that is valid for the next request."""
        while True:
            token = self.store.token
            if token is not None and time.monotonic() < token.renew_at:
                return token.value
            request, is_new = self.store.join()
            if is_new:
                async_start(self._renew, request)
            if token is not None:
                return token.value
            try:
                return (await async_outcome(request.outcome, limit)).value
            except AbandonedError as error:
                # Another client started the request, then was closed or lost its event loop: try again.
                if is_new:
                    raise error.__cause__ or error from None
            except ComplianceOnboardingError as error:
                # Each waiting call raises an error of its own, with its own traceback.
                raise copy.copy(error) from None

    async def _renew(self, request: PendingTokenRequest) -> None:
        try:
            token = await self._fetch()
        except ComplianceOnboardingError as error:
            self.store.fail(request, error)
        except BaseException as error:
            abandoned = AbandonedError("the request for a token was abandoned")
            abandoned.__cause__ = error
            self.store.fail(request, abandoned)
            if not isinstance(error, Exception):
                raise
        else:
            self.store.complete(request, token)

    async def _fetch(self) -> Token:
        options = self._options
        # RFC 6749 §2.3.1: both parts are form-encoded before Basic joins them.
        credentials = ":".join(escaped(part) for part in self._credentials)
        scope = " ".join(options.scopes) if options.scopes is not None else None
        call = Call(
            operation=TOKEN_OPERATION,
            path=TOKEN_PATH,
            headers={"authorization": f"Basic {b64encode(credentials.encode()).decode()}"},
            body=form_body({"grant_type": "client_credentials", "scope": scope}),
            timeout=options.timeout,
            deadline=options.deadline,
            max_retries=options.max_retries,
        )
        requested_at = time.monotonic()
        return await self._transport.send(call, lambda answer: _token_in(answer, requested_at))


def _token_in(answer: Answer, requested_at: float) -> Token:
    try:
        members = json_object(json.loads(answer.content))
        value, seconds = str(members["access_token"]), float(members["expires_in"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise invalid_response(TOKEN_OPERATION, answer, "the body is not a token response") from None
    if not value or any(not "!" <= character <= "~" for character in value):
        raise invalid_response(TOKEN_OPERATION, answer, "the token contains characters not allowed in a header")
    return token_living(value, seconds, since=requested_at)
