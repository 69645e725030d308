"""Go through a proxy, with an HTTP client of your own.

Reads PROXY_URL, beside COMPLIANCE_BASE_URL and COMPLIANCE_API_KEY.
"""

import os

import httpx2

from compliance_onboarding import ComplianceOnboarding

# `verify=` and `cert=` of the HTTP client are the place for certificates of your own. It is yours to close.
with httpx2.Client(proxy=os.environ["PROXY_URL"]) as http_client:
    client = ComplianceOnboarding(http_client=http_client)
    for application in client.applications.list(limit=5).items:
        print(application.id, application.status)
