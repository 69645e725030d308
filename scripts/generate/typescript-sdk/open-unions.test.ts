import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureContract } from '../fixtures/contract.ts';
import { writeFlatFunctions } from './flat-functions.ts';
import { withOpenUnions } from './open-unions.ts';

const TSC = resolve(import.meta.dirname, '../../../node_modules/typescript-native/bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'open-unions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CONSUMER = `import type { Applicant, ApplicationCreate } from './types.gen.ts';

export function nameOf(applicant: Applicant): string {
  switch (applicant.kind) {
    case 'individual': return applicant.fullName;
    case 'organization': return applicant.legalName;
    default: { const tag: string = applicant.kind; const more: unknown = applicant['later']; return tag + String(more); }
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
    await writeFlatFunctions(folder, withOpenUnions(fixtureContract()));
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, noEmit: true, module: 'preserve', allowImportingTsExtensions: true, types: [] }, files: ['consumer.ts'] }));
    const compile = (): string => {
      try { return execFileSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' }); } catch (error) { return String((error as { readonly stdout?: string }).stdout); }
    };
    expect(compile()).toBe('');
  });
});
