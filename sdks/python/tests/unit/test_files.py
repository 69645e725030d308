"""Uploads and downloads."""

from __future__ import annotations

import asyncio
import io
import os
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from compliance_onboarding import APIConnectionError, APITimeoutError, errors
from support.both import collect, settle
from support.objects import APPLICATION_ID, DOCUMENT_ID, JPEG, document
from support.stub import Asked, Reply, Stub, problem

pytestmark = pytest.mark.anyio

PDF = b"%PDF-1.7\n" + bytes(32)


def parts(asked: Asked) -> list[Message]:
    message = message_from_bytes(b"Content-Type: " + (asked["Content-Type"] or "").encode() + b"\r\n\r\n" + asked.body)
    assert message.is_multipart()
    return [part for part in message.walk() if part is not message]


def file_part(asked: Asked) -> tuple[str | None, str, bytes]:
    part = next(part for part in parts(asked) if part.get_filename() is not None)
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return part.get_filename(), part.get_content_type(), content


class Pipe(io.RawIOBase):
    """A stream that can be read once only."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._content.readinto(buffer)


class Named(io.BytesIO):
    """A stream with a name, which is what the file was opened by."""

    def __init__(self, name: object) -> None:
        super().__init__(JPEG)
        self.name = name


async def upload(client: Any, file: object, **members: object) -> Any:
    return await settle(client.applications.documents.upload(APPLICATION_ID, file=file, type="passport", **members))


async def test_an_upload_sends_its_fields_before_its_file(client: Any, stub: Stub) -> None:
    stub.answer(Reply(status=201, body=document()))
    stored = await upload(client, ("scan.jpg", JPEG), side="single", country="BR", expires_on="2031-05-01")
    assert stored.mime_type == "image/jpeg"
    names = [part.get_param("name", header="content-disposition") for part in parts(stub.asked[0])]
    assert names == ["type", "side", "country", "expiresOn", "file"]
    assert stub.asked[0]["Idempotency-Key"]


async def test_a_file_is_taken_in_every_form(client: Any, stub: Stub, tmp_path: Path) -> None:
    stub.answer(Reply(status=201, body=document()))
    path = tmp_path / "passport.jpg"
    path.write_bytes(JPEG)
    with path.open("rb") as opened:
        forms: list[tuple[object, str]] = [
            (path, "passport.jpg"),
            (JPEG, "file.jpg"),
            (bytearray(JPEG), "file.jpg"),
            (opened, "passport.jpg"),
            (Named(path), "passport.jpg"),
            (Named(os.fsencode(path)), "passport.jpg"),
            (Named(3), "file.jpg"),
            (Named("<stdin>"), "file.jpg"),
            (io.BytesIO(JPEG), "file.jpg"),
            (io.BufferedReader(Pipe(JPEG)), "file.jpg"),
            (("scan.jpg", JPEG), "scan.jpg"),
            (("scan.jpg", path), "scan.jpg"),
            (("scan.jpg", io.BytesIO(JPEG), "image/jpeg"), "scan.jpg"),
        ]
        for form, name in forms:
            await upload(client, form)
            assert file_part(stub.asked[-1]) == (name, "image/jpeg", JPEG)
        assert not opened.closed


async def test_an_open_file_is_sent_from_where_it_stands(client: Any, stub: Stub) -> None:
    stub.answer(Reply(status=201, body=document()))
    file = io.BytesIO(b"skipped" + PDF)
    file.seek(7)
    await upload(client, file)
    assert file_part(stub.asked[0]) == ("file.pdf", "application/pdf", PDF)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (JPEG, "image/jpeg"),
        (PDF, "application/pdf"),
        (b"\x89PNG\r\n\x1a\n" + bytes(8), "image/png"),
        (b"RIFF\x00\x00\x00\x00WEBP" + bytes(8), "image/webp"),
        (b"plain", "text/plain"),
    ],
)
async def test_the_content_says_what_it_is(client: Any, stub: Stub, content: bytes, media_type: str) -> None:
    stub.answer(Reply(status=201, body=document()))
    await upload(client, ("wrong.txt", content))
    assert file_part(stub.asked[0])[1] == media_type


async def test_an_upload_that_is_repeated_sends_the_whole_file_again(client: Any, stub: Stub, tmp_path: Path) -> None:
    path = tmp_path / "passport.jpg"
    path.write_bytes(JPEG)
    with path.open("rb") as opened:
        for file in (path, opened, JPEG, io.BufferedReader(Pipe(JPEG))):
            stub.asked.clear()
            stub.answer(problem(503, "overloaded"), Reply(status=201, body=document()))
            await upload(client, file)
            assert [file_part(asked)[2] for asked in stub.asked] == [JPEG, JPEG]
            assert len({asked["Idempotency-Key"] for asked in stub.asked}) == 1


@pytest.mark.parametrize("file", ["passport.jpg", io.StringIO("text"), 5])
async def test_what_is_no_file_is_refused_before_anything_is_sent(client: Any, stub: Stub, file: object) -> None:
    with pytest.raises(TypeError):
        await upload(client, file)
    assert stub.asked == []


def sent_file(**headers: str) -> Reply:
    disposition = "attachment; filename=\"passport.jpg\"; filename*=UTF-8''pass%C3%A3porte.jpg"
    return Reply(body=JPEG, headers={"Content-Type": "image/jpeg", "Content-Disposition": disposition, **headers})


async def download(client: Any) -> Any:
    return await settle(client.applications.documents.download(APPLICATION_ID, DOCUMENT_ID))


async def test_a_download_is_read_as_bytes(client: Any, stub: Stub) -> None:
    stub.answer(sent_file())
    file = await download(client)
    assert (file.media_type, file.size, file.file_name) == ("image/jpeg", len(JPEG), "passãporte.jpg")
    assert await settle(file.read()) == JPEG
    assert stub.asked[0].path == f"/v1/applications/{APPLICATION_ID}/documents/{DOCUMENT_ID}/content"


async def test_a_download_is_read_in_chunks(client: Any, stub: Stub) -> None:
    stub.answer(sent_file())
    chunks = await collect((await download(client)).iter_bytes(16))
    assert b"".join(chunks) == JPEG
    assert max(map(len, chunks)) == 16


async def test_a_download_is_written_to_a_file(client: Any, stub: Stub, tmp_path: Path) -> None:
    stub.answer(sent_file())
    written = await settle((await download(client)).write_to_file(tmp_path / "copy.jpg"))
    assert written == tmp_path / "copy.jpg"
    assert written.read_bytes() == JPEG
    assert [path.name for path in tmp_path.iterdir()] == ["copy.jpg"]


async def test_a_download_is_written_to_a_stream(client: Any, stub: Stub) -> None:
    stub.answer(sent_file())
    stream = io.BytesIO()
    assert await settle((await download(client)).write_to(stream)) == len(JPEG)
    assert stream.getvalue() == JPEG


async def test_a_download_that_stands_still_is_a_timeout(client: Any, stub: Stub) -> None:
    stub.answer(Reply(drip=1, body=JPEG))
    file = await settle(client.applications.documents.download(APPLICATION_ID, DOCUMENT_ID, idle_timeout=0.3))
    with pytest.raises(APITimeoutError) as caught:
        await settle(file.read())
    assert caught.value.outcome == "unknown"


async def test_a_client_limits_how_long_its_downloads_stand_still(make: Any, stub: Stub) -> None:
    stub.answer(Reply(drip=1, body=JPEG))
    file = await download(make(idle_timeout=0.2, timeout=None))
    with pytest.raises(APITimeoutError):
        await settle(file.read())


async def test_a_download_takes_as_long_as_it_moves_on(client: Any, stub: Stub) -> None:
    stub.answer(Reply(drip=0.02, body=JPEG))
    limits: dict[str, float] = {"timeout": 0.5, "deadline": 0.6, "idle_timeout": 0.5}
    file = await settle(client.applications.documents.download(APPLICATION_ID, DOCUMENT_ID, **limits))
    assert b"".join(await collect(file.iter_bytes(1_000))) == JPEG


async def test_a_program_that_is_slow_to_take_a_download_does_not_end_it(client: Any, stub: Stub) -> None:
    stub.answer(sent_file())
    file = await settle(client.applications.documents.download(APPLICATION_ID, DOCUMENT_ID, idle_timeout=0.05))
    taken = b""
    pieces = file.iter_bytes(16)
    for _ in range(4):
        taken += await settle(anext(pieces) if hasattr(pieces, "__anext__") else next(pieces))
        await asyncio.sleep(0.1)
    assert taken == JPEG[:64]
    await settle(file.close())


async def test_a_download_that_breaks_off_leaves_no_file(client: Any, stub: Stub, tmp_path: Path) -> None:
    stub.answer(Reply(body=JPEG, cut_after=10))
    with pytest.raises(APIConnectionError):
        await settle((await download(client)).write_to_file(tmp_path / "copy.jpg"))
    assert list(tmp_path.iterdir()) == []


async def test_a_download_can_be_left_unread(client: Any, stub: Stub) -> None:
    stub.answer(sent_file())
    file = await download(client)
    if hasattr(file, "__aenter__"):
        async with file:
            pass
    else:
        with file:
            pass
    assert await download(client)


async def test_a_download_has_its_headers_with_response(client: Any, stub: Stub) -> None:
    stub.answer(sent_file(**{"X-Environment": "sandbox"}))
    answer = await settle(client.applications.documents.with_response.download(APPLICATION_ID, DOCUMENT_ID))
    assert answer.headers["x-environment"] == "sandbox"
    assert await settle(answer.data.read()) == JPEG


async def test_a_refused_download_is_an_error(client: Any, stub: Stub) -> None:
    stub.answer(problem(404, "not_found"))
    with pytest.raises(errors.NotFoundError):
        await download(client)


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ("attachment", None),
        (r'attachment; filename="a\\b.pdf"', "b.pdf"),
        ('attachment; filename=".."', None),
        ("attachment; filename*=UTF-8''a%2F..", None),
        ("attachment; filename*=UTF-8''a%00.pdf", None),
    ],
)
async def test_a_file_name_has_no_folders(client: Any, stub: Stub, disposition: str, name: str | None) -> None:
    stub.answer(sent_file(**{"Content-Disposition": disposition}))
    file = await download(client)
    assert file.file_name == name
    await settle(file.close())
