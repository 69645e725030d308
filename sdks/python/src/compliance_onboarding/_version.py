"""The version of this package, which is that of the contract it was generated from."""

from typing import Final

from compliance_onboarding._generated.contract import API_VERSION

__version__: Final = API_VERSION
USER_AGENT: Final = f"compliance-onboarding-python/{__version__}"
