"""The running service of the live suite, and real input for it."""

from __future__ import annotations

import json
import os
import random
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4


@dataclass(frozen=True)
class Live:
    """Address and credentials of the demo tenant."""

    base_url: str
    api_key: str
    test_key: str
    client_id: str
    client_secret: str
    email: str
    password: str


def live() -> Live:
    """Read the file that `COMPLIANCE_LIVE` names."""
    demo = json.loads(Path(os.environ["COMPLIANCE_LIVE"]).read_text())
    return Live(
        base_url=demo["baseUrl"],
        api_key=demo["apiKey"],
        test_key=demo["testKey"],
        client_id=demo["clientId"],
        client_secret=demo["clientSecret"],
        email=demo["email"],
        password=demo["password"],
    )


_RANDOM: Final = random.SystemRandom()


def cpf() -> str:
    """Return a CPF with right check digits (modulo 11)."""
    digits = [_RANDOM.randrange(10) for _ in range(9)]
    for length in (9, 10):
        total = sum(digit * (length + 1 - place) for place, digit in enumerate(digits[:length]))
        digits.append(total * 10 % 11 % 10)
    return "".join(map(str, digits))


def person(**changes: Any) -> dict[str, Any]:
    """Return what a complete application is made from, with a reference and a tax number of its own."""
    return {
        "external_id": f"py-{uuid4()}",
        "purpose": "account_opening",
        "level": "standard",
        "channel": "mobile",
        "product_codes": ["pix_account"],
        "applicant": {
            "full_name": "Maria da Silva",
            "date_of_birth": "1990-04-12",
            "nationality": "BR",
            "tax_id": {"type": "cpf", "value": cpf(), "country": "BR"},
            "email": "maria.silva@example.com",
            "phone": "+5541999990000",
            "address": {
                "line1": "Rua das Flores",
                "number": "120",
                "city": "Curitiba",
                "state": "PR",
                "postal_code": "80010000",
                "country": "BR",
            },
        },
        "metadata": {"campaign": "november", "attempt": 1},
        **changes,
    }


def png(width: int = 640, height: int = 420) -> bytes:
    """Return a grey image that no other has the bytes of."""
    shade = _RANDOM.randbytes(width)
    rows = zlib.compress((b"\x00" + shade) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
