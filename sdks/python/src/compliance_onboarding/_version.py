"""The version of this package, and of the contract that it was generated from."""

from typing import Final

from compliance_onboarding._generated.contract import API_VERSION

__version__: Final = "1.0.0"
USER_AGENT: Final = f"compliance-onboarding-python/{__version__} contract/{API_VERSION}"
