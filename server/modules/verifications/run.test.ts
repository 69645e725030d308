/** Tests of what becomes of a verification if its provider misbehaves. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type ProviderAnswer,
  ProviderError,
  providerFor,
  type VerificationJob,
  type VerificationProvider,
} from '../../providers/verification/index.ts';
import { ask } from './run.ts';

const job: VerificationJob = {
  environment: 'live',
  type: 'document_ocr',
  registrySource: null,
  person: { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-12', cpf: '52998224725' },
  wantedOutcome: null,
  mrzLines: ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'],
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
  verify,
});

describe('a provider', () => {
  it('is named with its version beside its answer', async () => {
    const outcome = await ask(job, going, { provider: vendor(async () => Promise.resolve(answer)) });
    expect(outcome).toEqual({ answer, provider: 'vendor', version: '7' });
  });

  it('that reports an error gives no result', async () => {
    const provider = vendor(() => Promise.reject(new ProviderError('provider_invalid_answer')));
    expect(await ask(job, going, { provider })).toEqual({ error: 'provider_invalid_answer' });
  });

  it('that never answers, and ignores that it is told to stop, is late', async () => {
    const provider = vendor(() => new Promise<never>(() => undefined));
    expect(await ask(job, going, { provider, deadline: 20 })).toEqual({ error: 'provider_timeout' });
  });

  it('is told to stop at the deadline and when the process stops', async () => {
    const signals: AbortSignal[] = [];
    const provider = vendor(async (_, signal) => {
      signals.push(signal);
      await setTimeout(60_000, undefined, { signal });
      return answer;
    });
    expect(await ask(job, going, { provider, deadline: 20 })).toEqual({ error: 'provider_timeout' });
    const stopping = AbortSignal.abort(new Error('the process stops'));
    await expect(ask(job, stopping, { provider })).rejects.toThrow();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('that fails in another way leaves the failure to the task, which repeats the work', async () => {
    const provider = vendor(() => Promise.reject(new TypeError('a defect')));
    await expect(ask(job, going, { provider })).rejects.toThrow('a defect');
  });

  it('that is configured no longer is an error, and no answer', async () => {
    expect(await ask({ ...job, mrzLines: null }, going)).toEqual({ error: 'provider_unavailable' });
  });

  it('that is embedded answers the same for the same job', async () => {
    const [first, second] = [await ask(job, going), await ask(job, going)];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    expect(first).toMatchObject({ answer: { status: 'inconclusive' }, provider: 'embedded' });
  });
});

describe('the provider', () => {
  it.each([
    ['a persona in the sandbox', { environment: 'sandbox', person: { ...job.person, cpf: '55555555555' } }, 'sandbox'],
    ['a wanted outcome in the sandbox', { environment: 'sandbox', wantedOutcome: 'failed' }, 'sandbox'],
    ['anybody else in the sandbox', { environment: 'sandbox' }, 'embedded'],
    ['lines in live', {}, 'embedded'],
  ] as const)('of %s is %s', (_, changes, id) => {
    expect(providerFor({ ...job, ...changes })).toMatchObject({ id });
  });

  it.each(['document_ocr', 'face_match', 'liveness', 'registry'] as const)(
    'of %s without lines is missing in live, and the gap says why',
    (type) => {
      expect(providerFor({ ...job, type, mrzLines: null })).toEqual({ gap: expect.stringMatching(/^\w.*\.$/) });
    },
  );
});
