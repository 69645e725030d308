/** API tests of simulating that a customer is put on a list, up to the decision about the hit. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newApplication, newDecidedApplication } from '../operations/application-records.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { CLEAN, type Refused, startMonitoringWorld } from './monitoring-world.ts';
import type { Screening } from './screenings-world.ts';

type Simulation = components['schemas']['Simulation'] & Refused;
type Hit = Screening['hits'][number];
const world = await shared(startMonitoringWorld());
const { sandboxed, test, officer } = world;
const admin = await sandboxed.key(['admin'], { environment: 'test' });

const simulate = (applicationId: string, listId?: string, as: Credential = admin): Promise<Answer<Simulation>> =>
  world.request('POST', '/v1/sandbox/simulations', {
    as,
    body: {
      type: 'list_update_hit',
      target: { type: 'application', id: applicationId },
      ...(listId !== undefined && { parameters: { listId } }),
    },
  });

const refused = ({ status, body }: Answer<Refused>) => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
];

const effectOf = ({ body }: Answer<Simulation>, type: string): string =>
  body.effects.find(({ resource }) => resource.type === type)!.resource.id!;

const application = async (id: string) =>
  (await world.request<components['schemas']['Application']>('GET', `/v1/applications/${id}`, { as: test })).body;

const rerun = async (screeningId: string): Promise<Screening> =>
  (await world.request<Screening>('POST', `/v1/screenings/${screeningId}/rerun`, { as: test, body: {} })).body;

const alertOf = async (applicationId: string, id: string) =>
  (await world.alerts(`applicationId=${applicationId}`)).find((alert) => alert.id === id)!;

const adjudicate = (
  screeningId: string,
  hitId: string,
  decision: { readonly status: string; readonly reasonCode: string },
  as: Credential,
): Promise<Answer<Hit>> =>
  world.request('POST', `/v1/screenings/${screeningId}/hits/${hitId}/adjudicate`, {
    as,
    body: { ...decision, note: 'Compared with the passport.' },
  });

/** Returns an approved person who was on no list, and then puts them on one. */
async function onList(listId?: string) {
  const id = await world.approve();
  const answer = await simulate(id, listId);
  expect(answer.status).toBe(202);
  const [screeningId, hitId, alertId] = ['screening', 'screening_hit', 'monitoring_alert'].map((type) =>
    effectOf(answer, type),
  ) as [string, string, string];
  return {
    id,
    answer,
    screeningId,
    hitId,
    alertId,
  };
}

