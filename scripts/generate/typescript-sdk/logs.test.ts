import { describe, expect, it } from 'vitest';
import { buildModel } from '../build-model.ts';
import { readContract } from '../read-contract.ts';
import type { Contract } from '../contract.ts';
import { personalDataFile } from './personal-data.ts';
import { shownFile } from './shown.ts';

const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url).pathname);
const shownNames = (of: Contract): string[] => [...shownFile(of).matchAll(/'([\w ]+)'/g)].flatMap(([, line = '']) => line.trim().split(' '));

/** The real contract with another schema. */
function withSchema(name: string, schema: object): Contract {
  return { ...contract, components: { ...contract.components, schemas: { ...contract.components.schemas, [name]: schema } } };
}

describe('what a log may show', () => {
  it('is no member that is a text or a number anywhere, nor one that is personal anywhere', () => {
    const names = shownNames(contract);
    expect(names).toEqual(expect.arrayContaining(['environment', 'hasMore', 'applicant', 'level']));
    for (const name of ['fullName', 'email', 'id', 'cursor', 'secret', 'password', 'metadata', 'rawPayload', 'value', 'type']) expect(names).not.toContain(name);
  });

  it('shrinks as soon as one schema makes a member of the name personal, or a text', () => {
    for (const member of [{ type: 'boolean', 'x-pii': true }, { type: 'string' }, { type: 'integer' }, { type: 'object', additionalProperties: { type: 'string' } }]) {
      expect(shownNames(withSchema('Later', { type: 'object', properties: { hasMore: member } }))).not.toContain('hasMore');
    }
  });
});

describe('the places of personal data', () => {
  it('are named in queries, requests and answers, through references, lists and nullable members', () => {
    const source = personalDataFile(contract, buildModel(contract));
    const of = (operationId: string): string => new RegExp(`  ${operationId}: \\{\\n([\\s\\S]*?)\\n  \\},`).exec(source)?.[1] ?? '';
    expect(of('createApplication')).toContain("'/applicant/address/line1'");
    expect(of('listApplications')).toMatch(/query: \['\w+'\]/);
    expect(of('listApplications')).toContain("'/items/*/applicant/taxId/value'");
    expect(of('login')).toContain("'/email'");
    expect(of('getSandbox')).toContain("'/personas/*/taxId'");
  });

  it('end where a schema contains itself', () => {
    const looped = withSchema('Applicant', { type: 'object', properties: { parent: { $ref: '#/components/schemas/Applicant' }, name: { type: 'string', 'x-pii': true } } });
    expect(personalDataFile(looped, buildModel(looped))).toContain("'/applicant/name'");
  });
});
