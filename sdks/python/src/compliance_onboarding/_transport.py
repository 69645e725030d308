"""The way of one call: attempts, waits and re-authentication within one deadline."""

from __future__ import annotations

from contextlib import ExitStack
from uuid import uuid4

import httpx2

from compliance_onboarding._auth import AsyncCredentials
from compliance_onboarding._body import BodyArguments
from compliance_onboarding._budget import RetryBudget
from compliance_onboarding._call import Answer, Call
from compliance_onboarding._concurrency import AsyncTimeLimit, async_sleep
from compliance_onboarding._config import ClientOptions
from compliance_onboarding._deprecation import warn_when_deprecated
from compliance_onboarding._errors import APIConnectionError, APIStatusError
from compliance_onboarding._failure import connection_failed, deadline_exceeded, timed_out
from compliance_onboarding._http import AsyncHttp
from compliance_onboarding._logging import PrivateHeaders, Watch, quiet_http_library
from compliance_onboarding._patience import async_extensions
from compliance_onboarding._problem import error_from
from compliance_onboarding._retry import wait_before_repeating
from compliance_onboarding._wire import header_text, with_query


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
        """Return a transport with other options; connections, budget and tokens are shared where they can be."""
        same = options.identity == self.options.identity
        return AsyncTransport(options, self.http, self._budget, self._credentials if same else None)

    async def send(self, call: Call) -> Answer:
        """Send a call until it succeeds, fails for good or runs out of time."""
        async with AsyncTimeLimit(call.deadline, lambda: deadline_exceeded(call)) as limit:
            return await self.send_within(limit, call)

    async def send_within(self, limit: AsyncTimeLimit, call: Call) -> Answer:
        """Send a call within a limit that has begun already."""
        headers = self._headers(call)
        attempt = 0
        renewed = False
        while True:
            authorization = await self._credentials.authorization(call.operation, limit)
            sent = PrivateHeaders(headers)
            if authorization is not None:
                sent[authorization.name] = authorization.value
            try:
                answer = await self._attempt(call, sent, attempt, limit)
            except (APIConnectionError, APIStatusError) as error:
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
                    self.options.logger.info("%s is not repeated: the retry budget is used up", call.operation.name)
                    raise
                self.options.logger.info("%s is repeated in %.0f ms", call.operation.name, wait * 1000)
            else:
                self._budget.give_back(attempt)
                warn_when_deprecated(call.operation, answer.http.headers)
                return answer
            await async_sleep(wait)
            attempt += 1

    def _headers(self, call: Call) -> PrivateHeaders:
        headers = PrivateHeaders({"accept": call.operation.accept, "user-agent": self.options.product})
        if call.operation.keyed:
            # Made once for all attempts: it is what makes repeating them safe.
            headers["idempotency-key"] = str(uuid4())
        for given in (self.options.headers, call.headers):
            headers.update((name.lower(), header_text(name, value)) for name, value in given.items())
        return headers

    async def _attempt(self, call: Call, headers: PrivateHeaders, attempt: int, limit: AsyncTimeLimit) -> Answer:
        watch = Watch(
            on_request=self.options.on_request,
            on_response=self.options.on_response,
            logger=self.options.logger,
            call=call,
            attempt=attempt + 1,
            headers=headers,
        )
        try:
            answer = await self._exchange(call, headers, limit)
        except APIConnectionError as error:
            watch.failed(error)
            raise
        watch.answered(answer)
        if answer.http.is_success:
            return answer
        raise error_from(answer.http.status_code, answer.http.headers, answer.content)

    async def _exchange(self, call: Call, headers: PrivateHeaders, limit: AsyncTimeLimit) -> Answer:
        seconds = min((s for s in (call.timeout, limit.remaining()) if s is not None), default=None)
        with ExitStack() as files, quiet_http_library():
            async with AsyncTimeLimit(seconds, lambda: timed_out(call)) as attempt_limit:
                try:
                    response = await self._request(call, headers, seconds, files)
                    kept_open = call.stream and response.is_success
                    return Answer(response, b"" if kept_open else await _content(response, attempt_limit))
                except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                    raise connection_failed(call, error) from error

    async def _request(
        self, call: Call, headers: PrivateHeaders, seconds: float | None, files: ExitStack
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
            extensions=async_extensions(seconds),
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
