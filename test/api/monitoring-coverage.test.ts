/** API tests that customers are watched after interruptions: suspended tenants, changed checks, unreadable records. */
import { describe, expect, it } from 'vitest';
import { rescreenTask } from '../../server/modules/monitoring/rescreen.ts';
import { setSection } from '../support/onboarding.ts';
import { type Alert } from './monitoring-world.ts';
import { row, FULL, startMonitoringCoverageWorld } from './monitoring-coverage-world.ts';

const { world, watched, put, later, alertsOf, covered } = await startMonitoringCoverageWorld();
await world.follow();

describe('a list that changes while a tenant is suspended', () => {
  it('is followed once the tenant is reactivated, and until then the coverage says so', async () => {
    const one = await watched();
    expect((await put(one.tenant, 'suspended')).status).toBe(200);
    await world.publish('ofac-sdn', [row('1', one.name)]);
    await world.follow();
    expect((await put(one.tenant, 'active')).status).toBe(200);
    expect(await covered(one)).toEqual([1, 0, [['list_versions']]]);
    expect(await world.follow()).toBe(1);
    expect([await alertsOf(one), await covered(one)]).toEqual([['open'], FULL]);
    const [{ hit }] = (await world.alerts(`applicationId=${one.id}`, one.officer)) as [Alert];
    const decided = await world.request('POST', `/v1/screenings/${hit!.screeningId}/hits/${hit!.hitId}/adjudicate`, {
      as: one.officer,
      body: {
        status: 'true_positive',
        reasonCode: 'same_person_confirmed',
        note: 'The passport number agrees as well.',
      },
    });
    expect([decided.status, await alertsOf(one)]).toEqual([200, ['resolved']]);
  });

  it('is followed also if the index of subjects was built meanwhile, and so is the next list', async () => {
    const one = await watched();
    expect((await put(one.tenant, 'suspended')).status).toBe(200);
    // A day later the index is rebuilt, from the active tenants.
    await later(25, one);
    await watched();
    await world.publish('ofac-sdn', [row('2', 'Somebody Else Entirely')]);
    await world.follow();
    expect((await put(one.tenant, 'active')).status).toBe(200);
    await world.publish('ofac-sdn', [row('2', one.name)]);
    await world.follow();
    expect(await alertsOf(one)).toEqual(['open']);
    await world.publish('un-csnu', [row('3', one.name)]);
    await world.follow();
    expect(await alertsOf(one)).toEqual(['open', 'open']);
  });

  it('suspends the tasks of the tenant, which run once it is reactivated', async () => {
    const one = await watched();
    const { id } = await world.subscriptionOf(one.id, one.officer);
    expect((await world.run(id, one.officer)).status).toBe(202);
    expect((await put(one.tenant, 'suspended')).status).toBe(200);
    await world.settle();
    const waiting = async () =>
      (await world.database.sql('SELECT FROM task WHERE tenant_id = $1', [one.tenant.id])).length;
    expect(await waiting()).toBe(1);
    expect((await put(one.tenant, 'active')).status).toBe(200);
    world.advance(60_000);
    await world.running.runJob('tasks.wake');
    await world.settle();
    expect([await waiting(), (await world.subscriptionOf(one.id, one.officer)).recentRuns[0]!.trigger]).toEqual([
      0,
      'requested',
    ]);
  });
});

describe('customers who were not compared with everything are screened again', () => {
  it('if a check was removed while a list changed, and is restored', async () => {
    const one = await watched();
    const { id } = await world.subscriptionOf(one.id, one.officer);
    expect((await world.change(id, { checks: ['document_expiry'] }, one.officer)).status).toBe(200);
    await world.publish('ofac-sdn', [row('4', one.name)]);
    await world.follow();
    expect([await alertsOf(one), (await world.coverage(one.officer)).monitored]).toEqual([[], 0]);
    expect((await world.change(id, { checks: ['sanctions', 'document_expiry'] }, one.officer)).status).toBe(200);
    expect(await covered(one)).toEqual([1, 0, [['run_waiting']]]);
    await world.settle();
    expect([await alertsOf(one), await covered(one)]).toEqual([['open'], FULL]);
  });

  it('if another check of lists is added', async () => {
    const one = await watched();
    const { id } = await world.subscriptionOf(one.id, one.officer);
    expect((await world.change(id, { checks: ['sanctions'] }, one.officer)).status).toBe(200);
    await world.publish('ofac-sdn', [row('5', one.name, ',1971-08-09,,,pep,')]);
    await world.follow();
    expect([await alertsOf(one), await covered(one)]).toEqual([[], FULL]);
    expect((await world.change(id, { checks: ['sanctions', 'pep'] }, one.officer)).status).toBe(200);
    await world.settle();
    expect([await alertsOf(one), await covered(one)]).toEqual([['open'], FULL]);
  });

  it('if a list is added to those of the settings', async () => {
    const one = await watched();
    const owner = await one.tenant.user('owner');
    await setSection(world, owner, { screening: { defaultLists: ['un-csnu'] } });
    await world.settle();
    await world.publish('ofac-sdn', [row('6', one.name)]);
    await world.follow();
    expect([await alertsOf(one), await covered(one)]).toEqual([[], FULL]);
    await setSection(world, owner, { screening: { defaultLists: ['un-csnu', 'ofac-sdn'] } });
    expect(await covered(one)).toEqual([1, 0, [['lists']]]);
    await world.settle();
    expect([await alertsOf(one), await covered(one)]).toEqual([['open'], FULL]);
  });

  it('if a threshold is lowered', async () => {
    const one = await watched();
    await world.publish('ofac-sdn', [row('7', one.name.replace(/\w+$/, 'Betania'), ',,,,sanction,')]);
    await world.follow();
    expect([await alertsOf(one), await covered(one)]).toEqual([[], FULL]);
    await setSection(world, await one.tenant.user('owner'), {
      screening: { profile: { sanctions: { person: { alert: 0.5 } } } },
    });
    expect(await covered(one)).toEqual([1, 0, [['lines']]]);
    await world.settle();
    expect([await alertsOf(one), await covered(one)]).toEqual([['open'], FULL]);
    expect((await world.subscriptionOf(one.id, one.officer)).recentRuns[0]!.trigger).toBe('outdated');
  });

  it('by the periodic work, if nothing else has requested it', async () => {
    const one = await watched();
    await world.database.sql('UPDATE monitoring_subscription SET compared = NULL WHERE application_id = $1', [one.id]);
    expect(await covered(one)).toEqual([1, 0, [['not_compared']]]);
    await world.running.runJob('monitoring.due');
    await world.settle();
    expect(await covered(one)).toEqual(FULL);
  });
});

