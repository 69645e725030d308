/** API tests of the monitoring of businesses, from the approval to the erasure. */
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { newApplication } from '../operations/application-records.ts';
import { newBusiness, type Schemas } from './business-world.ts';
import { refusalOf, startMonitoredBusinesses } from './monitored-businesses-world.ts';

const world = await startMonitoredBusinesses();
const { service, sandboxed, analyst, call, approve, run, alertsOf, triage, subscriptionOf, changeRegistry } = world;

const CHECKS = ['registry_status', 'ownership_change', 'power_expiry', 'document_expiry', 'risk_review'];
/** Ends the subscription of a business as an earlier release of the service would have left it. */
const forget = (businessId: string) =>
  service.database.sql(
    `UPDATE monitoring_subscription SET status = 'ended', end_reason = 'rejected', waiting_for = NULL
      WHERE business_id = $1`,
    [businessId],
  );

describe('the monitoring of a business', () => {
  it('begins with the approval, asks the registry at once and again after a month', async () => {
    const id = await approve();
    const found = await subscriptionOf(id);
    expect(found).toMatchObject({
      applicationId: null,
      businessId: id,
      environment: 'sandbox',
      checks: CHECKS,
      schedule: { kind: 'interval', intervalDays: 30 },
      status: 'active',
      lastResult: 'unchanged',
      createdBy: { type: 'system', id: 'businesses.approved' },
    });
    expect(found.recentRuns).toMatchObject([
      {
        trigger: 'subscribed',
        result: 'unchanged',
        screeningId: null,
        newAlerts: 0,
      },
    ]);
    expect(Date.parse(found.nextRunAt!) - Date.parse(found.lastRunAt!)).toBe(30 * 86_400_000);
    const { answer } = (await call<Schemas['BusinessRegistry']>('GET', `businesses/${id}/registry`)).body;
    expect(answer).toMatchObject({ situation: 'active', fetchedBy: { type: 'system', id: 'monitoring' } });
    expect(await alertsOf(id)).toEqual([]);
    await run(id);
    const again = (await call<Schemas['BusinessRegistry']>('GET', `businesses/${id}/registry`)).body;
    expect(again.answer!.id).toBe(answer!.id);
  });

  it('compares only what is recorded where there is no registry to ask', async () => {
    const id = await approve(service.acme);
    const found = await subscriptionOf(id, await service.acme.user('compliance_officer'));
    expect([found.environment, found.lastResult]).toEqual(['live', 'no_registry']);
  });

  it('ends with the relationship, and begins again if the company is taken up again', async () => {
    const id = await approve();
    await changeRegistry(id, 'suspended');
    expect(await alertsOf(id, '&status=open')).toHaveLength(1);
    const ended = await call('POST', `businesses/${id}/end-relationship`, { reasonCode: 'customer_request' });
    expect(ended.status).toBe(200);
    expect(await subscriptionOf(id)).toMatchObject({
      status: 'ended',
      endReason: 'relationship_ended',
      nextRunAt: null,
    });
    expect(await alertsOf(id, '&status=open')).toEqual([]);
    const reopened = await call('POST', `businesses/${id}/reopen`, {
      reasonCode: 'new_evidence',
      note: 'They are back again.',
      requestedBy: 'applicant',
    });
    expect(reopened.status).toBe(200);
    await world.settle();
    expect((await world.subscriptionsOf(id)).map(({ status }) => status).sort()).toEqual(['active', 'ended']);
    const withdrawn = await call('POST', `businesses/${id}/withdraw`, { reasonCode: 'created_in_error' }, world.kyb);
    expect(withdrawn.status).toBe(200);
    expect((await world.subscriptionsOf(id)).map(({ endReason }) => endReason).sort()).toEqual([
      'relationship_ended',
      'withdrawn',
    ]);
  });

  it('is begun by the periodic work for companies that were approved before it existed', async () => {
    const id = await approve();
    await forget(id);
    const coverage = async () =>
      (await call<Schemas['MonitoringCoverage']>('GET', 'monitoring/coverage')).body.businesses;
    const before = await coverage();
    expect(before.unmonitored).toContain(id);
    expect(before.approved - before.monitored).toBe(before.unmonitoredCount);
    await service.running.runJob('monitoring.due');
    await world.settle();
    const after = await coverage();
    expect(after).toEqual({
      approved: before.approved,
      monitored: before.approved,
      unmonitoredCount: 0,
      unmonitored: [],
    });
    expect((await world.subscriptionsOf(id)).map(({ status }) => status).sort()).toEqual(['active', 'ended']);
  });

  it('is paused and changed by the checks of companies, and only an officer stops the one of the registry', async () => {
    const { id } = await subscriptionOf(await approve());
    const change = (body: object, as = world.officer) => call('PATCH', `monitoring/subscriptions/${id}`, body, as);
    expect(refusalOf(await change({ checks: ['ownership_change'] }, analyst))).toEqual([403, 'role_forbidden']);
    expect(refusalOf(await change({ checks: ['registry_status', 'sanctions'] }))).toEqual([
      422,
      'validation_failed',
      '/checks/1 not_allowed',
    ]);
    expect(refusalOf(await change({ schedule: { kind: 'on_list_update' } }))).toEqual([
      422,
      'validation_failed',
      '/schedule/kind not_allowed',
    ]);
    const paused = await change({
      status: 'paused',
      pauseReason: 'investigation',
      pauseUntil: new Date(service.running.services.clock().getTime() + 86_400_000).toISOString(),
    });
    expect(paused.body).toMatchObject({ status: 'paused', nextRunAt: null });
    const { paused: listed } = (await call<Schemas['MonitoringCoverage']>('GET', 'monitoring/coverage')).body;
    expect(listed.find(({ subscriptionId }) => subscriptionId === id)).toMatchObject({
      applicationId: null,
      businessId: expect.any(String),
      reason: 'investigation',
    });
    expect((await change({ status: 'active' })).status).toBe(200);
    await world.settle();
    expect((await change({ checks: ['power_expiry'], schedule: { intervalDays: 90 } })).body).toMatchObject({
      checks: ['power_expiry'],
      schedule: { kind: 'interval', intervalDays: 90 },
      nextRunAt: null,
    });
  });
});

