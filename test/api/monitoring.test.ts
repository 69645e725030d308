/** API tests of subscriptions, which begin with an approval and end with the relationship. */
import { describe, expect, it } from 'vitest';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { newApplication, newDecidedApplication } from '../operations/application-records.ts';
import { refused } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { CLEAN, startMonitoringWorld, type Subscription } from './monitoring-world.ts';

const world = await shared(startMonitoringWorld());
const analyst = await world.sandboxed.user('analyst');
const DEFAULT = ['sanctions', 'pep', 'document_expiry', 'risk_review'];

const inDays = (days: number): string =>
  new Date(world.running.services.clock().getTime() + days * DAY_MILLISECONDS).toISOString();

const subscribe = (body: object) =>
  world.request<Subscription & { code?: string }>('POST', '/v1/monitoring/subscriptions', { as: world.test, body });

const end = (applicationId: string) =>
  world.request('POST', `/v1/applications/${applicationId}/end-relationship`, {
    as: world.test,
    body: { reasonCode: 'customer_request' },
  });

const watched = async (): Promise<Subscription> => world.subscriptionOf(await world.approve());

const listed = async (): Promise<{ id: string; alert: string }> => {
  const id = await world.approve({ ...CLEAN, fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' });
  const [alert] = await world.alerts(`applicationId=${id}`);
  return { id, alert: alert!.id };
};

describe('an approval', () => {
  it('starts a subscription to everything, whose first run is done at once', async () => {
    const id = await world.approve();
    expect(await world.subscriptionOf(id)).toMatchObject({
      environment: 'sandbox',
      applicationId: id,
      checks: DEFAULT,
      schedule: { kind: 'on_list_update', intervalDays: null },
      status: 'active',
      pauseReason: null,
      pauseUntil: null,
      endReason: null,
      nextRunAt: null,
      lastResult: 'clear',
      version: 1,
      createdBy: { type: 'system', id: 'applications.approved' },
      recentRuns: [{ trigger: 'subscribed', result: 'clear', newAlerts: 0 }],
    });
  });

  it('of a level without monitoring starts none', async () => {
    const id = await newApplication(world, world.sandboxed);
    expect(refused(await subscribe({ applicationId: id }))).toEqual([422, 'subject_not_approved']);
    expect(
      (
        await world.request<{ items: unknown[] }>('GET', `/v1/monitoring/subscriptions?applicationId=${id}`, {
          as: world.test,
        })
      ).body.items,
    ).toEqual([]);
  });

  it('ends with the relationship, for good', async () => {
    const id = await world.approve();
    expect((await end(id)).status).toBe(200);
    const ended = await world.subscriptionOf(id);
    expect([ended.status, ended.endReason, ended.nextRunAt]).toEqual(['ended', 'relationship_ended', null]);
    expect(refused(await world.run(ended.id))).toEqual([409, 'monitoring_not_active']);
    expect(refused(await world.change(ended.id, { checks: ['pep'] }))).toEqual([409, 'monitoring_not_active']);
    expect(refused(await subscribe({ applicationId: id }))).toEqual([422, 'subject_not_approved']);
  });

  it('is deleted with the applicant: an erasure ends the subscription, resolves its alerts and empties what was written about them', async () => {
    const { id, alert } = await listed();
    await world.triage(alert, { outcome: 'acknowledge', note: 'The lontra of the list smiles.' });
    expect((await end(id)).status).toBe(200);
    await world.database.sql(
      `UPDATE application
        SET submitted_at = '2009-05-05', decided_at = '2009-05-05', updated_at = '2009-05-05',
        relationship_ended_at = '2009-05-05' WHERE id = $1`,
      [id],
    );
    expect(
      (
        await world.request('POST', `/v1/applications/${id}/erase`, {
          as: await world.sandboxed.user('compliance_officer', { secondFactor: true }),
          body: { reason: 'retention_expired' },
        })
      ).status,
    ).toBe(202);
    const [erased] = await world.database.sql<{ subscription: string; notes: string | null }>(
      `
      SELECT s.status AS subscription, (SELECT string_agg(note, ',') FROM monitoring_alert
        WHERE application_id = $1) AS notes FROM monitoring_subscription s WHERE s.application_id = $1`,
      [id],
    );
    expect([erased!.subscription, erased!.notes]).toEqual(['ended', '']);
    expect(new Set((await world.alerts(`applicationId=${id}`)).map(({ status }) => status))).toEqual(
      new Set(['resolved']),
    );
    expect(refused(await subscribe({ applicationId: id }))).toEqual([410, 'erased']);
  });

  it('from before there was monitoring is monitored from the next round on', async () => {
    const id = await newDecidedApplication(world, world.sandboxed, CLEAN);
    await world.database.sql('DELETE FROM monitoring_subscription WHERE application_id = $1', [id]);
    expect((await world.coverage()).unmonitored).toContain(id);
    await world.running.runJob('monitoring.due');
    await world.settle();
    expect(await world.subscriptionOf(id)).toMatchObject({ status: 'active', lastResult: 'clear' });
    expect((await world.coverage()).unmonitored).not.toContain(id);
  });
});

describe('a subscription', () => {
  it('exists once for each applicant', async () => {
    const { applicationId } = await watched();
    expect(refused(await subscribe({ applicationId }))).toEqual([409, 'already_monitored']);
  });

  it('needs an application that the caller can see', async () => {
    expect(refused(await subscribe({ applicationId: '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21' }))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('runs on request, and accepts one request at a time', async () => {
    const { id } = await watched();
    expect((await world.run(id)).status).toBe(202);
    expect(refused(await world.run(id))).toEqual([409, 'run_in_progress']);
    await world.settle();
    expect(
      (
        await world.request<Subscription>('GET', `/v1/monitoring/subscriptions/${id}`, { as: world.test })
      ).body.recentRuns.map(({ trigger }) => trigger),
    ).toEqual(['requested', 'subscribed']);
    expect((await world.run(id)).status).toBe(202);
    await world.settle();
  });

  it('runs at intervals too, by the clock of its environment', async () => {
    const { id, applicationId } = await watched();
    const changed = await world.change(id, { schedule: { kind: 'interval', intervalDays: 5 } }, world.test);
    expect([changed.status, changed.body.schedule, changed.body.version]).toEqual([
      200,
      { kind: 'interval', intervalDays: 5 },
      2,
    ]);
    expect(Math.abs(Date.parse(changed.body.nextRunAt!) - Date.parse(inDays(5)))).toBeLessThan(60_000);
    await world.database.sql(
      `UPDATE monitoring_subscription SET next_run_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    await world.running.runJob('monitoring.due');
    await world.settle();
    const after = await world.subscriptionOf(applicationId);
    expect([after.recentRuns[0]!.trigger, Date.parse(after.nextRunAt!) > Date.now()]).toEqual(['interval', true]);
    expect((await world.change(id, { schedule: { kind: 'on_list_update' } }, world.test)).body.nextRunAt).toBeNull();
  });

  it('is paused only by a compliance officer if it monitors sanctions, and resumes by itself', async () => {
    const { id, applicationId } = await watched();
    const pause = { status: 'paused', pauseReason: 'investigation', pauseUntil: inDays(7) };
    for (const as of [world.test, analyst])
      expect(refused(await world.change(id, pause, as))).toEqual([403, 'role_forbidden']);
    expect(refused(await world.change(id, { checks: ['pep'] }, analyst))).toEqual([403, 'role_forbidden']);
    expect((await world.change(id, pause)).body).toMatchObject({
      status: 'paused',
      pauseReason: 'investigation',
      pauseUntil: pause.pauseUntil,
    });
    expect(refused(await world.run(id))).toEqual([409, 'monitoring_not_active']);
    expect((await world.coverage()).paused).toContainEqual({
      subscriptionId: id,
      applicationId,
      businessId: null,
      reason: 'investigation',
      until: pause.pauseUntil,
    });
    expect((await world.coverage()).unmonitored).toContain(applicationId);
    await world.database.sql(
      `UPDATE monitoring_subscription SET pause_until = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    await world.running.runJob('monitoring.due');
    await world.settle();
    const after = await world.subscriptionOf(applicationId);
    expect([after.status, after.pauseUntil, after.recentRuns[0]!.trigger]).toEqual(['active', null, 'resumed']);
    expect((await world.sandboxed.audit()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['monitoring.paused', 'monitoring.resumed']),
    );
  });

  it('that is paused is resumed by hand, and screens what changed meanwhile', async () => {
    const { id, applicationId } = await watched();
    await world.change(id, { status: 'paused', pauseReason: 'other', pauseUntil: inDays(1) });
    expect((await world.change(id, { status: 'active' }, analyst)).body).toMatchObject({
      status: 'active',
      pauseReason: null,
      pauseUntil: null,
    });
    await world.settle();
    expect((await world.subscriptionOf(applicationId)).recentRuns[0]!.trigger).toBe('resumed');
  });

  it.each([
    [{ status: 'paused' }, ['/pauseReason', '/pauseUntil']],
    [{ pauseUntil: '2099-01-01T00:00:00.000Z' }, ['/pauseUntil']],
    [{ status: 'active', pauseReason: 'other' }, ['/pauseReason']],
    [{ status: 'paused', pauseReason: 'other', pauseUntil: '2020-01-01T00:00:00.000Z' }, ['/pauseUntil']],
    [{ status: 'paused', pauseReason: 'other', pauseUntil: '2099-01-01T00:00:00.000Z' }, ['/pauseUntil']],
    [{ schedule: { kind: 'interval' } }, ['/schedule/intervalDays']],
    [{ schedule: { kind: 'on_list_update', intervalDays: 3 } }, ['/schedule/intervalDays']],
    [{ schedule: { kind: 'interval', intervalDays: 366 } }, ['/schedule/intervalDays']],
    [{ checks: [] }, ['/checks']],
    [{ checks: ['sanctions', 'sanctions'] }, ['/checks']],
    [{ checks: ['weather'] }, ['/checks/0']],
    [{ status: 'ended' }, ['/status']],
    [{}, ['']],
  ])('is not changed by %j, which names %j', async (body, pointers) => {
    const before = await watched();
    const answer = await world.change(before.id, body);
    expect([answer.status, answer.body.errors?.map(({ pointer }) => pointer)]).toEqual([422, pointers]);
    expect(await world.subscriptionOf(before.applicationId)).toEqual(before);
  });

  it('is changed only by callers who have read it', async () => {
    const { id } = await watched();
    expect(refused(await world.change(id, { checks: ['sanctions'] }, world.officer, { 'If-Match': '"7"' }))).toEqual([
      412,
      'version_conflict',
    ]);
    expect((await world.change(id, { checks: ['sanctions'] }, world.officer, { 'If-Match': '"1"' })).status).toBe(200);
  });

  it('reports a failed run if a list was never imported, retries, and counts as overdue', async () => {
    for (const table of ['watch_list_file', 'watch_list_entity'])
      await world.database.sql(`DELETE FROM ${table} WHERE environment = 'live' AND list_id = 'ofac-sdn'`);
    await world.database.sql(`DELETE FROM watch_list_version WHERE environment = 'live' AND list_id = 'ofac-sdn'`);
    const key = await world.acme.key(['read', 'screening']);
    const before = (await world.coverage(key)).overdueRuns;
    const found = await world.subscriptionOf(await world.approve(CLEAN, world.acme), key);
    expect(found).toMatchObject({
      environment: 'live',
      lastResult: 'failed',
      recentRuns: [{ result: 'failed', screeningId: null, newAlerts: 0 }],
    });
    expect(Date.parse(found.nextRunAt!)).toBeGreaterThan(Date.now());
    const coverage = await world.coverage(key);
    expect([coverage.overdueRuns, coverage.staleLists]).toEqual([before + 1, ['ofac-sdn']]);
    const overdue = await world.request<{ items: Subscription[] }>('GET', '/v1/monitoring/subscriptions?overdue=true', {
      as: key,
    });
    expect(overdue.body.items.map(({ id }) => id)).toContain(found.id);
  });
});

describe('the coverage', () => {
  it('counts the monitored people and names what is not screened', async () => {
    const before = await world.coverage();
    const { applicationId } = await watched();
    const { alert } = await listed();
    const after = await world.coverage();
    expect([after.approvedSubjects - before.approvedSubjects, after.monitored - before.monitored]).toEqual([2, 2]);
    expect(after.openAlerts).toBeGreaterThan(before.openAlerts);
    expect(Date.parse(after.oldestUnreviewedAlert!)).toBeLessThanOrEqual(Date.now());
    await end(applicationId!);
    await world.triage(alert, { outcome: 'acknowledge' });
    const last = await world.coverage();
    expect([
      last.approvedSubjects - before.approvedSubjects,
      last.monitored - before.monitored,
      last.openAlerts - after.openAlerts,
    ]).toEqual([1, 1, -1]);
  });
});
