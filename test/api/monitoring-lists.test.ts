/** API tests of what a new version of a list does: alerts about what changed, and no screening of anybody else. */
import { describe, expect, it } from 'vitest';
import { rollBack } from '../../server/modules/watch-lists/index.ts';
import { newDecidedApplication } from '../operations/application-records.ts';
import { setSection } from '../support/onboarding.ts';
import { shared } from '../support/service.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';
import type { Screening } from './screenings-world.ts';

const world = await shared(startMonitoringWorld());
await world.follow();

/** Returns a row of a list: the key, the name, and the members that are compared beside the name. */
const row = (key: string, name: string, more = ',1971-08-09,,,sanction,'): string => `${key},person,${name},${more}`;
const publish = (...rows: string[]) => world.publish('ofac-sdn', rows);
const alertsAbout = (id: string, query = '') => world.alerts(`applicationId=${id}&${query}`);

describe('a new version of a list', () => {
  it('raises an alert about its new entries, and screens nobody else', async () => {
    const [concerned, other] = [
      await world.approve(),
      await world.approve({ ...CLEAN, fullName: 'Aparecida Vilhena Bomtempo' }),
    ];
    await publish(row('1', 'Quirino ZAGALHO Tapajos'));
    expect(await world.follow()).toBe(1);
    const [alert, ...more] = await alertsAbout(concerned);
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      kind: 'sanctions',
      severity: 'critical',
      status: 'open',
      occurrences: 1,
      hit: { listId: 'ofac-sdn', scoreBefore: null },
      documentId: null,
      dueOn: null,
      triage: null,
    });
    expect(Date.parse(alert!.slaDueAt) - Date.parse(alert!.firstSeenAt)).toBe(4 * 3_600_000);
    const screening = (await world.get(alert!.hit!.screeningId, world.test)).body;
    expect(screening).toMatchObject({ applicationId: concerned, createdBy: { type: 'system', id: 'monitoring' } });
    expect(screening.hits.map(({ id, status }) => [id, status])).toEqual([[alert!.hit!.hitId, 'open']]);
    const { recentRuns, lastResult } = await world.subscriptionOf(concerned);
    expect([lastResult, recentRuns.map(({ trigger, result, newAlerts }) => [trigger, result, newAlerts])]).toEqual([
      'open_hits',
      [
        ['list_updated', 'open_hits', 1],
        ['subscribed', 'clear', 0],
      ],
    ]);
    expect((await world.subscriptionOf(other)).recentRuns).toHaveLength(1);
    expect(await alertsAbout(other)).toEqual([]);
  });

  it('that changes only members that are not compared screens nobody', async () => {
    const id = await world.approve();
    const runs = (await world.subscriptionOf(id)).recentRuns.length;
    await publish(row('1', 'Quirino ZAGALHO Tapajos', ',1971-08-09,,,sanction,A remark'));
    expect(await world.follow()).toBe(0);
    expect((await world.subscriptionOf(id)).recentRuns).toHaveLength(runs);
  });

  it('is one alert however often the same is seen, and another one if the entry is judged otherwise', async () => {
    await publish(row('7', 'Belisario Cunhambebe Rondon'));
    await world.follow();
    const id = await world.approve({ ...CLEAN, fullName: 'Belisário Cunhambebe Rondon' });
    const [first] = await alertsAbout(id);
    await world.run((await world.subscriptionOf(id)).id);
    await world.settle();
    expect((await alertsAbout(id)).map((alert) => [alert.id, alert.occurrences])).toEqual([[first!.id, 2]]);
    await publish(row('7', 'Belisario Cunhambebe Rondon', 'Belo do Norte,1971-08-09,,,sanction,'));
    expect(await world.follow()).toBe(1);
    const after = await alertsAbout(id);
    expect(after.map(({ status, hit }) => [status, hit!.scoreBefore])).toEqual([
      ['open', 1],
      ['resolved', 1],
    ]);
    expect(after[1]!.id).toBe(first!.id);
  });

  it('that lacks an entry resolves its alert, and a roll-back reopens the same one and raises no other', async () => {
    await publish(row('8', 'Damasceno Urupema Xingu'), row('9', 'Somebody Else Entirely'));
    await world.follow();
    const id = await world.approve({ ...CLEAN, fullName: 'Damasceno Urupema Xingu' });
    const [first] = await alertsAbout(id);
    await publish(row('9', 'Somebody Else Entirely'));
    await world.follow();
    expect((await alertsAbout(id)).map((alert) => [alert.id, alert.status])).toEqual([[first!.id, 'resolved']]);
    const versions = await world.database.sql<{ version: string }>(
      `SELECT version FROM watch_list_version WHERE environment = 'sandbox' AND list_id = 'ofac-sdn'
        ORDER BY sequence DESC LIMIT 2`,
    );
    await rollBack(world.database.database, {
      environment: 'sandbox',
      listId: 'ofac-sdn',
      version: versions[1]!.version,
      by: { type: 'system', id: 'test', display: 'Test' },
      now: new Date(),
    });
    await world.follow();
    expect((await alertsAbout(id)).map((alert) => [alert.id, alert.status, alert.occurrences])).toEqual([
      [first!.id, 'open', 2],
    ]);
  });

  it('that is rolled back before anybody was screened leaves everything as it was', async () => {
    const id = await world.approve({ ...CLEAN, fullName: 'Epaminondas Guararapes Lobato' });
    await publish(row('10', 'Epaminondas Guararapes Lobato'));
    await publish(row('9', 'Somebody Else Entirely', ',,,,sanction,As before'));
    await world.follow();
    expect([await alertsAbout(id), (await world.subscriptionOf(id)).recentRuns.length]).toEqual([[], 1]);
  });

  it('concerns the applicants of every tenant, each of which sees its own alert', async () => {
    const second = await world.tenant();
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      second.id,
    ]);
    const applicant = { ...CLEAN, fullName: 'Frutuoso Itabirito Caldas' };
    const [ours, theirs] = [await world.approve(applicant), await world.approve(applicant, second)];
    const their = await second.key(['read'], { environment: 'test' });
    await publish(row('11', 'Frutuoso Itabirito Caldas'));
    await world.follow();
    expect([
      (await alertsAbout(ours)).length,
      (await world.alerts('', their)).map(({ applicationId }) => applicationId),
    ]).toEqual([1, [theirs]]);
    expect(await world.alerts(`applicationId=${ours}`, their)).toEqual([]);
  });

  it('finds applicants who were approved, or changed their name, a moment before', async () => {
    await publish(row('12', 'Nobody In Particular'));
    await world.follow();
    const id = await newDecidedApplication(world, world.sandboxed, {
      ...CLEAN,
      fullName: 'Guiomar Paranapiacaba Teles',
    });
    await publish(row('12', 'Guiomar Paranapiacaba Teles'));
    await world.follow();
    expect(await alertsAbout(id)).toHaveLength(1);
  });

  it('is resumed if a process ended in the middle', async () => {
    const id = await world.approve({ ...CLEAN, fullName: 'Hermenegildo Sapucaia Frota' });
    await publish(row('13', 'Hermenegildo Sapucaia Frota'));
    await world.follow();
    // The process seems to have ended before it stored its progress.
    await world.database.sql(
      `UPDATE monitored_list_set
        SET sequences = sequences || jsonb_build_object('ofac-sdn', (sequences ->> 'ofac-sdn')::integer - 1)
        WHERE environment = 'sandbox'`,
    );
    expect(await world.follow()).toBeGreaterThan(0);
    expect((await alertsAbout(id)).map(({ occurrences }) => occurrences)).toEqual([2]);
  });
});

