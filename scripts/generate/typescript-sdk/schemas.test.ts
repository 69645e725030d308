/**
 * Tests of the generated TypeScript schemas, and of what they let a log show. A personal member that may be logged
 * fails here.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { projectContract } from '../../contract/project.ts';
import { buildModel } from '../build-model.ts';
import { fixtureContract } from '../fixtures/contract.ts';
import { withClosedRequests } from './requests.ts';
import { personalDataFile, shownFile, withOpenUnions, writeTypes } from './schemas.ts';

const TSC = resolve(import.meta.dirname, '../../../node_modules/typescript-native/bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'open-unions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CONSUMER = `import type { Applicant, ApplicationCreate } from './types.gen.ts';

export function nameOf(applicant: Applicant): string {
  switch (applicant.kind) {
    case 'individual': return applicant.fullName;
    case 'organization': return applicant.legalName;
    default: {
      const tag: string = applicant.kind;
      const more: unknown = applicant['later'];
      return tag + String(more);
    }
  }
}

export function forgetful(applicant: Applicant): string {
  switch (applicant.kind) {
    case 'individual': return applicant.fullName;
    case 'organization': return applicant.legalName;
  }
  // @ts-expect-error there may be other variants
  const nothing: never = applicant;
  return nothing;
}

// @ts-expect-error a variant that the contract does not know is only read, not made
export const typo: ApplicationCreate['applicant'] = { kind: 'organisation', legalName: 'x' };
`;

describe('a union of objects in TypeScript', () => {
  it('narrows by its tag to the variant, and has room for what a later version adds', async () => {
    await writeTypes(folder, withOpenUnions(fixtureContract()));
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'preserve',
          allowImportingTsExtensions: true,
          types: [],
        },
        files: ['consumer.ts'],
      }),
    );
    const compile = (): string => {
      try {
        return execFileSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' });
      } catch (error) {
        return String((error as { readonly stdout?: string }).stdout);
      }
    };
    expect(compile()).toBe('');
  });
});

const contract = projectContract();
const shownNames = (of: Contract): string[] =>
  [...shownFile(of).matchAll(/'([\w ]+)'/g)].flatMap(([, line = '']) => line.trim().split(' '));

/** Returns the real contract with an additional schema. */
function withSchema(name: string, schema: object): Contract {
  return {
    ...contract,
    components: { ...contract.components, schemas: { ...contract.components.schemas, [name]: schema } },
  };
}

describe('what a log may show', () => {
  it('is no member that is a text or a number anywhere, nor one that is personal anywhere', () => {
    const names = shownNames(contract);
    expect(names).toEqual(expect.arrayContaining(['environment', 'hasMore', 'applicant', 'level']));
    for (const name of [
      'fullName',
      'email',
      'id',
      'cursor',
      'secret',
      'password',
      'metadata',
      'rawPayload',
      'value',
      'type',
    ])
      expect(names).not.toContain(name);
  });

  it('shrinks as soon as one schema makes a member of the name personal, or a text', () => {
    for (const member of [
      { type: 'boolean', 'x-pii': true },
      { type: 'string' },
      { type: 'integer' },
      { type: 'object', additionalProperties: { type: 'string' } },
    ]) {
      expect(shownNames(withSchema('Later', { type: 'object', properties: { hasMore: member } }))).not.toContain(
        'hasMore',
      );
    }
  });
});

describe('an enumeration that answers may hold further values of', () => {
  it('is closed in what is sent, by a schema of its own', () => {
    const {
      components: { schemas = {} },
    } = withClosedRequests(contract);
    expect(schemas['ApplicationPurpose']).toHaveProperty('x-enum-open', true);
    expect(schemas['ApplicationPurposeInput']).toEqual({ ...schemas['ApplicationPurpose'], 'x-enum-open': undefined });
    expect(JSON.stringify(schemas['ApplicationCreate'])).toContain('#/components/schemas/ApplicationPurposeInput"');
    expect(JSON.stringify(schemas['Application'])).toContain('#/components/schemas/ApplicationPurpose"');
  });

  it('cannot take the name of another schema', () => {
    expect(() => withClosedRequests(withSchema('ApplicationPurposeInput', { type: 'string' }))).toThrow(
      'ApplicationPurposeInput is already a schema',
    );
  });
});

describe('the places of personal data', () => {
  it('are named in queries, requests and answers, through references, lists and nullable members', () => {
    const source = personalDataFile(contract, buildModel(contract));
    const of = (operationId: string): string =>
      new RegExp(`  ${operationId}: \\{\\n([\\s\\S]*?)\\n  \\},`).exec(source)?.[1] ?? '';
    expect(of('createApplication')).toContain("'/applicant/address/line1'");
    expect(of('listApplications')).toMatch(/query: \['\w+'\]/);
    expect(of('listApplications')).toContain("'/items/*/applicant/taxId/value'");
    expect(of('login')).toContain("'/email'");
    expect(of('getSandbox')).toContain("'/personas/*/taxId'");
  });

  it('end where a schema contains itself', () => {
    const looped = withSchema('Applicant', {
      type: 'object',
      properties: { parent: { $ref: '#/components/schemas/Applicant' }, name: { type: 'string', 'x-pii': true } },
    });
    expect(personalDataFile(looped, buildModel(looped))).toContain("'/applicant/name'");
  });
});
