/** Tests of verifications: documents, registers, attempts, overrides and lists. */
import { describe, expect, it } from 'vitest';
import { persons } from '../../server/providers/personas/index.ts';
import type { Credential, Tenant } from '../support/service.ts';
import { LINES, startVerificationWorld } from './verifications-world.ts';

const world = await startVerificationWorld();
const sandbox = await world.sandbox();
const key = await sandbox.key(['read', 'write'], { environment: 'test' });
const live = world.acme;
const liveKey = await live.key(['read', 'write']);
const officer = await live.user('compliance_officer');

const NOTE = 'Compared the printed page with the application.';
const fault = (body: {
  readonly errors?: readonly { readonly pointer?: string | undefined; readonly code: string }[] | undefined;
}) => body.errors?.map(({ pointer, code }) => [pointer, code]);

/** Returns an application of the tenant with a passport. */
async function withPassport(
  tenant: Tenant,
  as: Credential,
  applicant?: object,
): Promise<{ id: string; passport: string }> {
  const id = await world.apply(as, applicant);
  return { id, passport: await world.document(tenant, id, as) };
}
describe('a proof of address', () => {
  it('has no zone, and is not read together with a document of identity, nor compared with a face', async () => {
    const { id, passport } = await withPassport(sandbox, key);
    const bill = await world.upload(id, { type: 'proof_of_address', side: 'single' }, key);
    const refused = async (type: string, inputs: object) => {
      const { status, body } = await world.start(key, { applicationId: id, type, inputs });
      return [status, body.code, ...(fault(body) ?? [])];
    };
    expect(await refused('document_ocr', { documentIds: [bill], mrzLines: LINES })).toEqual([
      422,
      'validation_failed',
      ['/inputs/mrzLines', 'not_applicable'],
    ]);
    expect(await refused('document_ocr', { documentIds: [bill, passport] })).toEqual([
      422,
      'document_wrong_type',
      ['/inputs/documentIds', 'document_type'],
    ]);
    const selfieDocumentId = await world.upload(id, { type: 'selfie', side: 'single' }, key);
    expect(await refused('face_match', { documentIds: [bill], selfieDocumentId })).toEqual([
      422,
      'document_wrong_type',
      ['/inputs/documentIds/0', 'document_type'],
    ]);
  });
});

