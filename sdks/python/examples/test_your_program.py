"""Test a program that uses this package: no server, the examples of the contract, and what can go wrong."""

from compliance_onboarding import ComplianceOnboarding
from compliance_onboarding.errors import DuplicateExternalIdError
from compliance_onboarding.testing import ExampleTransport, reset_after, status


def onboard(client: ComplianceOnboarding, customer: str) -> str:
    """Stand for the program: open an application, or find the one that is there."""
    try:
        return client.applications.create(
            purpose="account_opening", external_id=customer, applicant={"full_name": "Ana Souza"}
        ).id
    except DuplicateExternalIdError as error:
        return error.existing_id or ""


def test_a_customer_who_is_there_already_is_found() -> None:
    """Answer with a problem of the contract."""
    transport = ExampleTransport()
    transport.answer("createApplication", status(409, "duplicate_external_id", existingId="0197f2c8"))
    assert onboard(transport.client(), "customer-1") == "0197f2c8"


def test_a_broken_connection_makes_no_second_application() -> None:
    """Break the connection off after the request: the repetition has the same idempotency key."""
    transport = ExampleTransport()
    transport.answer("createApplication", reset_after, {"externalId": "customer-1"})
    assert onboard(transport.client(), "customer-1")
    first, second = transport.requests
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]


if __name__ == "__main__":
    test_a_customer_who_is_there_already_is_found()
    test_a_broken_connection_makes_no_second_application()
    print("passed")