describe('the thresholds of a tenant', () => {
  const setAlert = async (alert: number) =>
    setSection(world, await world.sandboxed.user('owner'), {
      screening: { profile: { sanctions: { person: { alert } } } },
    });

  it('decide which applicants a new version may match, and let a weak hit wait', async () => {
    const id = await world.approve({ ...CLEAN, fullName: 'Firmino Jacaranda Bittencourt', dateOfBirth: '1982-03-04' });
    await publish(row('31', 'Firmino Jacarandá Betânia', ',,,,sanction,'));
    await world.follow();
    expect([(await world.subscriptionOf(id)).recentRuns.map(({ trigger }) => trigger), await alertsAbout(id)]).toEqual([
      ['subscribed'],
      [],
    ]);
    await setAlert(0.5);
    await publish(row('31', 'Firmino Jacarandá Betânia', 'Zebedeu Qualquer,,,,sanction,'));
    expect(await world.follow()).toBe(1);
    const [alert] = await alertsAbout(id);
    expect(alert).toMatchObject({ kind: 'sanctions', severity: 'medium' });
    const {
      hits: [hit],
    } = (await world.get(alert!.hit!.screeningId, world.test)).body;
    expect([hit!.band, hit!.score < 0.8]).toEqual(['low', true]);
    await setAlert(0.82);
  });
});

describe('a decision about a hit', () => {
  it('resolves its alert, and the same entry raises no other', async () => {
    await publish(row('14', 'Inocencio Mantiqueira Prado', ',,,,watchlist,'));
    await world.follow();
    const id = await world.approve({ ...CLEAN, fullName: 'Inocêncio Mantiqueira Prado' });
    const [alert] = await alertsAbout(id);
    const decide = (body: object) =>
      world.request('POST', `/v1/screenings/${alert!.hit!.screeningId}/hits/${alert!.hit!.hitId}/adjudicate`, {
        as: world.officer,
        body: { note: 'The dates of birth differ.', ...body },
      });
    expect((await decide({ status: 'inconclusive', reasonCode: 'insufficient_data' })).status).toBe(200);
    expect((await alertsAbout(id))[0]!.status).toBe('open');
    expect((await decide({ status: 'false_positive', reasonCode: 'name_only' })).status).toBe(200);
    expect((await alertsAbout(id))[0]!.status).toBe('resolved');
    await world.run((await world.subscriptionOf(id)).id);
    await world.settle();
    expect((await alertsAbout(id)).map(({ status, occurrences }) => [status, occurrences])).toEqual([['resolved', 1]]);
    const { body: screening } = (await world.get(
      (
        await world.subscriptionOf(id)
      ).recentRuns[0]!.screeningId!,
      world.test,
    )) as { body: Screening };
    expect([screening.result, screening.hits[0]!.status]).toEqual(['cleared', 'false_positive']);
  });
});
