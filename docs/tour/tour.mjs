import { openAsBlob, readFileSync } from 'node:fs';
import { ComplianceOnboarding } from 'compliance-onboarding';

const { baseUrl, clientId, clientSecret } = JSON.parse(readFileSync('demo.json'));
const client = new ComplianceOnboarding({ baseUrl, clientId, clientSecret });

const application = await client.applications.create({
  purpose: 'account_opening',
  applicant: { fullName: 'Maria da Silva' },
});
const document = await client.applications.documents.upload(application.id, {
  type: 'proof_of_address',
  file: await openAsBlob('proof-of-address.pdf'),
});
console.log(document.status);

for await (const event of client.fundsRecovery.events.list({ limit: 5 })) {
  console.log(event.timestamp, event.eventType);
}
