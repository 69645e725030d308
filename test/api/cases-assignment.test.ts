import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { each } from '../support/each.ts';
import { refusalOf, startCasesWorld } from './cases-world.ts';

const { service, tenant, analyst, colleague, officer, second, call, open, read, next, settings, due, reviewed, patch } =
  await startCasesWorld();

/** In the soak the design's numbers, otherwise fewer. */
const [PEOPLE, CASES] = process.env['SOAK'] === 'true' ? [100, 500] : [20, 100];

/** Inserts open cases in the queues of the settings, and returns their ids in the order in which they are taken. */
async function fill(count: number): Promise<string[]> {
  const queues = ['critical', 'high', 'normal', 'low'];
  const rows: { readonly id: string; readonly queue: string; readonly minutes: number }[] = [];
  for (let i = 0; i < count; i++) {
    const [queue, minutes] = [queues[(i * 7) % 4]!, (i * 37) % count];
    const id = await open({ queue });
    await service.database.sql(`UPDATE review_case SET due_at = now() + $2 * interval '1 minute' WHERE id = $1`, [
      id,
      minutes,
    ]);
    rows.push({ id, queue, minutes });
  }
  return rows
    .toSorted((a, b) => queues.indexOf(a.queue) - queues.indexOf(b.queue) || a.minutes - b.minutes)
    .map(({ id }) => id);
}

describe('the next case', () => {
  it(`is another one for each of ${PEOPLE} people at once, in the order of queue and due date`, {
    timeout: 120_000,
  }, async () => {
    const expected = await fill(CASES);
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => tenant.person('analyst')));
    const taken: string[] = [];
    for (let round = 0; round < CASES / PEOPLE; round++) {
      const answers = await Promise.all(people.map(({ as }) => next(as)));
      const ids = answers.map(({ body }) => body.reviewCase?.id);
      // Within a round the callers run at once, so only the set of their cases is known.
      expect(new Set(ids)).toEqual(new Set(expected.slice(round * PEOPLE, (round + 1) * PEOPLE)));
      taken.push(...(ids as string[]));
    }
    expect(new Set(taken).size).toBe(CASES);
    expect((await next()).body.reviewCase).toBeNull();
    for (const id of each(taken.slice(0, 5))) expect((await read(id)).status).toBe('in_progress');
  });

  it('comes from the wanted queues only', async () => {
    const [low] = [await open({ queue: 'low' }), await open({ queue: 'normal' })];
    expect((await next(analyst.as, { queues: ['low'] })).body.reviewCase?.id).toBe(low);
    expect((await next(analyst.as, { queues: ['low'] })).body.reviewCase).toBeNull();
    expect((await next()).body.reviewCase?.queue).toBe('normal');
  });

  it('is none about an applicant whom the caller decided about', async () => {
    const { applicationId, evidenceDigest } = await reviewed();
    await call('POST', `/v1/applications/${applicationId}/decisions`, analyst.as, {
      outcome: 'reject',
      rejectType: 'final',
      reasonCodes: ['document_fraud'],
      note: 'The passport is forged.',
      evidenceDigest,
    });
    const id = await open({ applicationId });
    expect((await next()).body.reviewCase).toBeNull();
    expect(refusalOf(await patch(id, { assigneeId: analyst.id }, officer.as))).toEqual([
      422,
      'assignee_not_eligible',
      '/assigneeId',
    ]);
    expect((await next(colleague.as)).body.reviewCase?.id).toBe(id);
  });

  it('is refused to a member who has as many as the settings allow', async () => {
    const busy = await tenant.person('analyst');
    await settings({ cases: { checklists: [], qualityReviews: [], maxOpenPerMember: 1 } });
    await open();
    await open();
    expect((await next(busy.as)).body.reviewCase).not.toBeNull();
    expect(refusalOf(await next(busy.as))).toEqual([409, 'too_many_open_cases']);
    await settings({ cases: { checklists: [], qualityReviews: [], maxOpenPerMember: null } });
    expect((await next(busy.as)).body.reviewCase).not.toBeNull();
  });
});

