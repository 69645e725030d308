/** API tests of which alerts are mailed, and to whom. */
import { expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';

const world = await shared(startMonitoringWorld());
const LISTED = { ...CLEAN, fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' };

const lettersOf = async ({ id }: { readonly id: string }): Promise<number> =>
  (
    await world.database.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM mail_message WHERE template = 'alertsRaised' AND tenant_id = $1`,
      [id],
    )
  )[0]!.count;

it('alerts that cannot wait are mailed to each compliance officer in one letter, once, and again if they are reopened', async () => {
  const tenant = await world.tenant();
  const officer = await tenant.user('compliance_officer');
  await Promise.all([tenant.user('compliance_officer', { purpose: 'second' }), tenant.user('owner')]);
  const ids = [await world.approve(LISTED, tenant), await world.approve(LISTED, tenant)];
  await world.approve(CLEAN, tenant);
  await world.running.runJob('monitoring.tell');
  await world.running.runJob('monitoring.tell');
  expect(await lettersOf(tenant)).toBe(2);
  await world.database.sql(`UPDATE monitoring_alert SET status = 'resolved' WHERE application_id = $1`, [ids[0]]);
  const { id } = await world.subscriptionOf(ids[0]!, officer);
  await world.run(id, officer);
  await world.settle();
  await world.running.runJob('monitoring.tell');
  expect(await lettersOf(tenant)).toBe(4);
});

it('alerts of the sandbox, and those that can wait, are mailed to nobody', async () => {
  await world.sandboxed.user('compliance_officer', { purpose: 'told' });
  await world.approve(LISTED);
  const tenant = await world.tenant();
  const other = await tenant.user('compliance_officer');
  const id = await world.approve(CLEAN, tenant);
  await world.database.sql(`UPDATE application SET review_due_at = now() + interval '20 days' WHERE id = $1`, [id]);
  await world.running.runJob('monitoring.due');
  expect((await world.alerts(`applicationId=${id}`, other)).map(({ kind }) => kind)).toEqual(['risk_review']);
  await world.running.runJob('monitoring.tell');
  expect([await lettersOf(world.sandboxed), await lettersOf(tenant)]).toEqual([0, 0]);
});
