import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildModel } from '../build-model.ts';
import { fixtureContract } from '../fixtures/contract.ts';
import { comment } from './method.ts';
import { generate } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'typescript-sdk-'));
const contract = fixtureContract();
const run = async (name: string): Promise<(path: string) => string> => {
  const directory = join(folder, name);
  const contractFile = join(folder, 'contract.json');
  writeFileSync(contractFile, JSON.stringify(contract));
  mkdirSync(join(folder, 'sdks/typescript'), { recursive: true });
  writeFileSync(join(folder, 'sdks/typescript/package.json'), '{\n  "name": "x",\n  "version": "0.0.0"\n}\n');
  await generate(contract, buildModel(contract), { directory, contractFile, root: folder });
  return (path) => readFileSync(join(directory, path), 'utf8');
};
let read: (path: string) => string;

beforeAll(async () => { read = await run('first'); });
afterAll(() => rmSync(folder, { recursive: true }));

describe('the TypeScript emitter', () => {
  it('gives every operation one function that says what the transport must know, and one method that calls it', () => {
    const source = read('src/generated/resources/applications.ts');
    expect(source).toMatch(/return client\.send\(\{ auth: \[.*\], keyed: true \}, options,/);
    expect(source).toContain('return createApplication(this.#client, params, options);');
    expect(source).toMatch(/create\(params: ApplicationCreate, options\?: RequestOptions & IdempotencyKeyOption\): ApiPromise<Application>/);
  });

  it('passes header parameters from the options, the idempotency key excepted, which the transport keeps over retries', () => {
    const source = read('src/generated/resources/applications.ts');
    expect(source).toContain("'If-Match': options?.ifMatch");
    expect(source).not.toContain("'Idempotency-Key':");
  });

  it('takes anything that can be uploaded for a file member, and gives a download for binary answers', () => {
    const source = read('src/generated/resources/applications-documents.ts');
    expect(source).toContain("params: Upload<DocumentUpload, 'file'>");
    expect(source).toContain('ApiPromise<Download>');
  });

  it('hangs nested resources on their parents', () => {
    expect(read('src/generated/resources/settings.ts')).toContain('this.apiKeys = new SettingsApiKeys(client);');
    expect(read('src/generated/resources/index.ts')).toContain('readonly settings: Settings;');
  });

  it('keeps open enums open and closed ones closed', () => {
    const types = read('src/generated/types.gen.ts');
    const open = Object.entries(contract.components.schemas ?? {}).filter(([, schema]) => schema['x-enum-open']).map(([name]) => name);
    const closed = Object.entries(contract.components.schemas ?? {}).filter(([, schema]) => schema.enum && !schema['x-enum-open']).map(([name]) => name);
    for (const name of open) expect(types).toMatch(new RegExp(`export type ${name} = .*\\(string & \\{\\}\\);`));
    for (const name of closed) expect(types).not.toMatch(new RegExp(`export type ${name} = .*string & `));
    expect(open.length + closed.length).toBeGreaterThan(0);
  });

  it('documents each method with an example of the contract', () => {
    expect(read('src/generated/resources/applications.ts')).toMatch(/@example\n\s+\* ```ts\n\s+\* const application = await client\.applications\.create\(/);
  });

  it('gives the package the version of the contract, and leaves the rest of its manifest alone', () => {
    expect(JSON.parse(read('package.json'))).toEqual({ name: 'x', version: contract.info.version });
    expect(read('src/generated/resources/contract.ts')).toContain(`VERSION = "${contract.info.version}"`);
  });

  it('makes a class of each problem code, of its status, and none for a code that is called like its status', () => {
    const source = read('src/generated/resources/problems.ts');
    for (const { code } of buildModel(contract).problems) {
      expect(source.includes(`problemClass('${code}', `)).toBe(!['not_found', 'not_acceptable'].includes(code));
    }
  });

  it('maps every call in api.md', () => {
    const map = read('api.md');
    for (const { sdk, path } of buildModel(contract).operations) {
      expect(map).toContain(`\`${sdk.method}(`);
      expect(map).toContain(path);
    }
  });

  it('writes the same bytes twice', async () => {
    const again = await run('second');
    for (const path of ['api.md', 'src/generated/sdk.gen.ts', 'src/generated/types.gen.ts', 'src/generated/resources/applications.ts']) {
      expect(again(path)).toBe(read(path));
    }
  });

  it('cannot be made to leave a comment early', () => {
    expect(comment(['a */ b'], '')).toBe('/** a *\\/ b */\n');
  });
});
