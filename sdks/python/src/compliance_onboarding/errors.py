"""Every error: by kind, by HTTP status, and by problem code."""

from compliance_onboarding._errors import *
from compliance_onboarding._generated.errors import *
from compliance_onboarding._status_errors import *