describe('a record that cannot be opened', () => {
  it('fails alone: lists are followed for all others, it is named and reported to the operators, and it is retried', async () => {
    const [broken, other] = [await watched(), await watched()];
    const wrapped = (
      await world.database.sql<{ wrapped: Buffer }>(`SELECT wrapped FROM subject_key WHERE subject_id = $1`, [
        broken.id,
      ])
    )[0]!.wrapped;
    const setKey = (bytes: Buffer) =>
      world.database.sql('UPDATE subject_key SET wrapped = $2 WHERE subject_id = $1', [broken.id, bytes]);
    await setKey(Buffer.alloc(wrapped.length, 7));
    await world.publish('ofac-sdn', [row('8', broken.name), row('9', other.name)]);
    // The former index still knows the record; a new one does not.
    await later(25, broken, other);
    await world.follow();
    expect([await alertsOf(other), await covered(other)]).toEqual([['open'], FULL]);
    const { id } = await world.subscriptionOf(broken.id, broken.officer);
    expect(await world.coverage(broken.officer)).toMatchObject({
      monitored: 1,
      upToDate: 0,
      outdatedCount: 1,
      outdated: [{ subscriptionId: id, applicationId: broken.id, gaps: ['run_failed'] }],
      overdueRuns: 1,
    });
    expect(await world.running.runJob('monitoring.check')).toBe(1);
    expect((await world.request<object>('GET', '/readyz')).body).toEqual({
      status: 'ready',
      details: { monitoring: { failedSubjects: { live: 0, sandbox: 1 } } },
    });
    expect((await world.request('GET', '/metrics')).text).toContain('monitoring_failed_subjects{env="sandbox"} 1');

    await setKey(wrapped);
    await later(2, broken);
    await world.running.runJob('monitoring.due');
    await world.settle();
    expect([await alertsOf(broken), await covered(broken)]).toEqual([['open'], FULL]);
    expect([
      await world.running.runJob('monitoring.check'),
      (await world.request<object>('GET', '/readyz')).body,
    ]).toEqual([0, { status: 'ready' }]);
    await world.publish('un-csnu', [row('10', broken.name)]);
    await world.follow();
    expect(await alertsOf(broken)).toEqual(['open', 'open']);
  });
});

describe('the sandbox', () => {
  it('uses its own clock for failed and retried runs, however they fail', async () => {
    const one = await watched();
    const DAYS = 30 * 86_400;
    const advanced = await world.request('POST', '/v1/sandbox/simulations', {
      as: await one.tenant.key(['admin'], { environment: 'test' }),
      body: { type: 'advance_clock', parameters: { seconds: DAYS } },
    });
    expect(advanced.status).toBe(202);
    await world.settle();
    const { id } = await world.subscriptionOf(one.id, one.officer);
    const failed = async (): Promise<unknown> => {
      const { lastResult, nextRunAt } = await world.subscriptionOf(one.id, one.officer);
      const ahead = (Date.parse(nextRunAt!) - world.running.services.clock().getTime()) / 1000 - DAYS;
      return [lastResult, Math.round(ahead / 60)];
    };
    await world.database.sql(`UPDATE subject_key SET wrapped = '\\x00' WHERE subject_id = $1`, [one.id]);
    expect((await world.run(id, one.officer)).status).toBe(202);
    await world.settle();
    expect(await failed()).toEqual(['failed', 60]);
    await world.database.sql(
      `UPDATE monitoring_subscription SET last_result = 'clear', next_run_at = NULL WHERE id = $1`,
      [id],
    );
    await world.database.database.transaction({ tenantId: one.tenant.id }, (tx) =>
      rescreenTask.giveUp({ tx, subjectId: id, now: world.running.services.clock() }, world.running.services),
    );
    expect(await failed()).toEqual(['failed', 60]);
  });
});
