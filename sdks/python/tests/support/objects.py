"""Objects as the server answers them."""

from __future__ import annotations

from typing import Any

APPLICATION_ID = "0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21"
DOCUMENT_ID = "0197f2c9-02bc-7f10-9a6e-3c5d8e7f1b32"
JPEG = b"\xff\xd8\xff\xe0" + b"\x00\x10JFIF" + bytes(64)


def application(**changes: object) -> dict[str, Any]:
    """An application."""
    return {
        "id": APPLICATION_ID,
        "externalId": "cust-8841",
        "environment": "sandbox",
        "status": "draft",
        "statusReason": None,
        "level": "standard",
        "riskLevel": None,
        "riskScore": None,
        "riskAssessmentId": None,
        "purpose": "account_opening",
        "applicant": {
            "fullName": "Maria da Silva",
            "socialName": None,
            "motherName": None,
            "dateOfBirth": "1990-04-12",
            "nationality": "BR",
            "countryOfBirth": None,
            "taxId": {"type": "cpf", "value": "52998224725", "country": "BR"},
            "email": "maria.silva@example.com",
            "phone": "+5541999990000",
            "address": None,
            "occupation": None,
            "monthlyIncome": {"amount": 850000, "currency": "BRL"},
            "sourceOfFunds": ["salary"],
            "pepDeclaration": None,
            "taxResidencies": [],
            "residentAbroad": False,
        },
        "personalDataMasked": False,
        "productCodes": ["pix_account"],
        "channel": "mobile",
        "requirements": {"met": False, "items": []},
        "resubmissionCount": 0,
        "submittedAt": None,
        "decidedAt": None,
        "validUntil": None,
        "reviewDueAt": None,
        "relationshipEndedAt": None,
        "renewsApplicationId": None,
        "expiresAt": "2026-12-03T12:10:00.000Z",
        "metadata": {"sandbox": True, "attempt": 5, "score": 0.5, "note": "5"},
        "version": 1,
        "createdAt": "2026-11-03T12:10:00.000Z",
        "updatedAt": "2026-11-03T12:10:00.000Z",
        "createdBy": {"type": "api_key", "id": "kyc_live_7Hq2ZtK9", "display": "Back end"},
        **changes,
    }


def document(**changes: object) -> dict[str, Any]:
    """A document."""
    return {
        "id": DOCUMENT_ID,
        "type": "passport",
        "side": "single",
        "country": "BR",
        "expiresOn": "2031-05-01",
        "fileName": "passport.jpg",
        "mimeType": "image/jpeg",
        "sizeBytes": 74,
        "sha256": "0" * 64,
        "pageCount": None,
        "status": "uploaded",
        "rejectionCode": None,
        "signals": [],
        "createdAt": "2026-11-03T12:12:00.000Z",
        **changes,
    }


def event(number: int, **changes: object) -> dict[str, Any]:
    """An event of the feed."""
    return {
        "eventId": f"fr-{number}",
        "environment": "live",
        "fundsRecoveryId": "0197f2ca-1111-7000-8000-000000000001",
        "eventType": "FUNDS_RECOVERY_CREATED",
        "status": "CREATED",
        "timestamp": "2026-11-03T12:12:00.000Z",
        "rawPayload": {"FundsRecovery": {"Status": "CREATED"}},
        **changes,
    }


def events(numbers: list[int], cursor: str | None, *, more: bool) -> dict[str, Any]:
    """A page of the feed."""
    return {"events": [event(number) for number in numbers], "cursor": cursor, "hasMore": more}
