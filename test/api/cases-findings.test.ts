import { describe, expect, it } from 'vitest';
import { newAlert } from '../operations/screening-records.ts';
import { newApplication } from '../operations/application-records.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { refusalOf, startCasesWorld } from './cases-world.ts';

type Alert = components['schemas']['Alert'];
type Work = components['schemas']['WorkItem'];

const { service, tenant, analyst, officer, second, call, open, read, resolve, review, patch } = await startCasesWorld();

const triage = (id: string, outcome: string, reasonCode: string) =>
  call<Alert>('POST', `/v1/monitoring/alerts/${id}/triage`, analyst.as, {
    outcome,
    reasonCode,
    note: 'Somebody looks.',
  });
const alertOf = async (id: string): Promise<Alert> =>
  (await call<{ items: Alert[] }>('GET', '/v1/monitoring/alerts?limit=100', officer.as)).body.items.find(
    (alert) => alert.id === id,
  )!;
const work = async (as = officer.as, query = ''): Promise<Work[]> =>
  (await call<{ items: Work[] }>('GET', `/v1/work?limit=100${query}`, as)).body.items;

describe('an escalated alert', () => {
  it('opens a case in the queue of its severity, which resolves it', async () => {
    const id = await newAlert(service, tenant);
    const { body } = await triage(id, 'escalate', 'needs_investigation');
    expect(body).toMatchObject({ status: 'escalated', caseId: expect.any(String) });
    const found = await read(body.caseId!);
    expect(found).toMatchObject({
      type: 'monitoring_alert',
      queue: 'critical',
      openedReason: 'alert_escalated',
      links: [{ kind: 'alert', id, parentId: body.subscriptionId }],
      createdBy: { id: analyst.id },
      statutory: { analysisDueAt: expect.any(String) },
    });
    expect((await resolve(found.id)).status).toBe(200);
    expect((await alertOf(id)).status).toBe('resolved');
  });

  it('joins the open case about the applicant and wakes it, as a new alert does', async () => {
    const id = await newAlert(service, tenant);
    const { applicationId } = await alertOf(id);
    const caseId = await open({ applicationId: applicationId!, type: 'monitoring_alert' });
    const until = new Date(service.running.services.clock().getTime() + 3_600_000).toISOString();
    await patch(caseId, { snoozedUntil: until });
    expect((await triage(id, 'escalate', 'needs_investigation')).body.caseId).toBe(caseId);
    expect(await read(caseId)).toMatchObject({ status: 'open', snoozedUntil: null, links: [{ kind: 'alert', id }] });
    const actions = (await tenant.audit()).filter(({ resource_id }) => resource_id === caseId);
    expect(actions.map(({ action }) => action)).toEqual(['case.opened', 'case.snoozed', 'case.joined', 'case.woken']);
  });

  it('opens one case if two alerts of an applicant are escalated at once', async () => {
    const id = await newAlert(service, tenant);
    // Simulates another finding about the same applicant.
    const [twin] = await service.database.sql<{ id: string }>(
      `INSERT INTO monitoring_alert SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
        'dedupe_key', '\\x01'))).* FROM monitoring_alert a WHERE id = $1 RETURNING id`,
      [id],
    );
    const answers = await Promise.all(
      [id, twin!.id].map((alertId) => triage(alertId, 'escalate', 'needs_investigation')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.caseId)).size).toBe(1);
  });
});

