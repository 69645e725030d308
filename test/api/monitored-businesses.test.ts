/** API tests of the monitoring of businesses: from the approval to the end, and what its checks find. */
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { newApplication } from '../operations/application-records.ts';
import { newActivePower } from '../operations/powers.ts';
import { newBusiness, type Schemas, wholeGraph } from './business-world.ts';
import { refusalOf, startMonitoredBusinesses } from './monitored-businesses-world.ts';

const world = await startMonitoredBusinesses();
const { service, sandboxed, analyst, call, approve, run, own, alertsOf, triage, subscriptionOf, changeRegistry } =
  world;

const CHECKS = ['registry_status', 'ownership_change', 'power_expiry'];
const inDays = (days: number): string => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(Date.now());
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
};
const casesOf = async (businessId: string) =>
  (await call<{ items: Schemas['ReviewCase'][] }>('GET', `cases?businessId=${businessId}`)).body.items;
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

describe('the check of the registry', () => {
  it('raises an alert for another situation, which ends without a person if the accepted one returns', async () => {
    const id = await approve();
    await changeRegistry(id, 'closed');
    const [alert] = await alertsOf(id);
    expect(alert).toMatchObject({
      businessId: id,
      applicationId: null,
      kind: 'registry_status',
      severity: 'high',
      status: 'open',
      change: { before: 'active', after: 'closed' },
      hit: null,
      documentId: null,
      powerId: null,
      dueOn: null,
      caseId: null,
    });
    const work = await call<Schemas['WorkItemList']>('GET', 'work?kind=alert');
    expect(work.body.items.find((one) => one.id === alert!.id)).toMatchObject({ applicationId: null, businessId: id });
    expect((await run(id)).lastResult).toBe('changed');
    expect((await alertsOf(id)).map(({ occurrences }) => occurrences)).toEqual([1]);
    await changeRegistry(id, 'active');
    expect((await alertsOf(id)).map(({ status }) => status)).toEqual(['resolved']);
    expect((await run(id)).lastResult).toBe('unchanged');
    await changeRegistry(id, 'closed');
    expect((await alertsOf(id)).map((one) => [one.id, one.status])).toEqual([[alert!.id, 'open']]);
  });

  it('compares with the situation that a person accepts by a dismissal', async () => {
    const id = await approve();
    await changeRegistry(id, 'suspended');
    const [first] = await alertsOf(id);
    const dismissed = await triage(first!.id, 'dismiss');
    expect(dismissed.body).toMatchObject({ status: 'dismissed', triage: { note: 'Zorzetto was asked about it.' } });
    expect((await run(id)).lastResult).toBe('unchanged');
    await changeRegistry(id, 'active');
    await changeRegistry(id, 'suspended');
    expect((await alertsOf(id)).map(({ status, severity, change }) => [status, severity, change])).toEqual([
      ['dismissed', 'high', { before: 'active', after: 'suspended' }],
      ['resolved', 'low', { before: 'suspended', after: 'active' }],
    ]);
  });

  it('raises the same change again after the earlier situation was accepted once more', async () => {
    const id = await approve();
    for (const situation of ['suspended', 'active'] as const) {
      await changeRegistry(id, situation);
      const [open] = await alertsOf(id, '&status=open');
      await triage(open!.id, 'dismiss');
    }
    await changeRegistry(id, 'suspended');
    expect(await alertsOf(id, '&status=open')).toMatchObject([{ change: { before: 'active', after: 'suspended' } }]);
  });

  it('fails and is repeated within an hour if the registry does not answer', async () => {
    const id = await approve();
    await service.database.sql(
      `UPDATE business SET registration = registration || jsonb_build_object('number', $2::text) WHERE id = $1`,
      [id, 'SANDBOX8000191'],
    );
    const { lastResult, nextRunAt, lastRunAt } = await run(id);
    expect([lastResult, Date.parse(nextRunAt!) - Date.parse(lastRunAt!)]).toEqual(['failed', 3_600_000]);
  });
});