describe('a subscription of a business that is asked for', () => {
  const create = (body: object) => call<Schemas['Subscription']>('POST', 'monitoring/subscriptions', body, analyst);

  it('is created once for a company that is a customer', async () => {
    const businessId = await approve();
    expect(refusalOf(await create({ businessId }))).toEqual([409, 'already_monitored']);
    await forget(businessId);
    const { status, body } = await create({ businessId, checks: ['power_expiry', 'registry_status'] });
    expect([status, body]).toMatchObject([
      201,
      {
        businessId,
        applicationId: null,
        checks: ['power_expiry', 'registry_status'],
        schedule: { intervalDays: 30 },
      },
    ]);
    const { items } = (
      await call<Schemas['SubscriptionSummaryList']>('GET', 'monitoring/subscriptions?check=power_expiry')
    ).body;
    expect(items.map(({ id }) => id)).toContain(body.id);
    await world.settle();
  });

  it('is refused for a draft, for one of another tenant, and with checks or a schedule of applicants', async () => {
    const businessId = await newBusiness(service, sandboxed);
    expect(refusalOf(await create({ businessId }))).toEqual([422, 'subject_not_approved']);
    expect(refusalOf(await create({ businessId: uuidv7() }))).toEqual([404, 'not_found']);
    expect(refusalOf(await create({ businessId: await newBusiness(service, service.other) }))).toEqual([
      404,
      'not_found',
    ]);
    const applicationId = await newApplication(service, sandboxed);
    expect(refusalOf(await create({ businessId, applicationId }))).toEqual([
      422,
      'validation_failed',
      '/businessId not_allowed',
    ]);
    expect(refusalOf(await create({}))).toEqual([422, 'validation_failed', '/applicationId required']);
    expect(refusalOf(await create({ businessId, checks: ['pep'], schedule: { kind: 'on_list_update' } }))).toEqual([
      422,
      'validation_failed',
      '/checks/0 not_allowed',
      '/schedule/kind not_allowed',
    ]);
    expect(refusalOf(await create({ applicationId, checks: ['registry_status'] }))).toEqual([
      422,
      'validation_failed',
      '/checks/0 not_allowed',
    ]);
  });
});

describe('the erasure of a monitored business', () => {
  it('ends its subscription, resolves its alerts and empties their notes', async () => {
    const id = await approve();
    await changeRegistry(id, 'closed');
    await triage((await alertsOf(id))[0]!.id, 'acknowledge');
    const stored = () =>
      service.database.sql<{ note: string; status: string }>(
        'SELECT note, status FROM monitoring_alert WHERE business_id = $1',
        [id],
      );
    expect((await stored())[0]!.note).not.toContain('Zorzetto');
    await call('POST', `businesses/${id}/end-relationship`, { reasonCode: 'customer_request' });
    await service.database.sql(
      `UPDATE business SET relationship_ended_at = '2010-01-01', decided_at = '2009-01-01', updated_at = '2010-01-01'
        WHERE id = $1`,
      [id],
    );
    const eraser = await sandboxed.user('compliance_officer', { secondFactor: true });
    const erased = await call('POST', `businesses/${id}/erase`, { reason: 'data_subject_request' }, eraser);
    expect([erased.status, await stored()]).toEqual([202, [{ note: '', status: 'resolved' }]]);
    expect((await subscriptionOf(id)).status).toBe('ended');
  });
});
