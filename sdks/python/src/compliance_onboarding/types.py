"""The objects of the API."""

from compliance_onboarding._generated.models import *
