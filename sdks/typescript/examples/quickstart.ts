/** Creates an application and lists those that exist. */
import { ComplianceOnboarding } from 'compliance-onboarding';

const client = new ComplianceOnboarding(); // COMPLIANCE_BASE_URL, COMPLIANCE_API_KEY

const application = await client.applications.create({
  purpose: 'account_opening',
  applicant: { fullName: 'Ana Souza' },
});
console.log('created', application.id);

for await (const { id, status } of client.applications.list({ limit: 50 })) console.log(id, status);
