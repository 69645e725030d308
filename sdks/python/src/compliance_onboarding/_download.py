"""A file that is being downloaded."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING

import httpx2

from compliance_onboarding._disposition import file_name
from compliance_onboarding._errors import APIConnectionError, APITimeoutError
from compliance_onboarding._operation import Operation
from compliance_onboarding._patience import AsyncIdleStream

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncDownload:
    """A file that is downloaded while it is read, once: by `read`, `iter_bytes`, `write_to` or `write_to_file`.

    Reading to the end releases the connection; leaving a `with` block releases it at any time.
    """

    def __init__(self, http: httpx2.Response, operation: Operation, idle_timeout: float | None) -> None:
        self._http = http
        self._operation = operation
        http.stream = AsyncIdleStream(http.stream, idle_timeout, self._stood_still)

    @property
    def media_type(self) -> str:
        """The media type, e.g. `application/pdf`."""
        value: str = self._http.headers.get("content-type", "application/octet-stream")
        return value.split(";", maxsplit=1)[0].strip()

    @property
    def size(self) -> int | None:
        """The number of bytes; None if the server does not state it."""
        value = self._http.headers.get("content-length")
        return int(value) if value is not None and value.isdecimal() else None

    @property
    def file_name(self) -> str | None:
        """The name in `Content-Disposition`, without any folder."""
        return file_name(self._http.headers.get("content-disposition", ""))

    async def iter_bytes(self, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        """Iterate over the bytes as they arrive."""
        try:
            async for chunk in self._http.aiter_bytes(chunk_size):
                yield chunk
        except httpx2.TimeoutException as error:
            raise self._stood_still() from error
        except httpx2.HTTPError as error:
            raise APIConnectionError(f"{self._operation.name}: the download broke off: {error}") from error
        finally:
            await self._http.aclose()

    def _stood_still(self) -> APITimeoutError:
        return APITimeoutError(f"{self._operation.name}: the download stood still for too long")

    async def read(self) -> bytes:
        """Return the whole file."""
        content = bytearray()
        async for chunk in self.iter_bytes():
            content += chunk
        return bytes(content)

    async def write_to(self, file: IO[bytes]) -> int:
        """Write the file to an open file or another binary stream; return the number of bytes."""
        size = 0
        async for chunk in self.iter_bytes():
            file.write(chunk)
            size += len(chunk)
        return size

    async def write_to_file(self, path: str | os.PathLike[str]) -> Path:
        """Write the file next to `path` and rename it to `path` once it is complete."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.partial")
        try:
            with partial.open("wb") as file:
                await self.write_to(file)
            return partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            # The disk may have refused before the first byte was read.
            await self.close()
            raise

    async def close(self) -> None:
        """Release the connection without reading the rest."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
