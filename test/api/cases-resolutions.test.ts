import { describe, expect, it } from 'vitest';
import { newConsent } from '../operations/application-records.ts';
import { newCaseDocument } from '../operations/case-records.ts';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { jpeg } from '../support/specimens.ts';
import { form, person } from './applications-world.ts';
import { REASONING, refusalOf, startCasesWorld } from './cases-world.ts';

const {
  service,
  tenant,
  analyst,
  officer,
  second,
  call,
  open,
  read,
  resolve,
  review,
  patch,
  settings,
  reviewed,
  next,
} = await startCasesWorld();

const SERIOUS = { outcome: 'confirmed_risk', reasonCodes: ['suspicion_confirmed'] };
const reopen = (id: string, as = officer.as) =>
  call('POST', `/v1/cases/${id}/reopen`, as, { reasonCode: 'new_information', note: 'The bank has answered.' });

describe('a resolution', () => {
  it('takes effect at once if one person suffices', async () => {
    const id = await open();
    const { status, body } = await resolve(id);
    expect([status, body.status, body.fourEyesReasons]).toEqual([200, 'effective', []]);
    expect(await read(id)).toMatchObject({ status: 'resolved', resolutions: [{ id: body.id, note: REASONING }] });
    const [row] = await service.database.sql<{ note: string }>('SELECT note FROM case_resolution WHERE id = $1', [
      body.id,
    ]);
    expect(row!.note).not.toContain('account');
  });

  it('waits for a second person if the outcome is serious, and a machine cannot make it', async () => {
    const id = await open();
    expect(refusalOf(await resolve(id, await tenant.key(['write']), SERIOUS))).toEqual([403, 'human_required']);
    const { status, body } = await resolve(id, officer.as, SERIOUS);
    expect([status, body.status, body.fourEyesReasons]).toEqual([202, 'pending_review', ['outcome_confirmed_risk']]);
    expect(refusalOf(await review(id, body.id, officer.as))).toEqual([403, 'self_approval_forbidden']);
    const confirmed = await review(id, body.id, second.as);
    expect([confirmed.status, confirmed.body.status, confirmed.body.reviewNote]).toEqual([
      200,
      'effective',
      'I have read the notes.',
    ]);
    expect((await read(id)).status).toBe('resolved');
    expect(refusalOf(await review(id, body.id, second.as))).toEqual([409, 'resolution_not_pending']);
  });

  it('goes back to the assignee if the second person returns it', async () => {
    const id = await open();
    await patch(id, { assigneeId: analyst.id });
    const { body } = await resolve(id, analyst.as, SERIOUS);
    expect((await review(id, body.id, officer.as, { verdict: 'return' })).body.status).toBe('returned');
    expect(await read(id)).toMatchObject({ status: 'in_progress', assigneeId: analyst.id });
    expect((await resolve(id, analyst.as, SERIOUS)).status).toBe(202);
  });

  it.each([
    [
      'a reason of another outcome',
      { reasonCodes: ['different_person'] },
      [422, 'validation_failed', '/reasonCodes/0'],
    ],
    ['a note of 19 characters', { note: 'x'.repeat(19) }, [422, 'validation_failed', '/note']],
    ['another digest', { evidenceDigest: `sha256:${'0'.repeat(64)}` }, [409, 'evidence_changed']],
  ])('is refused with %s', async (_, body, expected) => {
    expect(refusalOf(await resolve(await open(), analyst.as, body))).toEqual(expected);
  });

  it('is refused after a note, a document, a tick of the checklist, or new evidence about the applicant', async () => {
    const { applicationId } = await reviewed();
    const id = await open({ applicationId });
    const changes = [
      () => call('POST', `/v1/cases/${id}/notes`, analyst.as, { text: 'Something new.' }),
      () => newCaseDocument(service, tenant, id),
      () => newConsent(service, tenant, applicationId),
    ];
    for (const change of changes) {
      const { evidenceDigest } = await read(id);
      await change();
      expect(refusalOf(await resolve(id, analyst.as, { evidenceDigest }))).toEqual([409, 'evidence_changed']);
    }
    expect((await resolve(id)).status).toBe(200);
  });

  it('is refused until the required items of the checklist are done', async () => {
    await settings({
      cases: { checklists: [{ type: 'ad_hoc', items: [{ key: 'funds', label: 'Look', required: true }] }] },
    });
    const id = await open();
    await settings({ cases: { checklists: [], qualityReviews: [], maxOpenPerMember: null } });
    const early = await resolve(id);
    expect([...refusalOf(early), early.body.missingRequired]).toEqual([409, 'checklist_incomplete', ['funds']]);
    await patch(id, { checklistDone: ['funds'] });
    expect((await resolve(id)).status).toBe(200);
  });

  it('is stale if something joins the case while it waits, and the case goes back to work', async () => {
    const id = await open();
    const { body } = await resolve(id, analyst.as, SERIOUS);
    // Simulates a finding that has joined the case.
    await service.database.sql(
      `UPDATE review_case SET links = '[{"kind":"alert","id":"0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21","parentId":null,
        "addedAt":"2026-11-25T08:12:30.000Z"}]' WHERE id = $1`,
      [id],
    );
    expect(refusalOf(await review(id, body.id))).toEqual([409, 'evidence_changed']);
    const { status, resolutions } = await read(id);
    expect([status, resolutions!.map((resolution) => resolution.status)]).toEqual(['open', ['invalidated']]);
  });

  it('cannot be confirmed by somebody who has read other evidence, and then still waits', async () => {
    const id = await open();
    const { body } = await resolve(id, analyst.as, SERIOUS);
    const evidenceDigest = `sha256:${'0'.repeat(64)}`;
    expect(refusalOf(await review(id, body.id, officer.as, { evidenceDigest }))).toEqual([409, 'evidence_changed']);
    expect((await review(id, body.id)).status).toBe(200);
  });

  it('closes the case for notes, documents and changes', async () => {
    const id = await open();
    await resolve(id);
    expect(refusalOf(await call('POST', `/v1/cases/${id}/notes`, analyst.as, { text: 'x' }))).toEqual([
      409,
      'case_closed',
    ]);
    expect(refusalOf(await patch(id, { tags: [] }))).toEqual([409, 'case_closed']);
    await expect(newCaseDocument(service, tenant, id)).rejects.toThrow('case_closed');
  });
});

