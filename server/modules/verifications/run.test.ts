/** Tests of what becomes of a verification if its provider misbehaves. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  connectorTo,
  type FaceReader,
  type InstalledProviders,
  type PictureReader,
  type ProviderAnswer,
  ProviderError,
  providersFor,
  type Route,
  type VerificationJob,
  type VerificationProvider,
} from '../../providers/verification/index.ts';
import { ask } from './run.ts';

const job: VerificationJob = {
  idempotencyKey: 'a'.repeat(64),
  environment: 'live',
  type: 'document_ocr',
  registrySource: null,
  person: { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-12', cpf: '52998224725' },
  proves: 'identity',
  address: null,
  wantedOutcome: null,
  mrzLines: ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'],
  documents: [],
  selfie: null,
  challenge: null,
  earlierErrors: 0,
  today: '2026-11-20',
};
const going = new AbortController().signal;
const answer: ProviderAnswer = {
  status: 'passed',
  confidence: null,
  checks: [],
  extracted: null,
};
const vendor = (verify: VerificationProvider['verify']): VerificationProvider => ({
  id: 'vendor',
  version: '7',
  within: 10_000,
  verify,
});
const failing = vendor(() => Promise.reject(new ProviderError('provider_unavailable')));

const reader: PictureReader = {
  gap: () => null,
  read: () => Promise.resolve({ unreadable: true }),
  close: () => undefined,
};
const faceReader: FaceReader = {
  gap: () => null,
  read: () => Promise.resolve({ failure: 'died' }),
  close: () => undefined,
};
const NOTHING: InstalledProviders = {
  pictureReader: { ...reader, gap: () => 'There is no reader.' },
  faceReader: { ...faceReader, gap: () => 'There is no reader of faces.' },
  roots: [],
  connectors: [],
};
const connector = connectorTo({
  name: 'acme',
  version: '3',
  url: 'https://vendor.example',
  token: 'a token of a vendor',
  types: ['document_ocr', 'face_match', 'liveness', 'registry'],
});
const ALL: InstalledProviders = {
  pictureReader: reader,
  faceReader,
  roots: [],
  connectors: [connector],
};
const route = (...names: Route): Route => names;
const wanted = { ...job, hasDocuments: true };
/** Returns the names of the providers of a job, or the gap. */
const named = (changes: Partial<typeof wanted>, of: Route, installed: InstalledProviders): unknown => {
  const found = providersFor({ ...wanted, ...changes }, of, installed);
  return 'gap' in found ? found : found.map(({ id }) => id);
};