describe('an assignment of many', () => {
  const assign = (body: object) =>
    call<{ items: { caseId: string; result: string; assigneeId: string | null }[] }>(
      'POST',
      '/v1/cases/assign',
      officer.as,
      body,
    );

  it('goes by load to those who are present, and leaves cases that somebody works on', async () => {
    const world = { people: [analyst, colleague, officer, second] };
    await service.database.sql(
      "UPDATE membership SET status = 'deactivated' WHERE tenant_id = $1 AND NOT user_id = ANY ($2::uuid[])",
      [tenant.id, world.people.map(({ id }) => id)],
    );
    await service.database.sql("UPDATE review_case SET status = 'resolved', assignee_id = NULL WHERE tenant_id = $1", [
      tenant.id,
    ]);
    const absent = new Date(service.running.services.clock().getTime() + 86_400_000).toISOString();
    const changed = await call<{ absentUntil: string }>('PATCH', '/v1/auth/me', colleague.as, { absentUntil: absent });
    expect(changed.body.absentUntil).toBe(absent);
    const busy = await open();
    await patch(busy, { assigneeId: officer.id });
    const ids = [await open(), await open(), await open()];
    const { items } = (await assign({ caseIds: [busy, ...ids] })).body;
    expect(items[0]).toEqual({ caseId: busy, result: 'unchanged', assigneeId: officer.id });
    const loads = new Map<string | null, number>();
    for (const { assigneeId } of items) loads.set(assigneeId, (loads.get(assigneeId) ?? 0) + 1);
    expect(loads.has(colleague.id)).toBe(false);
    expect([...loads.values()].sort()).toEqual([1, 1, 2]);
  });

  it('tells the result of each case', async () => {
    const [id, unknown] = [await open(), uuidv7()];
    const given = await assign({ caseIds: [id.toUpperCase(), unknown], assigneeId: analyst.id });
    expect(given.body.items).toEqual([
      { caseId: id, result: 'assigned', assigneeId: analyst.id },
      { caseId: unknown, result: 'not_found', assigneeId: null },
    ]);
    await service.database.sql("UPDATE review_case SET status = 'pending_approval' WHERE id = $1", [id]);
    expect((await assign({ caseIds: [id], assigneeId: officer.id })).body.items).toMatchObject([
      { result: 'not_open' },
    ]);
    expect(refusalOf(await assign({ caseIds: [id], assigneeId: unknown }))).toEqual([
      422,
      'assignee_not_eligible',
      '/assigneeId',
    ]);
    const many = Array.from({ length: 101 }, () => uuidv7());
    expect(refusalOf(await assign({ caseIds: many }))).toEqual([422, 'validation_failed', '/caseIds']);
  });

  it('is eligible to nobody if all who are present decided about the applicant', async () => {
    const { applicationId } = await reviewed();
    const id = await open({ applicationId });
    for (const { id: userId } of [analyst, officer, second])
      await service.database.sql(
        `INSERT INTO decision (tenant_id, id, application_id, environment, outcome, reject_type, reason_codes, note,
          status,
          four_eyes_reasons, evidence_digest, policy_version, made_by, created_at, effective_at, manifest)
        VALUES ($1, $2, $3, 'live', 'reject', 'final', '{other}', '', 'effective', '{}', 'd', 1,
          jsonb_build_object('type', 'user', 'id', $4::text, 'display', ''), now(), now(), '{}')`,
        [tenant.id, uuidv7(), applicationId, userId],
      );
    expect((await assign({ caseIds: [id] })).body.items).toEqual([
      { caseId: id, result: 'not_eligible', assigneeId: null },
    ]);
  });
});

describe('the cases of a member who leaves', () => {
  it('return to their queue when the member is deactivated, or has another role', async () => {
    const leaving = await tenant.person('analyst');
    const [one, other] = [await open(), await open()];
    for (const id of [one, other]) await patch(id, { assigneeId: leaving.id }, officer.as);
    const admin = await tenant.person('admin');
    expect((await call('PATCH', `/v1/users/${leaving.id}`, admin.as, { status: 'deactivated' })).status).toBe(200);
    await due();
    for (const id of each([one, other])) expect(await read(id)).toMatchObject({ status: 'open', assigneeId: null });
    const changing = await tenant.person('analyst');
    await patch(one, { assigneeId: changing.id }, officer.as);
    await call('PATCH', `/v1/users/${changing.id}`, admin.as, { role: 'viewer' });
    await due();
    expect(await read(one)).toMatchObject({ status: 'open', assigneeId: null });
  });

  it('are counted in the list of members', async () => {
    const member = await tenant.person('analyst');
    await patch(await open(), { assigneeId: member.id }, officer.as);
    const { body } = await call<{ openCases: number }>(
      'GET',
      `/v1/users/${member.id}`,
      (await tenant.person('admin')).as,
    );
    expect(body.openCases).toBe(1);
  });
});

describe('an absence', () => {
  it.each([
    ['in the past', '2020-01-01T00:00:00.000Z'],
    ['more than a year ahead', '2999-01-01T00:00:00.000Z'],
  ])('is refused if its end is %s', async (_, absentUntil) => {
    expect(refusalOf(await call('PATCH', '/v1/auth/me', analyst.as, { absentUntil }))).toEqual([
      422,
      'validation_failed',
      '/absentUntil',
    ]);
  });
});