describe('a resolution with a decision', () => {
  const decision = async (applicationId: string) => {
    const { body } = await call<{ evidenceDigest: string }>('GET', `/v1/applications/${applicationId}`, officer.as);
    return {
      outcome: 'reject',
      rejectType: 'final',
      reasonCodes: ['document_fraud'],
      note: 'The passport is forged.',
      evidenceDigest: body.evidenceDigest,
    };
  };
  const statusOf = async (applicationId: string) =>
    (await call<{ status: string }>('GET', `/v1/applications/${applicationId}`, officer.as)).body.status;

  it('decides and resolves in one transaction, or does neither', async () => {
    const { applicationId } = await reviewed();
    const id = await open({ applicationId });
    const given = await decision(applicationId);
    const stale = { ...given, evidenceDigest: `sha256:${'0'.repeat(64)}` };
    expect(refusalOf(await resolve(id, analyst.as, { decision: stale }))).toEqual([409, 'evidence_changed']);
    const unknown = { ...given, reasonCodes: ['no_such_reason'] };
    expect(refusalOf(await resolve(id, analyst.as, { decision: unknown }))[1]).toBe('unknown_reason_code');
    const wrong = { ...given, rejectType: undefined };
    expect(refusalOf(await resolve(id, analyst.as, { decision: wrong }))[2]).toMatch(/^\/decision/);
    expect([(await read(id)).status, await statusOf(applicationId)]).toEqual(['open', 'in_review']);
    const { status, body } = await resolve(id, analyst.as, { decision: given });
    expect([status, body.status, body.decisionId]).toEqual([200, 'effective', expect.any(String)]);
    expect([(await read(id)).status, await statusOf(applicationId)]).toEqual(['resolved', 'rejected']);
  });

  it('waits together with the decision, and is reviewed together with it', async () => {
    const { applicationId } = await reviewed();
    const id = await open({ applicationId });
    const { status, body } = await resolve(id, analyst.as, { ...SERIOUS, decision: await decision(applicationId) });
    expect([status, body.fourEyesReasons]).toEqual([202, ['outcome_confirmed_risk', 'decision']]);
    expect(await statusOf(applicationId)).toBe('pending_approval');
    expect((await review(id, body.id)).status).toBe(200);
    expect([(await read(id)).status, await statusOf(applicationId)]).toEqual(['resolved', 'rejected']);
  });

  it('is overtaken if the decision was reviewed by itself', async () => {
    const { applicationId } = await reviewed();
    const id = await open({ applicationId });
    const given = await decision(applicationId);
    const { body } = await resolve(id, analyst.as, { ...SERIOUS, decision: given });
    const path = `/v1/applications/${applicationId}/decisions/${body.decisionId}/review`;
    const returned = await call('POST', path, officer.as, {
      verdict: 'return',
      note: 'The passport is genuine.',
      evidenceDigest: given.evidenceDigest,
    });
    expect(returned.status).toBe(200);
    expect(refusalOf(await review(id, body.id))).toEqual([409, 'evidence_changed']);
    expect((await read(id)).status).toBe('open');
  });

  it('is not confirmed as an approval once a document that a requirement needs has expired', async () => {
    const key = await tenant.key(['read', 'write']);
    const address = {
      line1: 'Rua 1',
      city: 'Recife',
      state: 'PE',
      country: 'BR',
    };
    const { body: application } = await call<{ id: string }>('POST', '/v1/applications', key, {
      purpose: 'other',
      level: 'standard',
      applicant: { ...person, taxId: { type: 'other', value: 'runs-out', country: 'US' }, address },
    });
    const path = `/v1/applications/${application.id}`;
    // The passing of a day changes nothing of the document's content.
    await call('POST', `${path}/documents`, key, form(jpeg(), { expiresOn: new Date().toISOString().slice(0, 10) }));
    await call('POST', `${path}/submit`, key);
    const id = await open({ applicationId: application.id });
    const { rejectType: _, ...given } = await decision(application.id);
    const approve = { ...given, outcome: 'approve', reasonCodes: ['identity_confirmed'] };
    const { status, body } = await resolve(id, analyst.as, { ...SERIOUS, decision: approve });
    const { evidenceDigest } = await read(id);
    service.advance(2 * DAY_MILLISECONDS);
    const refused = await review(id, body.id, (await tenant.person('compliance_officer')).as, { evidenceDigest });
    service.advance(-2 * DAY_MILLISECONDS);
    expect([status, ...refusalOf(refused)]).toEqual([202, 409, 'checks_incomplete']);
    expect(await statusOf(application.id)).toBe('pending_approval');
  });

  it('returns the application to its review if the case is overtaken', async () => {
    const { applicationId } = await reviewed();
    const id = await open({ applicationId });
    const { body } = await resolve(id, analyst.as, { ...SERIOUS, decision: await decision(applicationId) });
    await service.database.sql(
      `UPDATE review_case SET links = '[{"kind":"alert","id":"0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21","parentId":null,
        "addedAt":"2026-11-25T08:12:30.000Z"}]' WHERE id = $1`,
      [id],
    );
    expect(refusalOf(await review(id, body.id))).toEqual([409, 'evidence_changed']);
    expect([(await read(id)).status, await statusOf(applicationId)]).toEqual(['open', 'in_review']);
  });
});

