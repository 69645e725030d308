"""The OAuth client of the tests, and answers of the token endpoint."""

from __future__ import annotations

from typing import Any, Final

from support.stub import Reply

CLIENT: Final[dict[str, Any]] = {
    "api_key": None,
    "client_id": "kyc_test_7Hq2ZtK9",
    "client_secret": "kyc_test_7Hq2ZtK9_s%cret",
}


def token(value: str, seconds: float = 3600) -> Reply:
    """Answer a token."""
    body = {"access_token": value, "token_type": "Bearer", "expires_in": seconds, "scope": "read"}
    return Reply(body=body)
