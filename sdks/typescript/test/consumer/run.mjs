import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { ComplianceOnboarding, NotFoundError, VERSION } from 'compliance-onboarding';
import { listApplications } from 'compliance-onboarding/functions';

const required = createRequire(import.meta.url)('compliance-onboarding');
assert.equal(required.VERSION, VERSION);
for (const sdk of [{ ComplianceOnboarding, NotFoundError }, required]) {
  const fetch = async (request) => Response.json(request.url.endsWith('/a') ? { id: 'a' } : { code: 'not_found' }, { status: request.url.endsWith('/a') ? 200 : 404 });
  const client = new sdk.ComplianceOnboarding({ baseUrl: 'https://compliance.example', apiKey: 'kyc_test_Abcdefgh_secret', fetch });
  assert.deepEqual(await client.applications.get('a'), { id: 'a' });
  await assert.rejects(() => client.applications.get('b').then(), sdk.NotFoundError);
}
assert.equal(typeof listApplications, 'function');
console.log('ok');
