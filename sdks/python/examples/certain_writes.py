"""Submit an application, and know afterwards whether it was submitted.

Usage: python certain_writes.py APPLICATION_ID
"""

import sys

from compliance_onboarding import ComplianceOnboarding, ComplianceOnboardingError, errors

with ComplianceOnboarding(deadline=20) as client:
    try:
        application = client.applications.submit(sys.argv[1])
    except errors.RequirementsMissingError as error:
        sys.exit(f"still missing: {', '.join(item.key for item in error.items or [])}")
    except errors.InvalidStateTransitionError as error:
        sys.exit(f"it is {error.current_status} already")
    except ComplianceOnboardingError as error:
        if error.outcome != "unknown":
            sys.exit(f"not submitted: {error}")
        # The connection broke off, or the server failed: the same call under the same key tells what came of it.
        application = client.resume(error)
    print(application.id, application.status)
