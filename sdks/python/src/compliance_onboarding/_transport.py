"""Sending of one call: attempts, waits and re-authentication within one deadline."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import uuid4

import httpx2

from compliance_onboarding._auth import AsyncCredentials
from compliance_onboarding._body import BodyArguments
from compliance_onboarding._budget import RetryBudget
from compliance_onboarding._call import Answer, Call
from compliance_onboarding._concurrency import AsyncTimeLimit, async_sleep, beginning
from compliance_onboarding._config import ClientOptions
from compliance_onboarding._deprecation import warn_when_deprecated
from compliance_onboarding._errors import (
    APIConnectionError,
    APIStatusError,
    ComplianceOnboardingError,
    InvalidResponseError,
)
from compliance_onboarding._failure import connection_failed, deadline_exceeded, timed_out
from compliance_onboarding._http import AsyncHttp
from compliance_onboarding._logging import PrivateHeaders, Watch, log, quiet_http_library
from compliance_onboarding._outcome import Attempt, CallOutcome, Resumable, keep, kept
from compliance_onboarding._patience import async_extensions
from compliance_onboarding._problem import error_from
from compliance_onboarding._retry import wait_before_repeating
from compliance_onboarding._wire import header_text, with_query

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Sending(Generic[R]):
    """A call that is being sent."""

    call: Call
    read: Callable[[Answer], R]
    #: What all attempts send; each adds the credential of the moment.
    headers: PrivateHeaders
    known: CallOutcome


class AsyncTransport:
    """Sends calls with the options of a client."""

    def __init__(
        self, options: ClientOptions, http: AsyncHttp, budget: RetryBudget, credentials: AsyncCredentials | None = None
    ) -> None:
        self.options = options
        self.http = http
        self._budget = budget
        self._credentials = credentials or AsyncCredentials(options, self)

    def changed(self, options: ClientOptions) -> AsyncTransport:
        """Return a transport with other options that shares connections, budget and tokens if possible."""
        same = options.identity == self.options.identity
        return AsyncTransport(options, self.http, self._budget, self._credentials if same else None)

    async def send(self, call: Call, read: Callable[[Answer], R]) -> R:
        """Send a call until it succeeds, fails permanently or exceeds its deadline; return the parsed response."""
        headers = self._headers(call)
        known = CallOutcome()
        try:
            async with AsyncTimeLimit(call.deadline, lambda: deadline_exceeded(call), since=beginning()) as limit:
                return await self._send_within(limit, _Sending(call, read, headers, known))
        except ComplianceOnboardingError as error:
            error.outcome = known.of(error, call)
            keep(error, Resumable(call, read, type(self)), headers)
            raise

    async def resume(self, error: ComplianceOnboardingError) -> object:
        """Resend the call that ended with an error."""
        resumable = kept(error, type(self))
        return await self.send(resumable.call, resumable.read)

    async def _send_within(self, limit: AsyncTimeLimit, sending: _Sending[R]) -> R:
        call = sending.call
        attempt = 0
        renewed = False
        while True:
            authorization = await self._credentials.authorization(call.operation, limit)
            sent = PrivateHeaders(sending.headers)
            if authorization is not None:
                sent[authorization.name] = authorization.value
            try:
                answer, result = await self._attempt(sending, sent, attempt, limit)
            except (APIConnectionError, APIStatusError, InvalidResponseError) as error:
                sending.known.end(error.outcome)
                limit.check()
                refused = isinstance(error, APIStatusError) and error.status == 401
                if refused and not renewed and self._credentials.renew(authorization):
                    renewed = True
                    continue
                wait = wait_before_repeating(call.operation, error, attempt) if attempt < call.max_retries else None
                remaining = limit.remaining()
                # A wait that ends beyond the deadline would only delay the news.
                if wait is None or (remaining is not None and wait >= remaining):
                    raise
                if not self._budget.take():
                    self._inform("%s is not repeated: the retry budget is used up", call.operation.name)
                    raise
                self._inform("%s is repeated in %.0f ms", call.operation.name, wait * 1000)
            else:
                self._budget.give_back(attempt)
                warn_when_deprecated(call.operation, answer.http.headers)
                return result
            await async_sleep(wait)
            attempt += 1

    def _inform(self, message: str, *args: object) -> None:
        log(self.options.logger, logging.INFO, message, *args)

    def _headers(self, call: Call) -> PrivateHeaders:
        headers = PrivateHeaders({"accept": call.operation.accept, "user-agent": self.options.product})
        if call.operation.keyed:
            # Made once for all attempts: it is what makes repeating them safe.
            headers["idempotency-key"] = str(uuid4())
        for given in (self.options.headers, call.headers):
            headers.update((name.lower(), header_text(name, value)) for name, value in given.items())
        return headers

    async def _attempt(
        self, sending: _Sending[R], headers: PrivateHeaders, attempt: int, limit: AsyncTimeLimit
    ) -> tuple[Answer, R]:
        call = sending.call
        watch = Watch(
            on_request=self.options.on_request,
            on_response=self.options.on_response,
            logger=self.options.logger,
            call=call,
            attempt=attempt + 1,
            headers=headers,
        )
        steps = Attempt(is_traced=self.http.is_own)
        sending.known.begin(steps)
        try:
            answer = await self._exchange(call, headers, limit, steps)
        except APIConnectionError as error:
            if steps.outcome == "not_sent":
                error.outcome = "not_sent"
            watch.failed(error)
            raise
        watch.answered(answer)
        if not answer.http.is_success:
            raise error_from(answer.http.status_code, answer.http.headers, answer.content)
        try:
            return answer, sending.read(answer)
        except InvalidResponseError:
            await answer.http.aclose()
            raise

    async def _exchange(self, call: Call, headers: PrivateHeaders, limit: AsyncTimeLimit, steps: Attempt) -> Answer:
        seconds = min((s for s in (call.timeout, limit.remaining()) if s is not None), default=None)
        # A stream is read beyond this attempt, so that its reads are limited elsewhere.
        instructions = async_extensions(None if call.stream else seconds, steps)
        with ExitStack() as files, quiet_http_library():
            async with AsyncTimeLimit(seconds, lambda: timed_out(call)) as attempt_limit:
                try:
                    response = await self._request(call, headers, instructions, files)
                    kept_open = call.stream and response.is_success
                    return Answer(response, b"" if kept_open else await _content(response, attempt_limit))
                except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                    raise connection_failed(call, error) from error

    async def _request(
        self, call: Call, headers: PrivateHeaders, instructions: dict[str, Any], files: ExitStack
    ) -> httpx2.Response:
        body = call.body.arguments(files) if call.body is not None else BodyArguments()
        client = self.http.client()
        request = client.build_request(
            call.operation.method,
            with_query(self.options.base_url + call.path, call.query),
            headers={**headers, **body.headers},
            content=body.content,
            data=body.data,
            files=body.files,
            extensions=instructions,
        )
        # A redirect would carry the credential elsewhere, so it is answered as the error it is here.
        return await client.send(request, stream=True, auth=None, follow_redirects=False)


async def _content(response: httpx2.Response, limit: AsyncTimeLimit) -> bytes:
    content = bytearray()
    try:
        async for chunk in response.aiter_bytes():
            content += chunk
            limit.check()
    finally:
        await response.aclose()
    return bytes(content)
