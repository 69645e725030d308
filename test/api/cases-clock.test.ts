import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addMilliseconds, DAY_MILLISECONDS, HOUR_MILLISECONDS } from '../../server/base/time.ts';
import { casesDue } from '../../server/modules/cases/dues.ts';
import { analysisDue, dueOf, latestSnooze } from '../../server/modules/cases/clock.ts';
import { success } from '../support/api.ts';
import { businessTimeAt } from '../support/business-time.ts';
import { newCase } from '../operations/case-records.ts';
import { refusalOf, startCasesWorld } from './cases-world.ts';

const { service, tenant, analyst, officer, call, open, read, patch, due, reviewed } = await startCasesWorld();

/** Processes what is due at a later time of live cases, without the sessions of the callers ending. */
const dueIn = (milliseconds: number) =>
  service.database.database.transaction({ tenantId: tenant.id }, (tx) =>
    casesDue.run(tx, {
      environment: 'live',
      businessTime: businessTimeAt(new Date(now() + milliseconds)),
      now: new Date(now()),
    }),
  );
const now = (): number => service.running.services.clock().getTime();
const later = (milliseconds: number): string => new Date(now() + milliseconds).toISOString();
const actionsOf = async (id: string): Promise<string[]> =>
  (await tenant.audit()).filter(({ resource_id }) => resource_id === id).map(({ action }) => action);

interface Vector {
  readonly id: string;
  readonly type: string;
  readonly selectedAt: string;
  readonly expect: { readonly analysisDueAt: string };
}
const VECTORS = new URL('../../../shared/vectors/dates/cases.json', import.meta.url);
const vectors = existsSync(VECTORS)
  ? (JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: readonly Vector[] }).cases.filter(
      ({ type }) => type === 'analysis_due',
    )
  : [];

describe('the analysis of a selected operation', () => {
  it.each([
    ['across New Year', '2026-11-20T15:00:00.000Z', '2027-01-05T02:59:59.999Z'],
    ['that ends in Carnival', '2026-01-03T12:00:00.000Z', '2026-02-18T02:59:59.999Z'],
    ['that ends on Carnival Monday', '2026-01-02T12:00:00.000Z', '2026-02-17T02:59:59.999Z'],
    ['selected late in the evening of São Paulo', '2026-12-01T02:30:00.000Z', '2027-01-15T02:59:59.999Z'],
  ])('%s is due at the end of the 45th day', (_, selectedAt, dueAt) => {
    expect(analysisDue(businessTimeAt(selectedAt)).toISOString()).toBe(dueAt);
  });

  it('is due as in the shared vectors, where they are present', () => {
    expect(vectors.map(({ id, selectedAt }) => [id, analysisDue(businessTimeAt(selectedAt)).toISOString()])).toEqual(
      vectors.map(({ id, expect: { analysisDueAt } }) => [id, analysisDueAt]),
    );
  });
});

describe('the clock of a queue', () => {
  it('counts hours, holidays and weekends included, and leaves out the time of the applicant', () => {
    const clockStartedAt = businessTimeAt('2026-12-31T20:00:00.000Z').toISOString();
    expect(dueOf({ clockStartedAt, slaHours: 24, waitedMs: 0 })).toBe('2027-01-01T20:00:00.000Z');
    expect(dueOf({ clockStartedAt, slaHours: 24, waitedMs: 3 * DAY_MILLISECONDS })).toBe('2027-01-04T20:00:00.000Z');
  });

  it('runs out once, even while nobody works on the case', async () => {
    const id = await open({ queue: 'critical' });
    await due();
    expect((await read(id)).slaBreached).toBe(false);
    await dueIn(4 * HOUR_MILLISECONDS + 1000);
    await dueIn(4 * HOUR_MILLISECONDS + 2000);
    expect((await read(id)).slaBreached).toBe(true);
    expect((await actionsOf(id)).filter((action) => action === 'case.sla_breached')).toHaveLength(1);
  });

  it('stops while the applicant is asked for information, and no statutory one does', async () => {
    const { applicationId } = await reviewed();
    const id = await open({ applicationId, type: 'monitoring_alert', queue: 'critical' });
    const before = await read(id);
    const ask = { requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: 'When?' };
    const path = `/v1/applications/${applicationId}`;
    await call('POST', `${path}/information-requests`, analyst.as, { items: [ask] });
    const stopped = await read(id);
    expect(stopped).toMatchObject({ dueAt: null, clockStoppedAt: expect.any(String), statutory: before.statutory });
    // Simulates that the applicant has not answered for nine hours.
    await service.database.sql(
      "UPDATE review_case SET clock_stopped_at = clock_stopped_at - interval '9 hours' WHERE id = $1",
      [id],
    );
    await dueIn(9 * HOUR_MILLISECONDS);
    expect((await read(id)).slaBreached).toBe(false);
    await call('PATCH', path, officer.as, { applicant: { dateOfBirth: '1990-05-13' } });
    expect((await call('POST', `${path}/submit`, officer.as, {})).status).toBe(202);
    const after = await read(id);
    const waited = Date.parse(after.dueAt!) - Date.parse(before.dueAt!);
    expect(waited).toBeGreaterThanOrEqual(9 * HOUR_MILLISECONDS);
    expect(waited).toBeLessThan(9 * HOUR_MILLISECONDS + 60_000);
    expect(after.clockStoppedAt).toBeNull();
  });

  it('goes on if the applicant withdraws instead of answering', async () => {
    const { applicationId } = await reviewed();
    const path = `/v1/applications/${applicationId}`;
    const ask = { requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: 'When?' };
    await call('POST', `${path}/information-requests`, analyst.as, { items: [ask] });
    const id = await open({ applicationId });
    expect((await read(id)).dueAt).toBeNull();
    await call('POST', `${path}/withdraw`, officer.as, { reasonCode: 'applicant_request', note: 'By phone.' });
    await due();
    expect((await read(id)).dueAt).toEqual(expect.any(String));
  });
});

