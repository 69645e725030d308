import json
from pathlib import Path

from compliance_onboarding import ComplianceOnboarding

demo = json.loads(Path("demo.json").read_text())
client = ComplianceOnboarding(
    base_url=demo["baseUrl"], client_id=demo["clientId"], client_secret=demo["clientSecret"]
)

application = client.applications.create(
    purpose="account_opening", applicant={"full_name": "Maria da Silva"}
)
document = client.applications.documents.upload(
    application.id, type="proof_of_address", file=Path("proof-of-address.pdf")
)
print(document.status)

for event in client.funds_recovery.events.list(limit=5):
    print(event.timestamp.isoformat(), event.event_type)
