/** Tests of the generator of the TypeScript SDK: which code it writes for a contract. */
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

const root = mkdtempSync(join(tmpdir(), 'typescript-sdk-'));
const contract = fixtureContract();
const generateInto = async (name: string): Promise<(path: string) => string> => {
  const directory = join(root, name);
  mkdirSync(join(root, 'sdks/typescript'), { recursive: true });
  writeFileSync(join(root, 'sdks/typescript/package.json'), '{\n  "name": "x",\n  "version": "0.0.0"\n}\n');
  await generate(contract, buildModel(contract), { directory, root });
  return (path) => readFileSync(join(directory, path), 'utf8');
};
let read: (path: string) => string;

beforeAll(async () => {
  read = await generateInto('first');
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the TypeScript emitter', () => {
  it('writes for each operation a line in operations.ts, a documented method and a tree-shakable function', () => {
    // The letters after the path are flags: the accepted credentials (BAO), an idempotency key (k) and a JSON body (j).
    // The number is that of the segments that the path shares with the one above it; `+` is a segment that is named
    // like the resource, and `*` one that is named like the method.
    expect(read('src/generated/resources/operations.ts')).toMatch(
      /^applications\nget 1\/v1\+\/\{applicationId\}$[^]*?^create P3 kj$[^]*?^upload P3\/\{applicationId\}\+ Akf file$/m,
    );
    expect(read('src/generated/resources/applications.ts')).toMatch(
      /create\(params: ApplicationCreate, options\?: RequestOptions & IdempotencyKeyOption\): ApiPromise<Application>;/,
    );
    expect(read('src/generated/resources/functions.ts')).toMatch(
      /export const createApplication = \/\* @__PURE__ \*\/ flat<Applications\['create'\]>\('POST \/v1\/applications [BAO]+kj'\);/,
    );
  });

  it('maps request options to header names, except the idempotency key, which the transport sets itself so that retries reuse it', () => {
    const source = read('src/generated/resources/contract.ts');
    expect(source).toContain("ifMatch: 'If-Match'");
    expect(source).not.toContain('Idempotency-Key');
  });

  it('refuses media types and security schemes that the SDK runtime does not support', () => {
    const model = buildModel(contract);
    const operation = model.operations.find(({ body }) => body?.kind === 'json')!;
    const later = { ...operation, body: { ...operation.body!, mediaType: 'application/xml' } };
    expect(() => lineOf(later, model)).toThrow('does not know application/xml');
    expect(() => lineOf({ ...operation, security: [{ mutualTLS: [] }] }, model)).toThrow('does not know mutualTLS');
  });

  it('accepts any uploadable value for a file member, and returns a download for a binary response', () => {
    const source = read('src/generated/resources/applications-documents.ts');
    expect(source).toContain("params: Upload<DocumentUpload, 'file'>");
    expect(source).toContain('ApiPromise<Download>');
  });

  it('exposes nested resources as properties of their parents', () => {
    expect(read('src/generated/resources/settings.ts')).toContain('readonly apiKeys: SettingsApiKeys;');
    expect(read('src/generated/resources/operations.ts')).toContain('\nsettings.apiKeys\n');
    expect(read('src/generated/resources/index.ts')).toContain('readonly settings: Settings;');
  });

  it('adds `string & {}` to the types of open enums only', () => {
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

  it('writes the package version and the contract version as separate constants', () => {
    expect(read('src/generated/resources/contract.ts')).toContain('const VERSION = "0.0.0"');
    expect(read('src/generated/resources/contract.ts')).toContain(`const API_VERSION = "${contract.info.version}"`);
  });

  it('generates an error class for each problem code, derived from the class of its status, unless the code has the name of a status', () => {
    const source = read('src/generated/resources/problems.ts');
    for (const { code } of each(buildModel(contract).problems)) {
      expect(source.includes(`problemClass('${code}', `)).toBe(!['not_found', 'not_acceptable'].includes(code));
    }
  });

  it("lists the errors of an operation, with their extra members, in a union type and in the method's @throws", () => {
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
    const modelWithProblems = { ...model, problems: problems as unknown as typeof model.problems };
    const codes = new Map([['createApplication', ['duplicate_id', 'not_found']]]);
    expect(operationErrorsFile(modelWithProblems, codes)).toContain(
      "export type CreateApplicationError = DuplicateIdError | (NotFoundError & { readonly code: 'not_found' });",
    );
    expect(throwsOf(operation, modelWithProblems, codes)).toEqual([
      '@throws {DuplicateIdError} 409: The id is taken. With `problem.existingId`.',
      '@throws {NotFoundError} 404: It is not there.',
    ]);
    expect(problemsFile(modelWithProblems)).toContain(
      "problemClass<'duplicate_id', ConflictError, 'existingId'>('duplicate_id', ConflictError)",
    );
  });

  it('lists every call in api.md', () => {
    const apiMap = read('api.md');
    for (const { sdk, path } of each(buildModel(contract).operations)) {
      expect(apiMap).toContain(`\`${sdk.method}(`);
      expect(apiMap).toContain(path);
    }
  });

  it('writes the same bytes in every run', async () => {
    const readSecond = await generateInto('second');
    for (const path of [
      'api.md',
      'src/generated/resources/operations.ts',
      'src/generated/types.gen.ts',
      'src/generated/resources/applications.ts',
    ]) {
      expect(readSecond(path)).toBe(read(path));
    }
  });

  it('escapes `*/` in generated comments', () => {
    expect(comment(['a */ b'], '')).toBe('/** a *\\/ b */\n');
  });
});
