/** Tests of a program that uses the client, without a service: `node --test`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ComplianceOnboarding } from 'compliance-onboarding';
import { ExampleService, resetAfter } from 'compliance-onboarding/testing';

async function onboard(client: ComplianceOnboarding, fullName: string): Promise<string> {
  return (await client.applications.create({ purpose: 'account_opening', applicant: { fullName } })).id;
}

void test('an application is created once, though the connection breaks', async () => {
  const service = new ExampleService().reply('createApplication', resetAfter, { id: 'a' });
  const client = new ComplianceOnboarding({
    baseUrl: 'https://compliance.example',
    apiKey: 'kyc_test_a_b',
    fetch: service.fetch,
  });
  assert.equal(await onboard(client, 'Ana Souza'), 'a');
  const keys = service.requests.map(({ headers }) => headers.get('idempotency-key'));
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});
