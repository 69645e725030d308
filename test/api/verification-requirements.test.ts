/** Tests of how verifications meet the requirements of an application. */
import { describe, expect, it } from 'vitest';
import { persons } from '../../server/providers/personas/index.ts';
import type { Credential } from '../support/service.ts';
import { startVerificationWorld } from './verifications-world.ts';

const world = await startVerificationWorld();

async function requirement(as: Credential, id: string, wanted: string): Promise<object> {
  const { body } = await world.request<{
    requirements: { items: { key: string; status: string; reasonCode: string }[] };
  }>('GET', `/v1/applications/${id}`, { as });
  const { status, reasonCode } = body.requirements.items.find((item) => item.key === wanted)!;
  return { status, reasonCode };
}

describe('requirements', () => {
  it('are met by a pass of the newest answer, for the data and the documents that were checked', async () => {
    const tenant = await world.sandbox();
    const as = await tenant.key(['read', 'write'], { environment: 'test' });
    await world.demand(tenant, ['document_ocr_passed']);
    const id = await world.apply(as);
    const passport = await world.document(tenant, id, as);
    const now = () => requirement(as, id, 'document_ocr_passed');
    const run = async (outcome: string) => {
      const { body } = await world.start(as, {
        applicationId: id,
        type: 'document_ocr',
        inputs: { documentIds: [passport] },
        sandbox: { outcome },
      });
      const waiting = await now();
      await world.ended(as, body.id);
      return waiting;
    };
    expect(await now()).toEqual({ status: 'missing', reasonCode: 'not_established' });
    expect(await run('error')).toEqual({ status: 'missing', reasonCode: 'verification_pending' });
    expect(await now()).toEqual({ status: 'missing', reasonCode: 'verification_error' });
    await run('inconclusive');
    expect(await now()).toEqual({ status: 'missing', reasonCode: 'verification_inconclusive' });
    await run('failed');
    expect(await now()).toEqual({ status: 'failed', reasonCode: 'verification_failed' });
    await run('passed');
    expect(await now()).toEqual({ status: 'verified', reasonCode: null });
    await world.request('PATCH', `/v1/applications/${id}`, {
      as,
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ applicant: { fullName: 'Olga Bergmann' } }),
    });
    expect(await now()).toEqual({ status: 'missing', reasonCode: 'verification_of_other_data' });
  });

  it('of an identity are not met by a proof of address, which has attempts of its own', async () => {
    const tenant = await world.sandbox();
    const as = await tenant.key(['read', 'write'], { environment: 'test' });
    await world.demand(tenant, ['document_ocr_passed']);
    const applicationId = await world.apply(as);
    const passport = await world.document(tenant, applicationId, as);
    const bill = await world.upload(applicationId, { type: 'proof_of_address', side: 'single' }, as);
    const passed = async (documentId: string) => {
      const { body } = await world.start(as, {
        applicationId,
        type: 'document_ocr',
        inputs: { documentIds: [documentId] },
        sandbox: { outcome: 'passed' },
      });
      const { status, attempt, result } = await world.ended(as, body.id);
      return {
        status,
        attempt,
        deciding: result?.checks[0]?.code,
        requirement: await requirement(as, applicationId, 'document_ocr_passed'),
      };
    };
    expect(await passed(bill)).toEqual({
      status: 'passed',
      attempt: 1,
      deciding: 'address_match',
      requirement: { status: 'missing', reasonCode: 'not_established' },
    });
    expect(await passed(passport)).toEqual({
      status: 'passed',
      attempt: 1,
      deciding: 'document_expired',
      requirement: { status: 'verified', reasonCode: null },
    });
  });

  it('count the newer of an attestation and a verification of a register', async () => {
    const persona = persons.find(({ key: name }) => name === 'account_protection')!;
    const tenant = await world.sandbox();
    const as = await tenant.key(['read', 'write'], { environment: 'test' });
    await world.demand(tenant, ['account_protection_clear']);
    const id = await world.apply(as, { ...persona.applicant! });
    const now = () => requirement(as, id, 'account_protection_clear');
    const { body } = await world.start(as, { applicationId: id, type: 'registry', registrySource: 'bc_protege' });
    await world.ended(as, body.id);
    expect(await now()).toEqual({ status: 'failed', reasonCode: 'verification_failed' });
    const { status } = await world.request('POST', `/v1/applications/${id}/attestations`, {
      as: await tenant.user('analyst'),
      body: {
        requirementKey: 'account_protection_clear',
        outcome: 'pass',
        source: 'The register of the Central Bank.',
        lookedUpAt: new Date(world.running.services.clock().getTime() + 1000).toISOString(),
        note: 'The applicant has lifted the protection.',
      },
    });
    expect(status).toBe(201);
    expect(await now()).toEqual({ status: 'verified', reasonCode: null });
  });
});

describe('a decision', () => {
  it('needs a second person after an override, if the policy says so, and is invalidated by new evidence', async () => {
    const tenant = await world.sandbox();
    const as = await tenant.key(['read', 'write', 'screening'], { environment: 'test' });
    await world.demand(tenant, []);
    const id = await world.submit(as);
    const run = async () => {
      const { body } = await world.start(as, {
        applicationId: id,
        type: 'registry',
        registrySource: 'receita_cpf',
        sandbox: { outcome: 'failed' },
      });
      await world.ended(as, body.id);
      return body.id;
    };
    const verificationId = await run();
    const officer = await tenant.user('compliance_officer');
    const overridden = await world.request('POST', `/v1/verifications/${verificationId}/override`, {
      as: officer,
      body: { result: 'passed', reasonCode: 'checked_by_person', note: 'Looked up at the register by hand.' },
    });
    expect(overridden.status, overridden.text).toBe(200);
    const read = async () =>
      (await world.request<{ status: string; evidenceDigest: string }>('GET', `/v1/applications/${id}`, { as })).body;
    const { evidenceDigest } = await read();
    const decided = await world.request<{ status: string; fourEyesReasons: string[] }>(
      'POST',
      `/v1/applications/${id}/decisions`,
      {
        as: officer,
        body: {
          outcome: 'approve',
          reasonCodes: ['identity_confirmed'],
          note: 'Looked up by hand.',
          evidenceDigest,
        },
      },
    );
    expect(decided.status, decided.text).toBe(202);
    expect(decided.body.fourEyesReasons).toContain('verification_overridden');
    expect((await read()).status).toBe('pending_approval');
    await run();
    expect((await read()).status).toBe('in_review');
  });
});
