/** Tests of the connection to a vendor that behaves, and to one that does not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startVendor } from '../../../test/support/vendor.ts';
import { connectorTo, readConnectors } from './connector.ts';
import { type ProviderAnswer, ProviderError, type VerificationJob } from './provider.ts';

const vendor = await startVendor();
afterAll(() => vendor.stop());
const TOKEN = 'token-of-the-vendor';
const connector = connectorTo({
  name: 'acme',
  version: '3',
  url: vendor.url,
  token: TOKEN,
  types: ['document_ocr'],
  pollMilliseconds: 5,
});
const JOB: VerificationJob = {
  idempotencyKey: 'f'.repeat(64),
  environment: 'live',
  type: 'document_ocr',
  registrySource: null,
  person: { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-12', cpf: '52998224725' },
  proves: 'identity',
  address: null,
  wantedOutcome: null,
  mrzLines: null,
  documents: [{ side: 'single', mediaType: 'image/jpeg', bytes: Buffer.from('picture') }],
  selfie: null,
  challenge: null,
  earlierErrors: 0,
  today: '2026-11-20',
};
const going = new AbortController().signal;
const verify = (): Promise<ProviderAnswer> => connector.verify(JOB, going);
const failure = (): Promise<string> =>
  verify().then(
    () => 'answered',
    (error: unknown) => (error instanceof ProviderError ? error.code : String(error)),
  );
const done = (result: object): { says: string } => ({ says: JSON.stringify({ id: 'v', state: 'done', result }) });
const checks = [{ code: 'a_check', outcome: 'pass' }];

describe('a vendor', () => {
  it('gets the documents and the person with a token and a key, and its result is taken over', async () => {
    vendor.behave('answers');
    expect(await verify()).toEqual({
      status: 'passed',
      confidence: 0.97,
      checks: [
        {
          code: 'register_asked',
          outcome: 'pass',
          score: null,
          threshold: null,
          expected: null,
          observed: null,
          reasonCode: null,
        },
      ],
      extracted: { mrzType: null, documentNumber: { value: 'AB123456', confidence: 0.9, source: 'visual' } },
    });
    const [{ method, path, headers, body }] = vendor.calls() as [ReturnType<typeof vendor.calls>[number]];
    expect([method, path, headers['authorization'], headers['idempotency-key']]).toEqual([
      'POST',
      '/verifications',
      `Bearer ${TOKEN}`,
      JOB.idempotencyKey,
    ]);
    expect(body).toEqual({
      environment: 'live',
      type: 'document_ocr',
      registrySource: null,
      person: JOB.person,
      proves: 'identity',
      address: null,
      mrzLines: null,
      documents: [{ side: 'single', mediaType: 'image/jpeg', content: Buffer.from('picture').toString('base64') }],
      selfie: null,
      challenge: null,
      today: '2026-11-20',
    });
  });

  it('is polled until it has an answer', async () => {
    vendor.behave('takes_two_polls');
    expect((await verify()).status).toBe('passed');
    expect(vendor.calls().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /verifications',
      'GET /verifications/v-1',
      'GET /verifications/v-1',
    ]);
  });

  it.each(['is_busy_at_first', 'breaks_off_at_first'] as const)(
    'that %s is asked again with the same key',
    async (behaviour) => {
      vendor.behave(behaviour);
      expect((await verify()).status).toBe('passed');
      const keys = vendor.calls().map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual([JOB.idempotencyKey, JOB.idempotencyKey]);
    },
  );

  it('that never ends is told to stop by its caller', async () => {
    vendor.behave('never_ends');
    await expect(connector.verify(JOB, AbortSignal.timeout(60))).rejects.toThrow();
    expect(vendor.calls().length).toBeGreaterThan(1);
  });

  it('that refuses the call has given no answer', async () => {
    vendor.behave('refuses');
    expect(await failure()).toBe('provider_unavailable');
  });

  it('that leads elsewhere is not followed, because pictures would go there', async () => {
    vendor.behave('redirects');
    await expect(connector.verify(JOB, AbortSignal.timeout(60))).rejects.toThrow();
    expect(vendor.calls().every(({ path }) => path === '/verifications')).toBe(true);
  });

  it.each<[string, { readonly says: string }]>([
    ['no JSON', { says: '<html>' }],
    ['no object', { says: '[]' }],
    ['another state', { says: '{"id": "v", "state": "finished"}' }],
    ['an id that leads elsewhere', { says: '{"id": "../v", "state": "running"}' }],
    ['no result', { says: '{"id": "v", "state": "done"}' }],
    ['another member', { says: '{"id": "v", "state": "running", "more": 1}' }],
    ['another status', done({ status: 'approved', confidence: 1, checks })],
    ['a confidence above one', done({ status: 'passed', confidence: 97, checks })],
    ['a check with another outcome', done({ status: 'failed', checks: [{ code: 'a', outcome: 'maybe' }] })],
    ['a code in words', done({ status: 'failed', checks: [{ code: 'The check', outcome: 'fail' }] })],
    ['a field that there is not', done({ status: 'passed', checks, extracted: { religion: null } })],
    [
      'a field without a source',
      done({ status: 'passed', checks, extracted: { taxId: { value: '1', confidence: 1 } } }),
    ],
    ['a text of a megabyte', { says: JSON.stringify({ id: 'v', state: 'running', x: 'x'.repeat(2 ** 20) }) }],
    ['a pass without a check', done({ status: 'passed', checks: [] })],
    ['a pass beside a failure', done({ status: 'passed', checks: [...checks, { code: 'b', outcome: 'fail' }] })],
    ['a pass beside a warning', done({ status: 'passed', checks: [...checks, { code: 'b', outcome: 'warn' }] })],
    ['a pass of checks that were not run', done({ status: 'passed', checks: [{ code: 'b', outcome: 'not_run' }] })],
  ])('that answers %s has given no result', async (_, says) => {
    vendor.behave(says);
    expect(await failure()).toBe('provider_invalid_answer');
  });
});

describe('the file of connections', () => {
  const ENTRY = {
    name: 'acme',
    version: '3',
    url: 'https://vendor.example/api/',
    token: TOKEN,
    types: ['registry'],
  };
  const written = async (entries: unknown): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'connectors-'));
    folders.push(folder);
    await writeFile(join(folder, 'connectors.json'), JSON.stringify(entries));
    return join(folder, 'connectors.json');
  };
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  it('names vendors by type', async () => {
    const connectors = await readConnectors(await written([ENTRY, { ...ENTRY, name: 'other', types: ['liveness'] }]));
    expect(connectors.map(({ id, version, types }) => [id, version, types])).toEqual([
      ['acme', '3', ['registry']],
      ['other', '3', ['liveness']],
    ]);
  });

  it.each<[string, unknown]>([
    ['no list', ENTRY],
    ['a type twice', [ENTRY, { ...ENTRY, name: 'other' }]],
    ['the name of a provider of the service', [{ ...ENTRY, name: 'embedded' }]],
    ['an address without TLS', [{ ...ENTRY, url: 'http://vendor.example' }]],
    ['no token', [{ ...ENTRY, token: '' }]],
    ['an unknown type', [{ ...ENTRY, types: ['palm'] }]],
    ['no type', [{ ...ENTRY, types: [] }]],
    ['an unknown field', [{ ...ENTRY, password: 'x' }]],
  ])('with %s stops the start, and no message repeats a token', async (_, entries) => {
    const failed = await readConnectors(await written(entries)).then(
      () => 'read',
      (error: unknown) => (error as Error).message,
    );
    expect(failed).toMatch(/connectors\.json/);
    expect(failed).not.toContain(TOKEN);
  });
});
