/** API tests of what the monitoring of businesses finds: in the registry, among the owners and of the powers. */
import { describe, expect, it } from 'vitest';
import { newActivePower, newBusinessDocument } from '../operations/powers.ts';
import { newBusiness, type Schemas, wholeGraph } from './business-world.ts';
import { startMonitoredBusinesses } from './monitored-businesses-world.ts';

const world = await startMonitoredBusinesses();
const { service, sandboxed, analyst, call, approve, run, own, alertsOf, triage, changeRegistry } = world;

/** Returns a day in São Paulo, by whose calendar dates end. */
const dayAfter = (instant: number, days: number): string => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(instant);
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
};
const inDays = (days: number): string => dayAfter(Date.now(), days);
const casesOf = async (businessId: string) =>
  (await call<{ items: Schemas['ReviewCase'][] }>('GET', `cases?businessId=${businessId}`)).body.items;
/** Escalates an alert, and returns what resolves its case as it is then. */
const escalate = async (alertId: string) => {
  const { caseId } = (await triage(alertId, 'escalate')).body;
  return async (): Promise<number> => {
    const { evidenceDigest } = (await call<Schemas['ReviewCase']>('GET', `cases/${caseId}`)).body;
    const body = {
      outcome: 'cleared',
      reasonCodes: ['documents_sufficient'],
      note: 'What has changed is known to us.',
      evidenceDigest,
    };
    return (await call('POST', `cases/${caseId}/resolve`, body, analyst)).status;
  };
};
const sandboxDay = async (days: number): Promise<string> => {
  const { body } = await call<Schemas['SandboxStatus']>('GET', 'sandbox', undefined, world.admin);
  return dayAfter(Date.parse(body.clock.now), days);
};

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

  it('does not accept, with the case of an alert, a situation that the company has left since', async () => {
    const id = await approve();
    await changeRegistry(id, 'closed');
    const resolve = await escalate((await alertsOf(id))[0]!.id);
    await changeRegistry(id, 'active');
    expect(await resolve()).toBe(200);
    expect((await run(id)).lastResult).toBe('unchanged');
    expect((await alertsOf(id)).map(({ status }) => status)).toEqual(['resolved']);
    await changeRegistry(id, 'closed');
    expect(await alertsOf(id, '&status=open')).toMatchObject([{ change: { before: 'active', after: 'closed' } }]);
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
    const resolve = await escalate(alert!.id);
    expect([await resolve(), (await alertsOf(id))[0]!.status]).toEqual([200, 'resolved']);
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
    const last = await sandboxDay(5);
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

  it('warns, after a pause, of a power that has ended in between', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    const last = await sandboxDay(20);
    const powerId = await newActivePower(service, sandboxed, id, { validUntil: last });
    const { id: subscriptionId } = await world.subscriptionOf(id);
    const change = async (body: object): Promise<number> =>
      (await call('PATCH', `monitoring/subscriptions/${subscriptionId}`, body)).status;
    // No run follows the pause, because this check needs none.
    expect(await change({ checks: ['power_expiry'] })).toBe(200);
    const pauseUntil = `${await sandboxDay(25)}T00:00:00Z`;
    expect(await change({ status: 'paused', pauseReason: 'investigation', pauseUntil })).toBe(200);
    await world.simulate({ type: 'advance_clock', parameters: { seconds: 21 * 86_400 } });
    await due();
    expect(await warnings(id)).toEqual([['low', 'open', last, powerId]]);
    expect(await change({ status: 'active' })).toBe(200);
    await due();
    await due();
    expect(await warnings(id)).toEqual([
      ['low', 'resolved', last, powerId],
      ['high', 'open', last, powerId],
    ]);
  });

  it('does not repeat a warning whose case was resolved', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    const last = await sandboxDay(20);
    const powerId = await newActivePower(service, sandboxed, id, { validUntil: last });
    const resolve = await escalate((await alertsOf(id, '&kind=power_expiry'))[0]!.id);
    expect(await resolve()).toBe(200);
    await run(id);
    await due();
    expect(await warnings(id)).toEqual([['low', 'resolved', last, powerId]]);
  });
});

describe('the checks of dates', () => {
  const dates = async (id: string) =>
    (await alertsOf(id))
      .filter(({ kind }) => kind === 'document_expiry' || kind === 'risk_review')
      .map(({ kind, severity, status }) => `${kind} ${severity} ${status}`)
      .sort();
  const due = () => service.running.runJob('monitoring.due');
  const setReview = (id: string, date: string) =>
    service.database.sql('UPDATE business SET review_due_at = $2::date + 1 WHERE id = $1', [id, date]);
  /** Lets a document of a business end on a day. The clock of the sandbox may have been moved. */
  const setExpiry = (id: string, date: string) =>
    service.database.sql('UPDATE document SET expires_on = $2 WHERE id = $1', [id, date]);

  it('warn before a document ends and before the review is due, and end with their cause', async () => {
    const [id, other] = [await approve(), await approve()];
    const { id: documentId } = await newBusinessDocument(service, sandboxed, id);
    await setExpiry(documentId, await sandboxDay(50));
    await setReview(id, await sandboxDay(20));
    await due();
    await due();
    expect(await dates(id)).toEqual(['document_expiry info open', 'risk_review low open']);
    const [first] = await alertsOf(id, '&kind=document_expiry');
    expect(first).toMatchObject({
      applicationId: null,
      businessId: id,
      documentId,
      dueOn: await sandboxDay(50),
    });
    await setExpiry(documentId, await sandboxDay(5));
    await setReview(id, await sandboxDay(400));
    await due();
    expect(await dates(id)).toEqual([
      'document_expiry info resolved',
      'document_expiry medium open',
      'risk_review low resolved',
    ]);
    await call('POST', `businesses/${id}/end-relationship`, { reasonCode: 'customer_request' });
    expect((await dates(id)).filter((one) => one.endsWith('open'))).toEqual([]);
    expect(await dates(other)).toEqual([]);
  });
});
