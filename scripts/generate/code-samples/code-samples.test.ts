/** Tests of the code samples of single operations. */
import { describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { buildModel } from '../build-model.ts';
import { fixtureContract } from '../fixtures/contract.ts';
import { codeSamples } from './code-samples.ts';

const samples = codeSamples(buildModel(fixtureContract()));
const sample = (operationId: string, label: string) =>
  samples.get(operationId)?.find((candidate) => candidate.label === label)?.source;

describe('code samples', () => {
  it('exist in three languages for every operation', () => {
    for (const [operationId, list] of each(samples))
      expect(
        list.map(({ label }) => label),
        operationId,
      ).toEqual(['curl', 'TypeScript', 'Python']);
  });

  it('call a nested resource with its path parameters', () => {
    expect(sample('downloadDocument', 'TypeScript')).toContain('await client.applications.documents.download(');
    expect(sample('revokeApiKey', 'Python')).toContain('client.settings.api_keys.revoke("live_4fQ8")');
    expect(sample('revokeApiKey', 'curl')).toContain(
      'curl -X DELETE "$COMPLIANCE_BASE_URL/v1/settings/api-keys/live_4fQ8"',
    );
  });

  it('give members of API objects their Python names', () => {
    expect(sample('createApplication', 'Python')).toContain(
      'client.applications.create(\n' +
        '    external_id="order-1",\n' +
        '    applicant={"kind": "individual", "full_name": "Ana Souza"},\n' +
        ')',
    );
    expect(sample('updateApplication', 'Python')).toContain('external_id=None');
  });

  it('send files from disk', () => {
    expect(sample('uploadDocument', 'curl')).toContain("-F 'file=@passport.pdf'");
    expect(sample('uploadDocument', 'TypeScript')).toContain(
      "file: { name: 'passport.pdf', data: await openAsBlob('passport.pdf') }",
    );
    expect(sample('uploadDocument', 'Python')).toContain('file=Path("passport.pdf")');
  });

  it('walk a list to its end', () => {
    expect(sample('searchApplications', 'TypeScript')).toContain(
      'for await (const application of client.applications.search())',
    );
    expect(sample('searchApplications', 'Python')).toContain('for application in client.applications.search():');
  });

  it('use the credential that the operation takes', () => {
    expect(sample('createApplication', 'curl')).toContain('-H "X-API-Key: $COMPLIANCE_API_KEY"');
    expect(sample('revokeApiKey', 'curl')).toContain('-H "Authorization: Bearer $COMPLIANCE_ACCESS_TOKEN"');
    expect(sample('createToken', 'curl')).not.toContain('-H');
  });

  it('name the variables that their clients read', () => {
    expect(sample('createApplication', 'TypeScript')).toContain('// Reads COMPLIANCE_BASE_URL and COMPLIANCE_API_KEY.');
    expect(sample('revokeApiKey', 'Python')).toContain('# Reads COMPLIANCE_BASE_URL and COMPLIANCE_ACCESS_TOKEN.');
    expect(sample('createToken', 'Python')).toContain('# Reads COMPLIANCE_BASE_URL.');
  });

  it('wrap lines that are too long for a narrow page', () => {
    const lines = [...samples.values()]
      .flat()
      .filter(({ lang }) => lang !== 'curl')
      .flatMap(({ source }) => source.split('\n'));
    for (const line of each(lines)) expect(line.length, line).toBeLessThanOrEqual(90);
  });

  it('quote examples so that a shell does not expand them', () => {
    const contract = fixtureContract();
    const text = JSON.stringify(contract).replace(
      '"externalId":"order-1","applicant"',
      '"externalId":"it\'s $HOME","applicant"',
    );
    const changed = codeSamples(buildModel(JSON.parse(text) as typeof contract)).get('createApplication')?.[0]?.source;
    expect(changed).toContain(`"externalId": "it'\\''s $HOME"`);
  });
});