describe('a confirmed hit', () => {
  it('opens a case with the deadline of the freeze, which takes two people', async () => {
    const applicationId = await newApplication(service, tenant);
    const { body: screening } = await call<{ id: string; hits: { id: string }[] }>(
      'POST',
      '/v1/screenings',
      officer.as,
      {
        subject: { type: 'person', names: ['Sergei Listado Petrov'], dateOfBirth: '1961-04-02' },
        lists: ['un-csnu'],
      },
    );
    expect(screening.hits.length).toBeGreaterThan(0);
    // A screening without an application has no subject that cases know.
    expect((await call('GET', `/v1/cases?applicationId=${applicationId}`, officer.as)).body).toMatchObject({
      items: [],
    });
    const alertId = await newAlert(service, tenant);
    const { applicationId: found } = await alertOf(alertId);
    const { body: alerts } = await call<{ items: Alert[] }>(
      'GET',
      `/v1/monitoring/alerts?applicationId=${found}&kind=sanctions`,
      officer.as,
    );
    const hit = alerts.items.map((alert) => alert.hit).find((one) => one?.listId === 'un-csnu');
    const path = `/v1/screenings/${hit!.screeningId}/hits/${hit!.hitId}/adjudicate`;
    const confirmed = await call('POST', path, officer.as, {
      status: 'true_positive',
      reasonCode: 'same_person_confirmed',
      note: 'The passport agrees.',
    });
    expect(confirmed.status).toBe(200);
    const { items } = (
      await call<{ items: components['schemas']['ReviewCase'][] }>(
        'GET',
        `/v1/cases?applicationId=${found}&type=screening_hit`,
        officer.as,
      )
    ).body;
    expect(items).toMatchObject([
      {
        openedReason: 'hit_confirmed',
        queue: 'critical',
        links: [{ kind: 'hit', id: hit!.hitId }],
        statutory: { freezeDueAt: expect.any(String) },
      },
    ]);
    const [{ id, statutory, createdAt }] = items as [components['schemas']['ReviewCase']];
    expect(Date.parse(statutory.freezeDueAt!) - Date.parse(createdAt)).toBeLessThanOrEqual(86_400_000);
    const late = new Date(Date.parse(statutory.freezeDueAt!) + 1).toISOString();
    expect(refusalOf(await patch(id, { snoozedUntil: late }))[1]).toBe('snooze_past_due');
    const { status, body } = await resolve(id, analyst.as, { outcome: 'no_action', reasonCodes: ['known_to_us'] });
    expect([status, body.fourEyesReasons]).toEqual([202, ['hit_confirmed']]);
  });

  it('cannot be cleared while hits of the newest screening are open', async () => {
    const alertId = await newAlert(service, tenant);
    const { applicationId } = await alertOf(alertId);
    const id = await open({ applicationId: applicationId!, type: 'screening_hit' });
    expect(refusalOf(await resolve(id))).toEqual([409, 'checks_incomplete']);
    expect((await resolve(id, analyst.as, { outcome: 'no_action', reasonCodes: ['known_to_us'] })).status).toBe(200);
  });
});

describe('the work of a person', () => {
  it('has own cases, open alerts and hits, and proposals of others, by due date', async () => {
    const mine = await open({ queue: 'critical' });
    await patch(mine, { assigneeId: officer.id });
    const notMine = await open();
    const proposed = await open();
    const { body: resolution } = await resolve(proposed, analyst.as, {
      outcome: 'confirmed_risk',
      reasonCodes: ['suspicion_confirmed'],
    });
    const alertId = await newAlert(service, tenant);
    const items = await work();
    expect(items.find(({ id }) => id === mine)).toMatchObject({ kind: 'case', queue: 'critical', overdue: false });
    expect(items.find(({ id }) => id === notMine)).toBeUndefined();
    expect(items.find(({ id }) => id === resolution.id)).toMatchObject({ kind: 'resolution', parentId: proposed });
    expect(items.find(({ id }) => id === alertId)).toMatchObject({ kind: 'alert', reason: 'sanctions' });
    expect(items.some(({ kind }) => kind === 'hit')).toBe(true);
    const dates = items.map(({ dueAt }) => (dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt)));
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    expect((await work(analyst.as)).some(({ kind }) => kind === 'resolution')).toBe(false);
    expect((await work(officer.as, '&kind=alert')).every(({ kind }) => kind === 'alert')).toBe(true);
    expect((await review(proposed, resolution.id, second.as)).status).toBe(200);
    expect((await work()).some(({ id }) => id === resolution.id)).toBe(false);
  });

  it('is paged over all kinds without a gap or a repetition', async () => {
    const whole = (await work()).map(({ id }) => id);
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { body: { items: Work[]; cursor: string | null } } = await call(
        'GET',
        `/v1/work?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        officer.as,
      );
      found.push(...page.body.items.map(({ id }) => id));
      ({ cursor } = page.body);
    }
    expect(found).toEqual(whole);
  });
});
