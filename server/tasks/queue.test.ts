/** Tests of the queue of jobs in the database. */
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { loginAs } from '../database/database-login.ts';
import { withClient } from '../database/pool.ts';
import { roles } from '../database/roles.ts';
import { once, taskSite } from './testing/task-site.ts';

const site = taskSite();
const { effects, enqueue, entriesOf, worker } = site;

describe('the queue', () => {
  const refusal = (client: pg.Client, text: string): Promise<string | null> =>
    client.query(text).then(
      () => null,
      (error: unknown) => (error as pg.DatabaseError).code ?? String(error),
    );

  it('has the schema that this version of the package expects, because a later version needs a migration', async () => {
    expect(await site.test.sql('SELECT max(id) AS revision FROM graphile_worker.migrations')).toEqual([
      { revision: 20 },
    ]);
  });

  it('is used by a role that cannot see the tables of the service', async () => {
    const { location, secrets } = site.test;
    await withClient(loginAs('worker', location, secrets), async (client) => {
      const tables = await site.test.sql<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
      );
      expect(tables.length).toBeGreaterThan(30);
      for (const { name } of tables) {
        for (const attempt of [`SELECT FROM ${name}`, `INSERT INTO ${name} DEFAULT VALUES`, `DELETE FROM ${name}`])
          expect(await refusal(client, attempt), attempt).toBe('42501');
      }
      for (const attempt of [
        'CREATE TABLE graphile_worker.x (a integer)',
        'CREATE SCHEMA x',
        `SET ROLE ${roles.app}`,
        `SELECT graphile_worker.add_job('wake')`,
      ]) {
        expect(await refusal(client, attempt), attempt).toBe('42501');
      }
    });
  });

  it('shows a request no entry of another tenant, and accepts none for another tenant', async () => {
    const [own, foreign] = [await site.test.tenant(), await site.test.tenant()];
    await enqueue(foreign, once);
    await withClient(site.test.app, async (client) => {
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [own]);
      expect((await client.query('SELECT * FROM graphile_worker._private_jobs')).rows).toEqual([]);
      for (const payload of [`{"tenantId": "${foreign}"}`, `{"tenantId" : "${own}", "name": "Maria"}`, '{}']) {
        expect(await refusal(client, `SELECT graphile_worker.add_job('wake', '${payload}')`), payload).toBe('42501');
      }
      expect(
        await refusal(
          client,
          `SELECT graphile_worker.add_job('another', json_build_object('tenantId', '${own}'::uuid))`,
        ),
      ).toBe('42501');
      expect(
        await refusal(
          client,
          `SELECT graphile_worker.add_job('wake', json_build_object('tenantId', '${own}'::uuid), ` +
            `job_key => '${foreign}')`,
        ),
      ).toBe('42501');
      expect(await refusal(client, 'DELETE FROM graphile_worker._private_jobs')).toBe('42501');
    });
    expect(await entriesOf(foreign)).toHaveLength(1);
    await worker(once).runDue();
    expect(await effects(foreign)).toEqual(['done']);
  });
});