describe('a provider', () => {
  it('is named with its version beside its answer', async () => {
    const outcome = await ask(job, going, { providers: [vendor(async () => Promise.resolve(answer))] });
    expect(outcome).toEqual({ answer, provider: 'vendor', version: '7' });
  });

  it('that reports an error gives no result', async () => {
    const provider = vendor(() => Promise.reject(new ProviderError('provider_invalid_answer')));
    expect(await ask(job, going, { providers: [provider] })).toEqual({ error: 'provider_invalid_answer' });
  });

  it('that never answers, and ignores that it is told to stop, is late', async () => {
    const provider = vendor(() => new Promise<never>(() => undefined));
    expect(await ask(job, going, { providers: [provider], deadline: 20 })).toEqual({ error: 'provider_timeout' });
  });

  it('is told to stop at the deadline and when the process stops', async () => {
    const signals: AbortSignal[] = [];
    const provider = vendor(async (_, signal) => {
      signals.push(signal);
      await setTimeout(60_000, undefined, { signal });
      return answer;
    });
    expect(await ask(job, going, { providers: [provider], deadline: 20 })).toEqual({ error: 'provider_timeout' });
    const stopping = AbortSignal.abort(new Error('the process stops'));
    await expect(ask(job, stopping, { providers: [provider] })).rejects.toThrow();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('that fails in another way leaves the failure to the task, which repeats the work', async () => {
    const provider = vendor(() => Promise.reject(new TypeError('a defect')));
    await expect(ask(job, going, { providers: [provider] })).rejects.toThrow('a defect');
  });

  it('that is configured no longer is an error, and no answer', async () => {
    expect(await ask(job, going, { providers: { gap: 'There is none.' } })).toEqual({ error: 'provider_unavailable' });
  });

  it('that gives an error is followed by the other one, whose name stands beside its answer', async () => {
    const other = { ...vendor(async () => Promise.resolve(answer)), id: 'other' };
    expect(await ask(job, going, { providers: [failing, other] })).toEqual({ answer, provider: 'other', version: '7' });
  });

  it('that gives a result is never followed by another, even if it found something', async () => {
    const failed = vendor(async () => Promise.resolve({ ...answer, status: 'failed' as const }));
    const never = vendor(() => Promise.reject(new Error('nobody asks it')));
    expect(await ask(job, going, { providers: [failed, never] })).toMatchObject({ answer: { status: 'failed' } });
  });

  it('gives the error of the last one if all fail', async () => {
    const late = vendor(() => Promise.reject(new ProviderError('provider_timeout')));
    expect(await ask(job, going, { providers: [failing, late] })).toEqual({ error: 'provider_timeout' });
  });

  it('that is embedded answers the same for the same job', async () => {
    const providers = providersFor({ ...job, hasDocuments: false }, route(null), NOTHING);
    const [first, second] = [await ask(job, going, { providers }), await ask(job, going, { providers })];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    expect(first).toMatchObject({ answer: { status: 'inconclusive' }, provider: 'embedded' });
  });
});

describe('the providers', () => {
  it.each([
    [
      'a persona in the sandbox',
      { environment: 'sandbox', person: { ...job.person, cpf: '55555555555' } },
      ['sandbox'],
    ],
    ['a wanted outcome in the sandbox', { environment: 'sandbox', wantedOutcome: 'failed' }, ['sandbox']],
    ['anybody else in the sandbox', { environment: 'sandbox' }, ['embedded', 'acme']],
    ['a document in live', {}, ['embedded', 'acme']],
    ['faces in live', { type: 'face_match' }, ['embedded', 'acme']],
    ['living persons in live', { type: 'liveness' }, ['embedded', 'acme']],
    ['registers, which the service cannot ask', { type: 'registry' }, ['acme']],
    ['lines alone', { hasDocuments: false }, ['embedded']],
  ] as const)('of %s are in the order of the settings, but for what is simulated', (_, changes, ids) => {
    expect(named(changes, route('embedded', 'connector'), ALL)).toEqual(ids);
  });

  it('are asked once, and nobody is not asked', () => {
    expect(named({}, route('connector', 'connector'), ALL)).toEqual(['acme']);
    expect(named({}, route(null, 'embedded'), ALL)).toEqual(['embedded']);
  });

  it('are only those that the installation has', () => {
    expect(named({}, route('connector', 'embedded'), { ...ALL, connectors: [] })).toEqual(['embedded']);
    expect(named({}, route('embedded', 'connector'), { ...ALL, pictureReader: NOTHING.pictureReader })).toEqual([
      'acme',
    ]);
  });

  it('of a document beside lines are the check of the lines, if nobody reads pictures', () => {
    expect(named({}, route('embedded'), NOTHING)).toEqual(['embedded']);
  });

  it.each(['document_ocr', 'face_match', 'liveness', 'registry'] as const)(
    'of %s without lines are missing, and the gap says why',
    (type) => {
      expect(named({ type, mrzLines: null }, route(null), ALL)).toEqual({ gap: expect.stringMatching(/providers/) });
      const gap = { gap: expect.stringMatching(/^\w.*\.$/) };
      expect(named({ type, mrzLines: null }, route('embedded', 'connector'), NOTHING)).toEqual(gap);
    },
  );
});