describe('the check of the owners', () => {
  it('raises an alert for other owners, which an escalation puts into the review of the business', async () => {
    const id = await approve();
    expect(await own(id, wholeGraph)).toBe(200);
    const [alert] = await alertsOf(id);
    expect(alert).toMatchObject({ kind: 'ownership_change', severity: 'medium', status: 'open' });
    expect(alert!.change).toEqual({
      before: expect.stringMatching(/^sha256:/),
      after: expect.stringMatching(/^sha256:/),
    });
    const escalated = await triage(alert!.id, 'escalate');
    const [opened] = await casesOf(id);
    expect([escalated.body.status, escalated.body.caseId]).toEqual(['escalated', opened!.id]);
    expect(opened).toMatchObject({
      type: 'business_review',
      openedReason: 'alert_escalated',
      queue: 'normal',
      links: [{ kind: 'alert', id: alert!.id, parentId: alert!.subscriptionId }],
    });
    expect(await own(id, { ...wholeGraph, bearerShares: true })).toBe(200);
    const second = (await alertsOf(id)).find(({ status }) => status === 'open');
    expect((await casesOf(id))[0]!.links.map((link) => link.id)).toEqual([alert!.id, second!.id]);
    await triage(second!.id, 'escalate');
    expect(await casesOf(id)).toHaveLength(1);
  });

  it('accepts the owners with the case of the alert', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    const [alert] = await alertsOf(id);
    const { caseId } = (await triage(alert!.id, 'escalate')).body;
    const { evidenceDigest } = (await call<Schemas['ReviewCase']>('GET', `cases/${caseId}`)).body;
    const resolved = await call(
      'POST',
      `cases/${caseId}/resolve`,
      {
        outcome: 'cleared',
        reasonCodes: ['documents_sufficient'],
        note: 'The new owners are known to us.',
        evidenceDigest,
      },
      analyst,
    );
    expect([resolved.status, (await alertsOf(id))[0]!.status]).toEqual([200, 'resolved']);
    expect((await run(id)).lastResult).toBe('unchanged');
  });

  it('ends with a new version of the owners that were accepted, and hears what the registry says of them', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    await triage((await alertsOf(id))[0]!.id, 'dismiss');
    await own(id, { ...wholeGraph, bearerShares: true });
    expect(await alertsOf(id, '&status=open')).toHaveLength(1);
    await own(id, wholeGraph);
    expect(await alertsOf(id, '&status=open')).toEqual([]);
    await changeRegistry(id, 'new_partner');
    expect(await alertsOf(id, '&status=open')).toMatchObject([{ kind: 'ownership_change' }]);
  });

  it('is not about a business that is no customer', async () => {
    const id = await newBusiness(service, sandboxed);
    await own(id, wholeGraph);
    expect(await alertsOf(id)).toEqual([]);
  });
});

describe('the check of the powers', () => {
  const warnings = async (id: string) =>
    (await alertsOf(id, '&kind=power_expiry')).map(({ severity, status, dueOn, powerId }) => [
      severity,
      status,
      dueOn,
      powerId,
    ]);
  const due = () => service.running.runJob('monitoring.due');

  it('warns before the last day of a power, nearer and nearer, and when it has passed', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    const last = inDays(20);
    const powerId = await newActivePower(service, sandboxed, id, { validUntil: last });
    expect(await warnings(id)).toEqual([['low', 'open', last, powerId]]);
    await due();
    expect(await warnings(id)).toEqual([['low', 'open', last, powerId]]);
    for (const days of [14, 8]) {
      const moved = await world.simulate({ type: 'advance_clock', parameters: { seconds: days * 86_400 } });
      expect(moved.status).toBe(202);
    }
    expect(await warnings(id)).toEqual([
      ['low', 'resolved', last, powerId],
      ['medium', 'resolved', last, powerId],
      ['high', 'open', last, powerId],
    ]);
  });

  it('ends its warning with a power in the place of the first, or with the revocation', async () => {
    const [one, other] = [await approve(), await approve()];
    const { body: sandbox } = await call<Schemas['SandboxStatus']>('GET', 'sandbox', undefined, world.admin);
    const last = new Date(Date.parse(sandbox.clock.now) + 5 * 86_400_000).toISOString().slice(0, 10);
    for (const id of [one, other]) await own(id, wholeGraph);
    await newActivePower(service, sandboxed, one, { validUntil: last });
    const powerId = await newActivePower(service, sandboxed, other, { validUntil: last });
    expect((await warnings(one)).map(([severity, status]) => [severity, status])).toEqual([['medium', 'open']]);
    await newActivePower(service, sandboxed, one, { registeredOn: '2025-01-15' });
    expect((await warnings(one)).map(([, status]) => status)).toEqual(['resolved']);
    const revoked = await call('POST', `businesses/${other}/powers/${powerId}/revoke`, {
      reasonCode: 'revoked_by_company',
    });
    expect([revoked.status, (await warnings(other)).map(([, status]) => status)]).toEqual([200, ['resolved']]);
    await due();
    expect((await warnings(one)).map(([, status]) => status)).toEqual(['resolved']);
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