describe('a reopened case', () => {
  it('is in progress by the officer, with a new clock, the reason as a note and the old resolution', async () => {
    const id = await open();
    await resolve(id);
    expect(refusalOf(await reopen(id, analyst.as))).toEqual([403, 'role_forbidden']);
    expect((await reopen(id)).status).toBe(200);
    const after = await read(id);
    expect(after).toMatchObject({ status: 'in_progress', assigneeId: officer.id, resolvedAt: null });
    expect(after.notes!.map(({ text }) => text)).toEqual(['The bank has answered.']);
    expect(after.resolutions!.map(({ status }) => status)).toEqual(['reopened']);
    expect(refusalOf(await reopen(id))).toEqual([409, 'invalid_state_transition']);
  });

  it('does not stand beside another open case of its type, and takes no note beyond 200', async () => {
    const id = await open();
    await resolve(id);
    const other = await open({ applicationId: (await read(id)).applicationId! });
    const refused = await reopen(id);
    expect([...refusalOf(refused), refused.body.existingId]).toEqual([409, 'open_case_exists', other]);
    await resolve(other);
    await service.database.sql('UPDATE review_case SET note_count = 200 WHERE id = $1', [id]);
    expect(refusalOf(await reopen(id))).toEqual([409, 'case_note_limit']);
    expect((await read(id)).status).toBe('resolved');
  });
});

describe('a quality review', () => {
  it('is opened for the share of the settings, and not for whoever resolved the case', async () => {
    await settings({
      cases: { checklists: [], qualityReviews: [{ type: 'ad_hoc', percent: 100 }], maxOpenPerMember: null },
    });
    const id = await open();
    await resolve(id, officer.as);
    await settings({ cases: { checklists: [], qualityReviews: [], maxOpenPerMember: null } });
    const { applicationId } = await read(id);
    const { items } = (
      await call<{ items: { id: string; relatedCaseIds: string[]; openedReason: string }[] }>(
        'GET',
        `/v1/cases?type=quality_review&applicationId=${applicationId}`,
        officer.as,
      )
    ).body;
    expect(items).toMatchObject([{ relatedCaseIds: [id], openedReason: 'quality_sample' }]);
    const sampled = items[0]!.id;
    expect(refusalOf(await resolve(sampled, officer.as))).toEqual([403, 'self_approval_forbidden']);
    expect(refusalOf(await patch(sampled, { assigneeId: officer.id }, second.as))[1]).toBe('assignee_not_eligible');
    const taken = await next(second.as);
    expect(taken.body.reviewCase).not.toBeNull();
    expect((await resolve(sampled, second.as, { reasonCodes: ['work_confirmed'] })).status).toBe(200);
  });
});
