"""Types of arguments: the values of an enumeration, and dictionaries in place of models."""

from compliance_onboarding._generated.params import *