describe('lines of a passport', () => {
  it('are checked, and prove no document: the result is inconclusive and says what was not run', async () => {
    const { id, passport } = await withPassport(live, liveKey);
    const { status, body } = await world.start(liveKey, {
      applicationId: id,
      type: 'document_ocr',
      inputs: { documentIds: [passport], mrzLines: LINES },
    });
    expect([status, body.status, body.attempt, body.result]).toEqual([202, 'queued', 1, null]);
    const ended = await world.ended(liveKey, body.id);
    expect(ended).toMatchObject({
      status: 'inconclusive',
      inputs: { documentIds: [passport], mrzLines: LINES },
      result: {
        provider: 'embedded',
        extracted: {
          mrzType: 'TD3',
          documentNumber: { value: 'L898902C3', confidence: 0.95, source: 'mrz' },
          lastName: { value: 'ERIKSSON' },
        },
      },
    });
    const outcomes = Object.fromEntries(ended.result!.checks.map(({ code, outcome }) => [code, outcome]));
    expect(outcomes).toMatchObject({
      image_quality: 'not_run',
      mrz_vs_visual: 'not_run',
      mrz_check_digit_composite: 'pass',
      data_match_name: 'pass',
      document_expired: 'pass',
    });
    expect(ended.expiresAt).not.toBeNull();
  });

  it.each([
    ['a wrong check digit', [LINES[0], LINES[1]!.replace('L898902C36', 'L898902C37')], 'mrz_check_digit_composite'],
    ['a date in the past', [LINES[0], 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'], 'document_expired'],
    ['another name', [LINES[0]!.replace('ERIKSSON<<ANNA', 'BERGMANN<<OLGA'), LINES[1]], 'data_match_name'],
  ])('fail with %s', async (_, mrzLines, code) => {
    const { id, passport } = await withPassport(live, liveKey);
    const { body } = await world.start(liveKey, {
      applicationId: id,
      type: 'document_ocr',
      inputs: { documentIds: [passport], mrzLines },
    });
    const { status, result } = await world.ended(liveKey, body.id);
    expect(status).toBe('failed');
    expect(result?.checks.find((check) => check.code === code)?.outcome).toBe('fail');
  });

  it('are hidden from readers who see personal data masked, with everything that was read', async () => {
    const { id, passport } = await withPassport(live, liveKey);
    const { body } = await world.start(liveKey, {
      applicationId: id,
      type: 'document_ocr',
      inputs: { documentIds: [passport], mrzLines: LINES },
    });
    await world.ended(liveKey, body.id);
    const { text, body: masked } = await world.read(await live.user('viewer'), body.id);
    expect(masked).toMatchObject({ personalDataMasked: true, inputs: { mrzLines: [] }, status: 'inconclusive' });
    expect(text).not.toMatch(/ERIKSSON|L898902C3|1974/i);
  });
});

describe('a verification is refused', () => {
  it('without a provider in live: a person attests the check', async () => {
    const { id, passport } = await withPassport(live, liveKey);
    for (const body of [
      { type: 'document_ocr', inputs: { documentIds: [passport] } },
      { type: 'registry', registrySource: 'bc_protege' },
    ]) {
      const answer = await world.start(liveKey, { applicationId: id, ...body });
      expect([answer.status, answer.body.code]).toEqual([409, 'provider_not_configured']);
      expect(answer.body.detail).toMatch(/installation|VERIFICATION=off/);
    }
  });

  it('with an outcome of the sandbox in live', async () => {
    const { id, passport } = await withPassport(live, liveKey);
    const { status, body } = await world.start(liveKey, {
      applicationId: id,
      type: 'document_ocr',
      inputs: { documentIds: [passport] },
      sandbox: { outcome: 'passed' },
    });
    expect([status, body.code, fault(body)]).toEqual([422, 'sandbox_only_field', [['/sandbox', 'sandbox_only']]]);
  });

  it.each([
    [{ type: 'document_ocr' }, [['/inputs/documentIds', 'required']]],
    [{ type: 'registry' }, [['/registrySource', 'required']]],
    [
      { type: 'liveness', registrySource: 'receita_cpf' },
      [
        ['/registrySource', 'not_applicable'],
        ['/inputs/challengeId', 'required'],
      ],
    ],
    [
      { type: 'registry', registrySource: 'receita_cpf', inputs: { mrzLines: LINES } },
      [['/inputs/mrzLines', 'not_applicable']],
    ],
  ])('without the inputs of its type: %j', async (body, faults) => {
    const answer = await world.start(key, { applicationId: await world.apply(key), ...body });
    expect([answer.status, fault(answer.body)]).toEqual([422, faults]);
  });

  it('with a document of another application, of the wrong type, or with one of two sides', async () => {
    const [{ id, passport }, other] = await Promise.all([withPassport(sandbox, key), withPassport(sandbox, key)]);
    const begin = (inputs: object, type = 'document_ocr') =>
      world.start(key, {
        applicationId: id,
        type,
        inputs,
        sandbox: { outcome: 'passed' },
      });
    const foreign = await begin({ documentIds: [other.passport] });
    expect([foreign.status, fault(foreign.body)]).toEqual([422, [['/inputs/documentIds/0', 'unknown_document']]]);
    await world.basis(sandbox, id, key);
    const wrong = await begin({ documentIds: [passport], selfieDocumentId: passport }, 'face_match');
    expect([wrong.status, wrong.body.code]).toEqual([422, 'document_wrong_type']);
    const front = await world.upload(id, { type: 'id_card', side: 'front' }, key);
    const half = await begin({ documentIds: [front] });
    expect([half.status, fault(half.body)]).toEqual([422, [['/inputs/documentIds', 'side_missing']]]);
    const mixed = await begin({ documentIds: [front, passport] });
    expect([mixed.status, mixed.body.code]).toEqual([422, 'document_wrong_type']);
  });

  it('of a face without a basis for biometric data', async () => {
    const { id, passport } = await withPassport(sandbox, key);
    const selfie = await world.upload(id, { type: 'selfie' }, key);
    const body = {
      applicationId: id,
      type: 'face_match',
      inputs: { documentIds: [passport], selfieDocumentId: selfie },
      sandbox: { outcome: 'passed' },
    };
    const refused = await world.start(key, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'biometric_basis_missing']);
    const consentId = await world.basis(sandbox, id, key);
    const { status, body: started } = await world.start(key, body);
    expect([status, started.legalBasisConsentId]).toEqual([202, consentId]);
    expect(await world.ended(key, started.id)).toMatchObject({ status: 'passed', result: { provider: 'sandbox' } });
  });

  it('after five answers of its type; errors of the provider use no attempt', async () => {
    const { id, passport } = await withPassport(sandbox, key);
    const attempt = async (outcome: string) => {
      const answer = await world.start(key, {
        applicationId: id,
        type: 'document_ocr',
        inputs: { documentIds: [passport] },
        sandbox: { outcome },
      });
      if (answer.status === 202) await world.ended(key, answer.body.id);
      return answer;
    };
    expect((await attempt('error')).body.attempt).toBe(1);
    for (const number of [1, 2, 3, 4, 5]) expect((await attempt('inconclusive')).body.attempt).toBe(number);
    const refused = await attempt('passed');
    expect([refused.status, refused.body.code]).toEqual([409, 'attempt_limit']);
  });
});

describe('an error of a provider', () => {
  it('is no result, and can be repeated: the persona times out once', async () => {
    const persona = persons.find(({ key: name }) => name === 'provider_timeout')!;
    const id = await world.apply(key, { ...persona.applicant! });
    const body = { applicationId: id, type: 'registry', registrySource: 'receita_cpf' };
    const first = await world.ended(key, (await world.start(key, body)).body.id);
    expect(first).toMatchObject({
      status: 'error',
      result: null,
      error: { code: 'provider_timeout', retryable: true },
    });
    const second = await world.ended(key, (await world.start(key, body)).body.id);
    expect(second).toMatchObject({ status: 'passed', error: null, attempt: 1 });
  });
});

describe('an override', () => {
  it('counts in place of the result of the machine, which stays, and may be repeated', async () => {
    const { id, passport } = await withPassport(live, liveKey);
    const { body } = await world.start(liveKey, {
      applicationId: id,
      type: 'document_ocr',
      inputs: { documentIds: [passport], mrzLines: LINES },
    });
    const path = `/v1/verifications/${body.id}/override`;
    const over = (result: string, changes = {}) =>
      world.request<Parameters<typeof fault>[0] & { code: string }>('POST', path, {
        as: officer,
        body: {
          result,
          reasonCode: 'checked_by_person',
          note: NOTE,
          ...changes,
        },
      });
    const early = await over('passed');
    expect([early.status, early.body.code]).toEqual([409, 'not_final']);
    await world.ended(liveKey, body.id);
    const foreign = await over('passed', { evidenceDocumentId: body.id });
    expect([foreign.status, fault(foreign.body)]).toEqual([422, [['/evidenceDocumentId', 'unknown_document']]]);
    const { status, body: overridden } = await over('passed', { evidenceDocumentId: passport });
    expect(status).toBe(200);
    expect(overridden).toMatchObject({
      status: 'inconclusive',
      override: {
        result: 'passed',
        reasonCode: 'checked_by_person',
        note: NOTE,
        evidenceDocumentId: passport,
      },
    });
    expect((await over('failed')).body).toMatchObject({ override: { result: 'failed', evidenceDocumentId: null } });
  });
});

describe('verifications are listed', () => {
  it('of one application, type and status, newest first', async () => {
    const { id, passport } = await withPassport(sandbox, key);
    const made: string[] = [];
    for (const outcome of ['passed', 'inconclusive']) {
      const { body } = await world.start(key, {
        applicationId: id,
        type: 'document_ocr',
        inputs: { documentIds: [passport] },
        sandbox: { outcome },
      });
      await world.ended(key, body.id);
      made.push(body.id);
    }
    const list = async (query: string): Promise<string[]> => {
      const { body } = await world.request<{ items: { id: string }[] }>('GET', `/v1/verifications?${query}`, {
        as: key,
      });
      return body.items.map((item) => item.id);
    };
    expect(await list(`applicationId=${id}`)).toEqual(made.toReversed());
    expect(await list(`applicationId=${id}&sort=createdAt`)).toEqual(made);
    expect(await list(`applicationId=${id}&status=passed&type=document_ocr`)).toEqual([made[0]]);
    expect(await list(`applicationId=${id}&type=registry`)).toEqual([]);
  });
});
