/** Uses the package as an ES module or, if `tour.cjs` passes it, as CommonJS; prints the results. */
import assert from 'node:assert/strict';
import * as esm from 'compliance-onboarding';
import * as functions from 'compliance-onboarding/functions';

export async function tour(sdk, flat) {
  const client = new sdk.ComplianceOnboarding();
  const application = await client.applications.create({
    purpose: 'account_opening',
    applicant: { fullName: 'Ana Souza' },
  });
  assert.equal(application.id, 'a');
  await assert.rejects(
    () => client.applications.get('missing').then(),
    (error) => error instanceof sdk.NotFoundError && error.requestId === 'r-1',
  );
  const ids = [];
  for await (const { id } of client.applications.list()) ids.push(id);
  assert.deepEqual(ids, ['a', 'b']);
  const { data, requestId } = await flat.getApplication(flat.createClient(), 'a').withResponse();
  assert.deepEqual([data.id, requestId], ['a', 'r-1']);
  return `${sdk.VERSION} on ${process.version}`;
}

if (process.argv[1]?.endsWith('tour.mjs')) console.log(await tour(esm, functions));