describe('an approved applicant who is put on a list', () => {
  it('is screened again and raises an alert, as if a new version of the list contained the entry', async () => {
    const { id, answer, screeningId, hitId, alertId } = await onList();
    const [entry] = answer.body.effects[0]!.change.split(' ').slice(1);
    expect(answer.body.effects).toEqual([
      { resource: { type: 'application', id }, change: `entry ${entry} added to un-csnu` },
      { resource: { type: 'screening', id: screeningId }, change: 'result open_hits, hitCount 1' },
      { resource: { type: 'screening_hit', id: hitId }, change: 'status open' },
      { resource: { type: 'monitoring_alert', id: alertId }, change: 'raised, critical' },
    ]);
    const { body: screening } = await world.get(screeningId, test);
    expect(screening).toMatchObject({
      applicationId: id,
      environment: 'sandbox',
      result: 'open_hits',
      createdBy: { type: 'system', id: 'monitoring' },
      diff: { added: [hitId] },
    });
    expect(screening.hits).toMatchObject([
      {
        id: hitId,
        listId: 'un-csnu',
        entityId: entry,
        category: 'sanction',
        status: 'open',
        score: 1,
        matchedName: CLEAN.fullName,
        entity: {
          type: 'person',
          name: CLEAN.fullName,
          datesOfBirth: [CLEAN.dateOfBirth],
          remarks: 'Simulated in the sandbox. No publisher has this entry.',
        },
      },
    ]);
    expect(await alertOf(id, alertId)).toMatchObject({
      kind: 'sanctions',
      severity: 'critical',
      status: 'open',
      occurrences: 1,
      hit: {
        screeningId,
        hitId,
        listId: 'un-csnu',
        score: 1,
      },
    });
    expect((await world.subscriptionOf(id)).recentRuns[0]).toMatchObject({
      trigger: 'list_updated',
      result: 'open_hits',
      screeningId,
      newAlerts: 1,
    });
    expect((await sandboxed.audit()).map(({ action }) => action).slice(-2)).toEqual([
      'alert.raised',
      'sandbox.simulated',
    ]);
  });

  it('explains the hit by reasons that add up to its score', async () => {
    const { screeningId } = await onList();
    const [hit] = (await world.get(screeningId, test)).body.hits;
    expect(hit!.features.length).toBeGreaterThan(1);
    expect(hit!.features.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(hit!.score, 9);
  });

  it.each([
    ['cgu-pep', 'pep', 'medium'],
    ['ofac-sdn', 'sanctions', 'critical'],
  ])('has an alert with the severity of the list %s', async (listId, kind, severity) => {
    const { id, alertId } = await onList(listId);
    expect(await alertOf(id, alertId)).toMatchObject({ kind, severity, hit: { listId } });
  });

  it('is confirmed by a person, which every later screening shows, and prohibits the application', async () => {
    const { id, screeningId, hitId, alertId } = await onList();
    const confirmed = await adjudicate(
      screeningId,
      hitId,
      { status: 'true_positive', reasonCode: 'same_person_confirmed' },
      officer,
    );
    expect([confirmed.status, confirmed.body.status, confirmed.body.decision!.freezeDueAt === null]).toEqual([
      200,
      'true_positive',
      false,
    ]);
    expect((await alertOf(id, alertId)).status).toBe('resolved');
    expect((await application(id)).requirements.items.find(({ key }) => key === 'screening_clear')).toMatchObject({
      status: 'failed',
      reasonCode: 'confirmed_match',
    });
    const again = await rerun(screeningId);
    expect([again.result, again.diff!.carried, again.hits.map(({ status }) => status)]).toEqual([
      'confirmed_match',
      again.hits.map(({ id: hit }) => hit),
      ['true_positive'],
    ]);
  });

  it('is dismissed by two people as a different person, which holds for a rerun', async () => {
    const { id, screeningId, hitId, alertId } = await onList();
    const decide = (as: Credential) =>
      adjudicate(screeningId, hitId, { status: 'false_positive', reasonCode: 'name_only' }, as);
    expect((await decide(await sandboxed.user('analyst', { purpose: 'proposes' }))).status).toBe(202);
    expect((await alertOf(id, alertId)).status).toBe('open');
    expect((await decide(officer)).body.status).toBe('false_positive');
    expect((await alertOf(id, alertId)).status).toBe('resolved');
    const again = await rerun(screeningId);
    expect([again.result, again.hits.map(({ status }) => status)]).toEqual(['cleared', ['false_positive']]);
    await world.run((await world.subscriptionOf(id)).id);
    await world.settle();
    expect((await world.subscriptionOf(id)).recentRuns[0]).toMatchObject({ result: 'cleared', newAlerts: 0 });
  });

  it('gets another entry, another hit and another alert each time, up to twenty', async () => {
    const { id, alertId } = await onList();
    const second = await simulate(id);
    expect(effectOf(second, 'monitoring_alert')).not.toBe(alertId);
    const {
      body: { hits },
    } = await world.get(effectOf(second, 'screening'), test);
    // The entries are of the same person, but their fingerprints do not reveal this.
    expect([
      hits.length,
      new Set(hits.map(({ entityFingerprint }) => entityFingerprint)).size,
      new Set(hits.map(({ entity }) => entity.name)).size,
    ]).toEqual([2, 2, 1]);
    for (let count = 2; count < 20; count++) expect((await simulate(id)).status).toBe(202);
    expect(refused(await simulate(id))).toEqual([422, 'validation_failed', '/target/id too_many_entries']);
    expect(await world.alerts(`applicationId=${id}&limit=100`)).toHaveLength(20);
  });

  it('is available at once although the first run of the approval has not begun', async () => {
    const id = await newDecidedApplication(world, sandboxed, CLEAN);
    const answer = await simulate(id);
    expect(answer.status).toBe(202);
    await world.settle();
    expect((await world.subscriptionOf(id)).recentRuns.map(({ trigger, result }) => [trigger, result])).toEqual([
      ['subscribed', 'open_hits'],
    ]);
  });
});

describe('an entry that was simulated', () => {
  it('matches nobody else, of this tenant or of another one', async () => {
    await onList();
    expect((await world.person(CLEAN.fullName, { dateOfBirth: CLEAN.dateOfBirth }, test)).body.hits).toEqual([]);
    const namesake = await newApplication(world, sandboxed);
    const other = await world.tenant();
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      other.id,
    ]);
    const key = await other.key(['read', 'write', 'screening'], { environment: 'test' });
    const theirs = await newDecidedApplication(world, other, CLEAN);
    for (const [applicationId, as] of [
      [theirs, key],
      [namesake, test],
    ] as const) {
      expect(
        (
          await world.screen(
            { applicationId, subject: { type: 'person', names: [CLEAN.fullName], dateOfBirth: CLEAN.dateOfBirth } },
            as,
          )
        ).body.hits,
      ).toEqual([]);
    }
    await world.settle();
    expect(await world.alerts('', key)).toEqual([]);
  });

  it('is removed when the sandbox is emptied', async () => {
    await onList();
    expect((await world.request('DELETE', '/v1/sandbox/data', { as: admin })).status).toBe(200);
    expect(await world.database.sql('SELECT id FROM simulated_entry WHERE tenant_id = $1', [sandboxed.id])).toEqual([]);
  });

  it('is sealed, and cannot be read once the application is erased', async () => {
    const { id, screeningId } = await onList();
    const storedEntry = async () =>
      (
        await world.database.sql<{ row: string }>(
          'SELECT simulated_entry::text AS row FROM simulated_entry WHERE application_id = $1',
          [id],
        )
      )
        .map(({ row }) => row)
        .join();
    expect(await storedEntry()).not.toMatch(/Zagalho|1971-08-09/);
    expect(
      (
        await world.request('POST', `/v1/applications/${id}/end-relationship`, {
          as: test,
          body: { reasonCode: 'customer_request' },
        })
      ).status,
    ).toBe(200);
    await world.database.sql(
      `UPDATE application
        SET submitted_at = '2009-05-05', decided_at = '2009-05-05', updated_at = '2009-05-05',
        relationship_ended_at = '2009-05-05' WHERE id = $1`,
      [id],
    );
    expect(
      (
        await world.request('POST', `/v1/applications/${id}/erase`, {
          as: await sandboxed.user('compliance_officer', { secondFactor: true }),
          body: { reason: 'retention_expired' },
        })
      ).status,
    ).toBe(202);
    expect(refused(await world.get(screeningId, test))).toEqual([410, 'erased']);
    expect(refused(await simulate(id))).toEqual([422, 'validation_failed', '/target/id not_monitored']);
  });
});
