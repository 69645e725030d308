import { describe, expect, it } from 'vitest';
import { rescreenTask } from '../../server/modules/monitoring/rescreen.ts';
import { newDecidedApplication } from '../operations/records.ts';
import { refused } from '../support/api.ts';
import { setSection } from '../support/onboarding.ts';
import { shared, type Credential, type Tenant } from '../support/service.ts';
import { type Alert, CLEAN, startMonitoringWorld } from './monitoring-world.ts';

const world = await shared(startMonitoringWorld());
await world.follow();

const row = (key: string, name: string, more = ',1971-08-09,,,sanction,'): string => `${key},person,${name},${more}`;

interface Watched {
  readonly tenant: Tenant;
  officer: Credential;
  readonly id: string;
  readonly name: string;
}

/** Names that are on no shipped list and unlike every other name of this file. */
const NAMES = [
  'Quirino Zagalho Tapajos',
  'Belisario Cunhambebe Rondon',
  'Damasceno Urupema Xingu',
  'Epaminondas Guararapes Lobato',
  'Frutuoso Itabirito Caldas',
  'Guiomar Paranapiacaba Teles',
  'Hermenegildo Sapucaia Frota',
  'Inocencio Mantiqueira Prado',
  'Jeronimo Botucatu Valadares',
  'Leopoldina Araraquara Bastos',
  'Maximiano Ubatuba Queiroz',
  'Norberto Jaguaribe Falcao',
  'Olegario Piracicaba Meireles',
  'Teodolinda Caraguatatuba Pimenta',
  'Policarpo Itacoatiara Nogueira',
];

/** Returns a tenant of its own with one customer who was compared with all lists. */
async function watched(): Promise<Watched> {
  const tenant = await world.tenant();
  await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
    tenant.id,
  ]);
  const name = NAMES.shift()!;
  const id = await world.approve({ ...CLEAN, fullName: name }, tenant);
  const officer = await tenant.user('compliance_officer', today());
  expect(await world.coverage(officer)).toMatchObject({
    approvedSubjects: 1,
    monitored: 1,
    upToDate: 1,
    outdatedCount: 0,
    outdated: [],
  });
  return {
    tenant,
    officer,
    id,
    name,
  };
}

/** Returns a distinct purpose for each hour, because users must sign in again after the clock was moved. */
const today = (): { readonly purpose: string } => ({
  purpose: world.running.services.clock().toISOString().slice(0, 13),
});
const put = async ({ id }: Tenant, status: string) =>
  world.request('PUT', `/v1/admin/tenants/${id}/status`, {
    as: await world.platform.user('platform_admin', today()),
    body: { status, reasonCode: 'other' },
  });
async function later(hours: number, ...people: Watched[]): Promise<void> {
  world.advance(hours * 3_600_000);
  for (const one of people) one.officer = await one.tenant.user('compliance_officer', today());
}

const alertsOf = async ({ id, officer }: Watched): Promise<string[]> =>
  (await world.alerts(`applicationId=${id}`, officer)).map(({ status }) => status);
const covered = async ({ officer }: Watched): Promise<unknown[]> => {
  const { monitored, upToDate, outdated } = await world.coverage(officer);
  return [monitored, upToDate, outdated.map(({ gaps }) => gaps)];
};
const FULL = [1, 1, []];

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
