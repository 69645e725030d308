"""Base of the generated resources."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from compliance_onboarding._base import Model
from compliance_onboarding._body import Body
from compliance_onboarding._call import Answer, Call
from compliance_onboarding._config import CallOptions, KeyedCallOptions
from compliance_onboarding._download import AsyncDownload
from compliance_onboarding._operation import Operation
from compliance_onboarding._pagination import AsyncListing
from compliance_onboarding._paginator import AsyncPaginator, async_paginator
from compliance_onboarding._parse import nothing_reader, object_reader, refuse_page, union_reader
from compliance_onboarding._response import note
from compliance_onboarding._transport import AsyncTransport
from compliance_onboarding._wire import path_with, query_items, text_value

M = TypeVar("M", bound=Model)
R = TypeVar("R")
T = TypeVar("T")


class AsyncResource:
    """A group of operations."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    @property
    def logger(self) -> logging.Logger:
        """The logger of the client."""
        return self._transport.options.logger

    async def send(self, call: Call, read: Callable[[Answer], R]) -> R:
        """Send a call, read its response, and store it for `with_response`."""

        def noted(answer: Answer) -> R:
            result = read(answer)
            note(answer)
            return result

        return await self._transport.send(call, noted)

    async def _object(self, model: type[M], call: Call) -> M:
        return await self.send(call, object_reader(model, call.operation, self.logger))

    async def _one_of(self, union: object, call: Call) -> object:
        return await self.send(call, union_reader(union, call.operation, self.logger))

    async def _nothing(self, call: Call) -> None:
        await self.send(call, nothing_reader(call.operation))

    async def _download(self, call: Call) -> AsyncDownload:
        def read(answer: Answer) -> AsyncDownload:
            refuse_page(answer, call.operation)
            return AsyncDownload(answer.http, call.operation, call.idle_timeout)

        return await self.send(call, read)

    def _list(self, item: type[T], envelope: type[Model], member: str, call: Call) -> AsyncPaginator[T]:
        listing: AsyncListing[T] = AsyncListing(self, call, envelope, member)
        return async_paginator(listing)

    def _call(
        self,
        operation: Operation,
        options: CallOptions,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, object] | None = None,
        body: Body | None = None,
        stream: bool = False,
    ) -> Call:
        defaults = self._transport.options
        sent = {**(options.get("extra_headers") or {})}
        key = cast("KeyedCallOptions", options).get("idempotency_key")
        if key is not None:
            sent["idempotency-key"] = key
        sent.update((name, text_value(value)) for name, value in (headers or {}).items() if value is not None)
        return Call(
            operation=operation,
            path=path_with(operation.path, path or {}),
            query=query_items({**(query or {}), **(options.get("extra_query") or {})}),
            headers=sent,
            body=body,
            timeout=options.get("timeout", defaults.timeout),
            deadline=options.get("deadline", defaults.deadline),
            idle_timeout=options.get("idle_timeout", defaults.idle_timeout),
            max_retries=options.get("max_retries", defaults.max_retries),
            stream=stream,
        )
