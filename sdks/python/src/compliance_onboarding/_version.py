"""The version of this package."""

from typing import Final

__version__ = "1.0.0"
USER_AGENT: Final = f"compliance-onboarding-python/{__version__}"
