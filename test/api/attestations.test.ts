/**
 * API tests of attestations, by which a person records a look-up: what they establish, and when a second person is
 * needed.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { newCpf } from '../support/cpf.ts';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, person, refusal } from './applications-world.ts';
import { DAY, NOTE, requirementOf, SOURCE, startAttestationWorld } from './attestations-world.ts';
import { exposed } from './decisions-world.ts';

const world = await shared(startAttestationWorld());

describe('an attestation', () => {
  it('establishes what a person has looked up, is evidence, and makes an approval wait for a second person', async () => {
    const before = await world.inReview();
    expect(requirementOf(before)).toEqual({
      key: 'adverse_media_clear',
      kind: 'established',
      status: 'missing',
      reasonCode: 'not_established',
      alternatives: [],
      satisfiedBy: [{ kind: 'attestation' }],
    });
    expect(refusal(await world.decide(before))).toEqual([409, 'checks_incomplete']);
    const { body: document } = await world.upload(before.id, jpeg({ text: before.id }), { type: 'other' });
    const lookedUpAt = world.at(-3600);
    const {
      status,
      body: attestation,
      headers,
    } = await world.attest(before.id, { lookedUpAt, evidenceDocumentId: document.id.toUpperCase() });
    expect([status, headers.get('location'), attestation]).toEqual([
      201,
      `/v1/applications/${before.id}`,
      {
        id: expect.any(String),
        requirementKey: 'adverse_media_clear',
        outcome: 'pass',
        source: SOURCE,
        lookedUpAt,
        note: NOTE,
        evidenceDocumentId: document.id,
        createdBy: expect.objectContaining({ type: 'user' }),
        createdAt: expect.any(String),
      },
    ]);
    const { body: after } = await world.get(before.id);
    expect([requirementOf(after)?.status, after.attestations]).toEqual(['verified', [attestation]]);
    expect(after.evidenceDigest).not.toBe(before.evidenceDigest);
    const { body: decision } = await world.decide(after);
    expect([decision.status, decision.fourEyesReasons]).toEqual(['pending_review', ['check_attested']]);
    expect((await world.review(after, decision)).body).toMatchObject({ status: 'effective' });
  });

  it('requires no second person if the applicant is rejected, or if it establishes nothing', async () => {
    const { id } = await world.inReview();
    await world.attest(id, { outcome: 'fail' });
    const reject = { outcome: 'reject', rejectType: 'final', reasonCodes: ['adverse_information'] };
    expect((await world.decide((await world.get(id)).body, reject)).body).toMatchObject({
      status: 'effective',
      fourEyesReasons: [],
    });
  });

  it('with a finding counts against the person, whatever the policy requires, until a new look-up, and cannot be waived', async () => {
    const { id } = await world.inReview();
    await world.attest(id, { requirementKey: 'account_protection_clear', outcome: 'fail' });
    await world.attest(id);
    const { body: barred } = await world.get(id);
    expect(requirementOf(barred, 'account_protection_clear')).toMatchObject({
      status: 'failed',
      reasonCode: 'attested_adverse',
    });
    expect((await world.decide(barred)).body).toMatchObject({
      code: 'checks_incomplete',
      items: [{ key: 'account_protection_clear' }],
    });
    const waiver = {
      action: 'granted',
      requirementKey: 'account_protection_clear',
      reasonCode: 'other',
      note: 'He says that it is gone.',
    };
    expect(
      refusal(await world.request('POST', `/v1/applications/${id}/waivers`, { as: world.officer, body: waiver })),
    ).toEqual([422, 'validation_failed', '/requirementKey not_waivable']);
    await world.attest(id, { requirementKey: 'account_protection_clear', lookedUpAt: world.at(0) });
    expect(await world.requirement(id)).toMatchObject({ status: 'verified' });
    expect(requirementOf((await world.get(id)).body, 'account_protection_clear')).toBeUndefined();
  });

  it('counts against the person also if the requirement was waived before', async () => {
    const { id } = await world.inReview();
    await world.request('POST', `/v1/applications/${id}/waivers`, {
      as: world.officer,
      body: {
        action: 'granted',
        requirementKey: 'adverse_media_clear',
        reasonCode: 'disproportionate',
        note: 'A small account only.',
      },
    });
    expect(await world.requirement(id)).toMatchObject({ status: 'waived' });
    await world.attest(id, { outcome: 'fail' });
    expect(await world.requirement(id)).toMatchObject({ status: 'failed', reasonCode: 'attested_adverse' });
  });

  it('counts from the time of the look-up and not from the time of the record', async () => {
    const { id } = await world.inReview();
    await world.attest(id, { outcome: 'fail', lookedUpAt: world.at(-DAY) });
    await world.attest(id, { outcome: 'pass', lookedUpAt: world.at(-2 * DAY) });
    expect(await world.requirement(id)).toMatchObject({ status: 'failed' });
    const { body: list } = await world.request<{ items: Application[] }>('GET', '/v1/applications?limit=1', {
      as: world.key,
    });
    expect([list.items[0]!.id, requirementOf(list.items[0]!)?.status, list.items[0]!.attestations]).toEqual([
      id,
      'failed',
      undefined,
    ]);
    await world.attest(id, { outcome: 'pass', lookedUpAt: world.at(-DAY / 2) });
    expect(await world.requirement(id)).toMatchObject({ status: 'verified' });
  });

  it('counts for nothing once the application is about another person, except a finding against that person, and is the same in lists', async () => {
    const { id } = await world.complete();
    const edit = (applicant: object) =>
      world.request('PATCH', `/v1/applications/${id}`, { as: world.key, body: { applicant } });
    const listed = async () =>
      requirementOf(
        (await world.request<{ items: Application[] }>('GET', '/v1/applications?limit=1', { as: world.key })).body
          .items[0]!,
      )?.status;
    await world.attest(id);
    await edit({ occupation: 'Pilot' });
    expect([(await world.requirement(id))?.status, await listed()]).toEqual(['verified', 'verified']);
    for (const change of [
      { taxId: { type: 'cpf', value: newCpf() } },
      { dateOfBirth: '1971-01-02' },
      { fullName: 'Marta da Silva' },
    ]) {
      await edit(change);
      expect([await world.requirement(id), await listed()]).toMatchObject([
        { status: 'missing', reasonCode: 'attestation_of_other_data' },
        'missing',
      ]);
      await world.attest(id, { lookedUpAt: world.at(0) });
      expect((await world.requirement(id))?.status).toBe('verified');
    }
    await world.attest(id, { outcome: 'fail', lookedUpAt: world.at(0) });
    await edit({ fullName: 'Maria da Silva' });
    expect(await world.requirement(id)).toMatchObject({ status: 'failed', reasonCode: 'attested_adverse' });
  });

  it('invalidates a decision that waits, which rests on other evidence then', async () => {
    const { id } = await world.inReview(exposed);
    await world.attest(id);
    const { body: decision } = await world.decide((await world.get(id)).body);
    expect(decision).toMatchObject({ status: 'pending_review', fourEyesReasons: ['pep_declared', 'check_attested'] });
    const { body: read } = await world.get(id);
    const { body: added } = await world.attest(id, { outcome: 'fail', lookedUpAt: world.at(0) });
    const verdict = await world.review(read, decision);
    expect([verdict.status, verdict.body]).toMatchObject([
      409,
      {
        code: 'evidence_changed',
        changed: [
          {
            kind: 'check',
            id: added.id,
            change: 'added',
            before: null,
          },
        ],
      },
    ]);
    expect((await world.get(id)).body).toMatchObject({
      status: 'in_review',
      statusReason: 'evidence_changed',
      decisions: [{ id: decision.id, status: 'invalidated' }],
    });
  });

  it('is shown in the timeline and in the log, which contains nothing of what was found, and is masked for readers who see persons masked', async () => {
    const { id } = await world.inReview();
    const { body: attestation } = await world.attest(id, { outcome: 'fail' });
    const {
      body: { items },
    } = await world.request<{ items: object[] }>('GET', `/v1/applications/${id}/timeline`, { as: world.key });
    expect(items[0]).toMatchObject({
      type: 'requirement.attested',
      status: null,
      requirementKey: 'adverse_media_clear',
    });
    const event = (await world.acme.audit()).find(({ resource_id: about }) => about === attestation.id);
    expect(event).toMatchObject({ action: 'requirement.attested', outcome: 'success' });
    expect(JSON.stringify(event)).not.toMatch(/Zorzetto|fail/);
    const masked = await world.acme.key(['read'], { personalData: 'masked' });
    expect((await world.get(id, masked)).body.attestations).toMatchObject([
      { source: '***', note: '***', requirementKey: 'adverse_media_clear' },
    ]);
  });

  it('prevents the deletion of its document from the draft', async () => {
    const { id } = await world.complete();
    const { body: document } = await world.upload(id, jpeg({ text: id }), { type: 'other' });
    await world.attest(id, { evidenceDocumentId: document.id });
    expect(
      refusal(await world.request('DELETE', `/v1/applications/${id}/documents/${document.id}`, { as: world.key })),
    ).toEqual([409, 'document_is_evidence']);
  });

  it('is stored for each of eight that are recorded at once, in a stable order', async () => {
    const { id } = await world.inReview();
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.attest(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const times = (await world.get(id)).body.attestations!.map(({ createdAt }) => createdAt);
    expect([times.length, new Set(times).size, times]).toEqual([8, 8, [...times].sort().reverse()]);
  });
});

describe('a case that rests on an attestation', () => {
  it('is approved by people alone', async () => {
    const tenant = await world.tenant();
    const [key, analyst] = [await tenant.key(['read', 'write']), await tenant.user('analyst')];
    await world.setPolicy(tenant, { autoApprove: true, requiredChecks: { basic: ['cpf_status_ok'] } });
    const {
      body: { id },
    } = await world.create(
      { purpose: 'account_opening', level: 'basic', applicant: { ...person, taxId: { type: 'cpf', value: newCpf() } } },
      key,
    );
    expect((await world.attest(id, { requirementKey: 'cpf_status_ok' }, analyst)).status).toBe(201);
    await world.request('POST', `/v1/applications/${id}/submit`, { as: key });
    await world.running.runTasks();
    expect((await world.get(id, key)).body).toMatchObject({
      status: 'in_review',
      requirements: { items: [{}, {}, { key: 'cpf_status_ok', status: 'verified' }] },
      decisions: [],
    });
  });

  describe('in the sandbox', async () => {
    const admin = await world.acme.key(['admin']);
    const advance = (seconds: number) =>
      world.request('POST', '/v1/sandbox/simulations', {
        as: admin,
        body: { type: 'advance_clock', parameters: { seconds } },
      });
    afterAll(() => world.request('POST', '/v1/sandbox/disable', { as: admin }));

    it('is open again if the look-up is older than 90 days, and the second person is refused', async () => {
      await world.request('POST', '/v1/sandbox/enable', { as: admin });
      const { id, environment } = await world.inReview();
      expect(environment).toBe('sandbox');
      await world.attest(id, { lookedUpAt: world.at(-88 * DAY) });
      const { body: read } = await world.get(id);
      const { body: decision } = await world.decide(read);
      await advance(2 * DAY);
      expect(await world.requirement(id)).toMatchObject({ status: 'verified' });
      await advance(DAY);
      expect(await world.requirement(id)).toMatchObject({ status: 'missing', reasonCode: 'attestation_outdated' });
      expect((await world.review(read, decision)).body).toMatchObject({
        code: 'checks_incomplete',
        items: [{ key: 'adverse_media_clear' }],
      });
      expect((await world.attest(id, { lookedUpAt: world.at(3 * DAY) })).status).toBe(201);
      expect(await world.requirement(id)).toMatchObject({ status: 'verified' });
    });
  });
});
