import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { buildModel } from '../build-model.ts';
import { fixtureContract } from '../fixtures/contract.ts';
import { operationErrorsFile, problemsFile, throwsOf } from './problems.ts';
import { comment } from './text.ts';
import { lineOf } from './operations.ts';
import { generate } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'typescript-sdk-'));
const contract = fixtureContract();
const run = async (name: string): Promise<(path: string) => string> => {
  const directory = join(folder, name);
  mkdirSync(join(folder, 'sdks/typescript'), { recursive: true });
  writeFileSync(join(folder, 'sdks/typescript/package.json'), '{\n  "name": "x",\n  "version": "0.0.0"\n}\n');
  await generate(contract, buildModel(contract), { directory, root: folder });
  return (path) => readFileSync(join(directory, path), 'utf8');
};
let read: (path: string) => string;

beforeAll(async () => {
  read = await run('first');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the TypeScript emitter', () => {
  it('gives every operation one line in the table, one method that is documented, and one function that carries its line', () => {
    expect(read('src/generated/resources/operations.ts')).toMatch(
      /^applications$[^]*?^create POST \/v1\/applications [BAO]+kj$/m,
    );
    expect(read('src/generated/resources/applications.ts')).toMatch(
      /create\(params: ApplicationCreate, options\?: RequestOptions & IdempotencyKeyOption\): ApiPromise<Application>;/,
    );
    expect(read('src/generated/resources/functions.ts')).toMatch(
      /export const createApplication = \/\* @__PURE__ \*\/ flat<Applications\['create'\]>\('POST \/v1\/applications [BAO]+kj'\);/,
    );
  });

  it('names the headers that options travel as, the idempotency key excepted, which the transport keeps over retries', () => {
    const source = read('src/generated/resources/contract.ts');
    expect(source).toContain("ifMatch: 'If-Match'");
    expect(source).not.toContain('Idempotency-Key');
  });

  it('refuses what the runtime could not send', () => {
    const model = buildModel(contract);
    const operation = model.operations.find(({ body }) => body?.kind === 'json')!;
    const later = { ...operation, body: { ...operation.body!, mediaType: 'application/xml' } };
    expect(() => lineOf(later, model)).toThrow('does not know application/xml');
    expect(() => lineOf({ ...operation, security: [{ mutualTLS: [] }] }, model)).toThrow('does not know mutualTLS');
  });

  it('takes anything that can be uploaded for a file member, and gives a download for binary answers', () => {
    const source = read('src/generated/resources/applications-documents.ts');
    expect(source).toContain("params: Upload<DocumentUpload, 'file'>");
    expect(source).toContain('ApiPromise<Download>');
  });

  it('hangs nested resources on their parents', () => {
    expect(read('src/generated/resources/settings.ts')).toContain('readonly apiKeys: SettingsApiKeys;');
    expect(read('src/generated/resources/operations.ts')).toContain('\nsettings.apiKeys\n');
    expect(read('src/generated/resources/index.ts')).toContain('readonly settings: Settings;');
  });

  it('keeps open enums open and closed ones closed', () => {
    const types = read('src/generated/types.gen.ts');
    const open = Object.entries(contract.components.schemas ?? {})
      .filter(([, schema]) => schema['x-enum-open'])
      .map(([name]) => name);
    const closed = Object.entries(contract.components.schemas ?? {})
      .filter(([, schema]) => schema.enum && !schema['x-enum-open'])
      .map(([name]) => name);
    for (const name of open) expect(types).toMatch(new RegExp(`export type ${name} = .*\\(string & \\{\\}\\);`));
    for (const name of closed) expect(types).not.toMatch(new RegExp(`export type ${name} = .*string & `));
    expect(open.length + closed.length).toBeGreaterThan(0);
  });

  it('documents each method with an example of the contract', () => {
    expect(read('src/generated/resources/applications.ts')).toMatch(
      /@example\n\s+\* ```ts\n\s+\* const application = await client\.applications\.create\(/,
    );
  });

  it('tells the version of the package and that of the contract apart', () => {
    expect(read('src/generated/resources/contract.ts')).toContain('const VERSION = "0.0.0"');
    expect(read('src/generated/resources/contract.ts')).toContain(`const API_VERSION = "${contract.info.version}"`);
  });

  it('makes a class of each problem code, of its status, and none for a code that is called like its status', () => {
    const source = read('src/generated/resources/problems.ts');
    for (const { code } of each(buildModel(contract).problems)) {
      expect(source.includes(`problemClass('${code}', `)).toBe(!['not_found', 'not_acceptable'].includes(code));
    }
  });

  it('names the problems of an operation with what comes with them, in a union and in the documentation of its method', () => {
    const model = buildModel(contract);
    const operation = model.operations.find(({ operationId }) => operationId === 'createApplication')!;
    const problems = [
      {
        code: 'duplicate_id',
        status: 409,
        title: 'The id is taken.',
        description: 'Take another.',
        members: [{ name: 'existingId', description: 'The record.' }],
      },
      {
        code: 'not_found',
        status: 404,
        title: 'It is not there',
        description: '',
        members: [],
      },
    ];
    const told = { ...model, problems: problems as unknown as typeof model.problems };
    const codes = new Map([['createApplication', ['duplicate_id', 'not_found']]]);
    expect(operationErrorsFile(told, codes)).toContain(
      "export type CreateApplicationError = DuplicateIdError | (NotFoundError & { readonly code: 'not_found' });",
    );
    expect(throwsOf(operation, told, codes)).toEqual([
      '@throws {DuplicateIdError} 409: The id is taken. With `problem.existingId`.',
      '@throws {NotFoundError} 404: It is not there.',
    ]);
    expect(problemsFile(told)).toContain(
      "problemClass<'duplicate_id', ConflictError, 'existingId'>('duplicate_id', ConflictError)",
    );
  });

  it('maps every call in api.md', () => {
    const map = read('api.md');
    for (const { sdk, path } of each(buildModel(contract).operations)) {
      expect(map).toContain(`\`${sdk.method}(`);
      expect(map).toContain(path);
    }
  });

  it('writes the same bytes twice', async () => {
    const again = await run('second');
    for (const path of [
      'api.md',
      'src/generated/resources/operations.ts',
      'src/generated/types.gen.ts',
      'src/generated/resources/applications.ts',
    ]) {
      expect(again(path)).toBe(read(path));
    }
  });

  it('cannot be made to leave a comment early', () => {
    expect(comment(['a */ b'], '')).toBe('/** a *\\/ b */\n');
  });
});
