"""Open an application and list those that are drafts.

Reads COMPLIANCE_BASE_URL and COMPLIANCE_API_KEY.
"""

from itertools import islice

from compliance_onboarding import ComplianceOnboarding

with ComplianceOnboarding() as client:
    application = client.applications.create(purpose="account_opening", applicant={"full_name": "Ana Souza"})
    print("opened", application.id, application.status)

    # A list goes through its pages by itself; this stops after ten items.
    for draft in islice(client.applications.list(status=["draft"]), 10):
        print("draft", draft.id, draft.applicant.full_name)
