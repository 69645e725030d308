/** API tests of releasing a new matching algorithm after a rehearsal, and of runs that a person requests. */
import { describe, expect, it } from 'vitest';
import { newDecidedApplication } from '../operations/application-records.ts';
import { refused } from '../support/api.ts';
import { newCpf } from '../support/cpf.ts';
import { CLEAN } from './monitoring-world.ts';
import { row, type Watched, FULL, startMonitoringCoverageWorld } from './monitoring-coverage-world.ts';

const { world, watched, alertsOf, covered } = await startMonitoringCoverageWorld();
await world.follow();

describe('an algorithm of a release', () => {
  /** Changes the records as if an earlier release had screened with another algorithm, which found nobody. */
  const asBefore = async ({ id, tenant }: Watched): Promise<void> => {
    await world.database.sql('DELETE FROM monitoring_alert WHERE application_id = $1', [id]);
    await world.database.sql('DELETE FROM screening_hit WHERE subject_id = $1', [id]);
    await world.database.sql(
      `UPDATE monitoring_subscription SET compared = compared || '{"algorithm": "m0"}' WHERE application_id = $1`,
      [id],
    );
    await world.database.sql(`UPDATE monitoring_algorithm SET released = 'm0' WHERE tenant_id = $1`, [tenant.id]);
  };
  const release = ({ officer }: Watched, body: object = {}, as = officer) =>
    world.request('POST', '/v1/monitoring/algorithm/release', {
      as,
      body: { note: 'One new hit, which we can look at today.', ...body },
    });

  it('is rehearsed, reports its new hits, and raises no alerts until a compliance officer releases it', async () => {
    const one = await watched();
    await world.publish('ofac-sdn', [row('11', one.name)]);
    await world.follow();
    await asBefore(one);
    const {
      algorithm: { algorithmVersion },
    } = await world.coverage(one.officer);
    expect(await world.coverage(one.officer)).toMatchObject({
      upToDate: 0,
      outdated: [{ gaps: ['algorithm'] }],
      algorithm: { releasedVersion: 'm0', pending: 1, newHits: 0 },
    });
    expect(refused(await release(one, { algorithmVersion }))).toEqual([409, 'rehearsal_running']);
    const screenings = async () =>
      (await world.database.sql('SELECT FROM screening WHERE application_id = $1', [one.id])).length;
    const before = await screenings();
    await world.running.runJob('monitoring.due');
    await world.settle();
    expect((await world.coverage(one.officer)).algorithm).toMatchObject({
      pending: 0,
      rehearsed: 1,
      failed: 0,
      newHits: 1,
      subjectsWithNewHits: 1,
    });
    expect([await alertsOf(one), (await screenings()) - before]).toEqual([[], 0]);
    expect(refused(await release(one, { algorithmVersion: 'm0' }))).toEqual([422, 'validation_failed']);
    expect(refused(await release(one, { algorithmVersion }, await one.tenant.user('analyst')))).toEqual([
      403,
      'role_forbidden',
    ]);
    expect(await release(one, { algorithmVersion })).toMatchObject({
      status: 200,
      body: { releasedVersion: algorithmVersion, releasedBy: { type: 'user' } },
    });
    await world.settle();
    expect([await alertsOf(one), await covered(one)]).toEqual([['open'], FULL]);
    expect(refused(await release(one, { algorithmVersion }))).toEqual([409, 'algorithm_released']);
    expect((await one.tenant.audit()).map(({ action }) => action)).toContain('monitoring.algorithm_released');
  });

  it('is rehearsed by the clock of the sandbox: an allow-list entry that has expired by it dismisses no hit', async () => {
    const taxId = newCpf();
    const one = await watched({ taxId: { type: 'cpf', value: taxId, country: 'BR' } });
    await world.publish('ofac-sdn', [row('13', one.name, ',,,,watchlist,')]);
    await world.follow();
    const { body: screening } = await world.screen(
      {
        subject: { type: 'person', names: [one.name], taxId },
        lists: ['un-csnu', 'ofac-sdn'],
      },
      await one.tenant.key(['screening'], { environment: 'test' }),
    );
    expect(screening).toMatchObject({ openHitCount: 1 });
    const expiresAt = new Date(world.running.services.clock().getTime() + 300 * 86_400_000).toISOString();
    const dismissal = await world.request(
      'POST',
      `/v1/screenings/${screening.id}/hits/${screening.hits[0]!.id}/adjudicate`,
      {
        as: one.officer,
        body: {
          status: 'false_positive',
          reasonCode: 'other',
          note: 'Was born twenty years later.',
          allowlist: { expiresAt },
        },
      },
    );
    expect(dismissal.status).toBe(200);
    const newHits = async (aheadDays: number): Promise<unknown> => {
      await asBefore(one);
      await world.database.sql(`UPDATE monitoring_subscription SET rehearsal = NULL WHERE application_id = $1`, [
        one.id,
      ]);
      await world.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = $2 WHERE id = $1', [
        one.tenant.id,
        aheadDays * 86_400,
      ]);
      await world.running.runJob('monitoring.due');
      await world.settle();
      const { algorithm } = await world.coverage(one.officer);
      return [algorithm.pending, algorithm.rehearsed, algorithm.failed, algorithm.newHits];
    };
    expect(await newHits(0)).toEqual([0, 1, 0, 0]);
    expect(await newHits(301)).toEqual([0, 1, 0, 1]);
  });

  it('compares customers who are screened for another reason meanwhile, and reports hits at once', async () => {
    const one = await watched();
    await asBefore(one);
    await world.publish('ofac-sdn', [row('12', one.name)]);
    await world.follow();
    expect([await alertsOf(one), await covered(one)]).toEqual([['open'], FULL]);
  });
});

describe('a run that a person requests', () => {
  it('precedes hundreds of automatic runs, also if one of these is about the same applicant', async () => {
    const one = await watched();
    const other = await newDecidedApplication(world, one.tenant, CLEAN);
    await world.settle();
    const [mine, theirs] = [
      (await world.subscriptionOf(one.id, one.officer)).id,
      (await world.subscriptionOf(other, one.officer)).id,
    ];
    await world.database.sql(`UPDATE monitoring_subscription SET waiting_for = 'list_updated' WHERE id = $1`, [mine]);
    await world.database.sql(
      `INSERT INTO task (tenant_id, id, kind, subject_id, is_bulk, due_at, created_at)
      SELECT $1, gen_random_uuid(), 'monitoring.rescreen', CASE WHEN n = 300 THEN $2::uuid
        ELSE gen_random_uuid() END, true, now() - interval '1 minute', now() FROM generate_series(1, 300) n`,
      [one.tenant.id, mine],
    );
    for (const id of [mine, theirs]) expect((await world.run(id, one.officer)).status).toBe(202);
    expect(refused(await world.run(mine, one.officer))).toEqual([409, 'run_in_progress']);
    const order = await world.database.sql<{ id: string }>(
      'SELECT subject_id AS id FROM task WHERE tenant_id = $1 ORDER BY is_bulk, due_at, id LIMIT 2',
      [one.tenant.id],
    );
    expect(order.map(({ id }) => id)).toEqual([mine, theirs]);
    await world.settle();
    for (const id of [one.id, other])
      expect((await world.subscriptionOf(id, one.officer)).recentRuns.map(({ trigger }) => trigger)).toEqual([
        'requested',
        'subscribed',
      ]);
  });
});
