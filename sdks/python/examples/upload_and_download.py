"""Upload a document of an application and save it again.

Usage: python upload_and_download.py APPLICATION_ID FILE
"""

import sys
from pathlib import Path

from compliance_onboarding import ComplianceOnboarding

application_id, path = sys.argv[1], Path(sys.argv[2])

with ComplianceOnboarding() as client:
    document = client.applications.documents.upload(application_id, file=path, type="proof_of_address")
    print("uploaded", document.id, document.status)

    # The bytes come in pieces, so that a large file never stands in memory as a whole.
    with client.applications.documents.download(application_id, document.id) as download:
        print("saved", download.write_to_file(path.with_name(f"copy-{path.name}")))
