import '../../server/start.ts';
import { expect, it } from 'vitest';
import { migrate } from '../../server/database/migrate.ts';
import { shared } from '../support/service.ts';
import { silent } from '../support/silent.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';

const world = await shared(startMonitoringWorld());
const sql = world.database.sql.bind(world.database);

/** Restores the tables as they were before the migration, with their content. */
async function undo(): Promise<void> {
  await sql(`CREATE TABLE monitored_list (environment text, list_id text, sequence integer, done_at timestamptz(3))`);
  await sql(`ALTER TABLE monitored_list OWNER TO compliance_owner`);
  await sql(
    `INSERT INTO monitored_list SELECT environment, list_id, max(sequence), now() FROM watch_list_version
      GROUP BY 1, 2`,
  );
  await sql('DROP TABLE monitored_list_set, monitoring_algorithm');
  await sql('ALTER TABLE monitoring_subscription DROP COLUMN compared, DROP COLUMN rehearsal');
  await sql('ALTER TABLE task DROP COLUMN is_bulk');
  await sql('CREATE INDEX task_by_due ON task (tenant_id, due_at, id)');
  await sql('ALTER INDEX task_by_due OWNER TO compliance_owner').catch(() => {});
  await sql(`DELETE FROM schema_migration WHERE name = '0071-monitored-comparisons'`);
}

it('the migration derives from the last screening what each customer was compared with, leaves the former algorithm released, and trusts no data of suspended tenants', async () => {
  const [open, away] = [await world.tenant(), await world.tenant()];
  for (const { id } of [open, away])
    await sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [id]);
  for (const tenant of [open, away]) await world.approve(CLEAN, tenant);
  await sql(`UPDATE tenant SET status = 'suspended', suspended_from = 'active' WHERE id = $1`, [away.id]);
  const comparedRows = () =>
    sql('SELECT tenant_id, compared FROM monitoring_subscription WHERE status = $1 ORDER BY tenant_id', ['active']);
  const before = await comparedRows();
  await undo();
  await migrate(world.database.owner, silent);
  const sorted = (rows: Awaited<ReturnType<typeof comparedRows>>) =>
    rows.map(({ tenant_id: id, compared }) => [
      id,
      compared === null
        ? null
        : {
            ...compared,
            lists: compared.lists.toSorted(),
            checks: compared.checks.filter((check: string) => check === 'sanctions' || check === 'pep').toSorted(),
          },
    ]);
  expect(sorted(await comparedRows())).toEqual(
    sorted(before.map((row) => (row['tenant_id'] === away.id ? { ...row, compared: null } : row))),
  );
  expect(await sql('SELECT DISTINCT released FROM monitoring_algorithm')).toEqual([{ released: 'm2' }]);
  await sql(`UPDATE tenant SET status = 'active', suspended_from = NULL WHERE id = $1`, [away.id]);
  const officer = await away.user('compliance_officer');
  expect((await world.coverage(officer)).outdated).toMatchObject([{ gaps: ['not_compared'] }]);
  await world.running.runJob('monitoring.due');
  await world.settle();
  expect(await world.coverage(officer)).toMatchObject({ approvedSubjects: 1, upToDate: 1 });
});