describe('a snoozed case', () => {
  it('wakes by time, and its clock runs on', async () => {
    const id = await open();
    const { body } = await patch(id, { snoozedUntil: later(2 * HOUR_MILLISECONDS), assigneeId: analyst.id });
    expect(body).toMatchObject({ status: 'on_hold', dueAt: expect.any(String) });
    await due();
    expect((await read(id)).status).toBe('on_hold');
    await dueIn(2 * HOUR_MILLISECONDS + 1000);
    expect(await read(id)).toMatchObject({ status: 'in_progress', snoozedUntil: null, dueAt: body.dueAt });
    expect(await actionsOf(id)).toEqual(['case.opened', 'case.assigned', 'case.snoozed', 'case.woken']);
  });

  it('wakes if it is assigned anew or asked to', async () => {
    const id = await open();
    await patch(id, { snoozedUntil: later(HOUR_MILLISECONDS) });
    expect((await patch(id, { snoozedUntil: null })).body.status).toBe('open');
    await patch(id, { snoozedUntil: later(HOUR_MILLISECONDS) });
    expect((await patch(id, { assigneeId: analyst.id })).body.status).toBe('in_progress');
  });

  it('does not sleep past a statutory date, nor longer than 90 days, nor until the past', async () => {
    const id = await open({ type: 'monitoring_alert' });
    const { statutory } = await read(id);
    const last = Date.parse(statutory.analysisDueAt!);
    expect(refusalOf(await patch(id, { snoozedUntil: new Date(last + 1).toISOString() }))).toEqual([
      422,
      'snooze_past_due',
      '/snoozedUntil',
    ]);
    expect((await patch(id, { snoozedUntil: statutory.analysisDueAt })).status).toBe(200);
    const other = await open();
    expect(refusalOf(await patch(other, { snoozedUntil: later(91 * DAY_MILLISECONDS) }))[1]).toBe('snooze_past_due');
    expect(refusalOf(await patch(other, { snoozedUntil: later(-1000) }))).toEqual([
      422,
      'validation_failed',
      '/snoozedUntil',
    ]);
  });

  it('keeps the nearest of its statutory dates', () => {
    const at = businessTimeAt('2026-11-25T12:00:00.000Z');
    const freezeDueAt = addMilliseconds(at, DAY_MILLISECONDS).toISOString();
    const analysisDueAt = addMilliseconds(at, 2 * DAY_MILLISECONDS).toISOString();
    expect(latestSnooze({ analysisDueAt, freezeDueAt }, at)).toBe(Date.parse(freezeDueAt));
    expect(latestSnooze({ analysisDueAt, freezeDueAt: null }, at)).toBe(Date.parse(analysisDueAt));
  });
});

describe('the clock of the sandbox', () => {
  it('wakes and breaches the cases of the sandbox, and none that is live', async () => {
    const sandboxed = await service.tenant();
    const live = await newCase(service, sandboxed, { queue: 'critical' });
    await success(service.api.POST('/v1/sandbox/enable', { headers: await sandboxed.key(['admin']) }));
    const as = await sandboxed.key(['admin'], { environment: 'test' });
    const id = await newCase(service, sandboxed, { queue: 'critical', as });
    const { body } = await success(
      service.api.POST('/v1/sandbox/simulations', {
        headers: as,
        body: { type: 'advance_clock', parameters: { seconds: 5 * 3600 } },
      }),
      202,
    );
    expect(body.effects).toContainEqual({
      resource: { type: 'case', id },
      change: expect.stringContaining('not resolved by'),
    });
    const breached = async (of: string) => (await read(of, sandboxed)).slaBreached;
    expect([await breached(id), await breached(live)]).toEqual([true, false]);
  });
});
