/** Tests that acknowledged commits survive a killed database server. */
import '../start.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../test/support/silent.ts';
import { type AuditRow, verifyChain } from '../../test/support/verify-chain.ts';
import { appendAudit } from '../audit/chain.ts';
import { type AuditEvent, wholeEvent } from '../audit/store.ts';
import { secretsFrom } from '../base/secrets.ts';
import { uuidv7 } from '../base/uuid.ts';
import { createTenant } from '../identity/store.ts';
import { type EmbeddedServer, startEmbedded } from './embedded.ts';
import {
  connectDatabase,
  type Database,
  DatabaseUnavailable,
  knex,
  type ParametersOf,
  sql,
  statement,
  type Transaction,
} from './index.ts';
import { type DatabaseLogin, loginAs, rolePassword } from './database-login.ts';
import { migrate } from './migrate.ts';
import { withClient } from './pool.ts';
import { provision } from './provision.ts';

const secrets = secretsFrom('the root secret of the durability test');
const tenantId = uuidv7();
let dataDir: string;
let server: EmbeddedServer;
let database: Database;
let superuser: DatabaseLogin;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'durability-'));
  const password = rolePassword('superuser', secrets);
  server = await startEmbedded({
    dataDir,
    superuser: 'postgres',
    password,
    durable: true,
    log: silent,
  });
  const location = {
    host: server.host,
    port: server.port,
    database: 'compliance',
    ssl: false,
  };
  superuser = {
    ...location,
    database: 'postgres',
    user: 'postgres',
    password,
  };
  await provision(superuser, location, secrets);
  await migrate(loginAs('owner', location, secrets), silent);
  database = connectDatabase(location, secrets, { poolSize: 4, log: silent, stop: server.stop });
  await database.platform({ tenantId }, (tx) =>
    createTenant(tx, {
      id: tenantId,
      slug: 'durable',
      name: 'Durable',
      now: new Date(),
    }),
  );
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

/** Commits rows with an audit event each; an id counts only after COMMIT was answered. */
async function write(acknowledged: string[], uncertain: string[], until: () => boolean): Promise<void> {
  while (!until()) {
    const id = uuidv7();
    try {
      await database.transaction({ tenantId }, async (tx) => {
        void tx.query(knex('fr_consumer').insert({ tenant_id: tenantId, env: 'live', consumer_id: id }));
        appendAudit(tx, {
          occurredAt: new Date().toISOString(),
          environment: 'live',
          action: 'settings.updated',
          outcome: 'success',
          actor: {
            type: 'system',
            id: null,
            display: 'test',
            impersonatorId: null,
          },
          resource: { type: 'settings', id },
        });
      });
      acknowledged.push(id);
    } catch (error) {
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      if ((error as DatabaseUnavailable).outcomeUnknown) uncertain.push(id);
      await sleep(20);
    }
  }
}

async function killServerAndItsChildren(): Promise<void> {
  const children = await withClient(superuser, async (client) =>
    (await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()')).rows.map(
      (row) => row.pid,
    ),
  );
  for (const pid of [server.pid() ?? 0, ...children]) process.kill(pid, 'SIGKILL');
}

describe('kill -9 of the server and all its children under four writers', () => {
  it('loses no acknowledged commit, duplicates none and leaves an intact audit chain', async () => {
    const acknowledged: string[] = [];
    const uncertain: string[] = [];
    let done = false;
    const writers = Array.from({ length: 4 }, () => write(acknowledged, uncertain, () => done));
    const fiftyMore = async (): Promise<void> => {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(before + 50);
    };
    for (let round = 1; round <= 2; round += 1) {
      await fiftyMore();
      await killServerAndItsChildren();
    }
    await fiftyMore();
    done = true;
    await Promise.all(writers);

    const { ids, rows, head } = await database.transaction({ tenantId, readOnly: true }, async (tx) => ({
      ids: (await tx.query<{ consumer_id: string }>(knex('fr_consumer').select('consumer_id'))).map(
        (row) => row.consumer_id,
      ),
      rows: await tx.query<AuditRow>(sql`SELECT ${wholeEvent} FROM audit_event ORDER BY sequence`),
      head: (await tx.query<{ hash: Buffer }>(knex('audit_head').select('hash')))[0]?.hash,
    }));
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !acknowledged.includes(id) && !uncertain.includes(id))).toEqual([]);
    expect(rows.map((row) => row.resourceId).sort()).toEqual(ids.sort());
    expect(verifyChain(tenantId, rows, head)).toBeNull();
  });
});

const noting = (p: ParametersOf<{ tenantId: string; id: string }>) =>
  sql`INSERT INTO fr_consumer (tenant_id, env, consumer_id)
    SELECT ${p.tenantId}::uuid, 'sandbox', current_setting('synchronous_commit') || ' ' || ${p.id}::text`;

/**
 * Notes how the transaction commits, for the test to read. The statement is sent with COMMIT and counts as contended,
 * so that it follows the event.
 */
const noteHow = statement<{ tenantId: string; id: string }>('test.noteHow', noting, { contended: noting });

const takeAFeedPlace = statement<{ tenantId: string }>(
  'test.feedPlace',
  (p) => knex('fr_feed').update({ last_seq: sql`last_seq + 1` }).where({ tenant_id: p.tenantId, env: 'live' }),
  { durable: true },
);

describe('contended writers', () => {
  const event: AuditEvent = {
    occurredAt: new Date().toISOString(),
    environment: 'live',
    action: 'settings.updated',
    outcome: 'success',
    actor: {
      type: 'system',
      id: null,
      display: 'test',
      impersonatorId: null,
    },
    resource: { type: 'settings', id: null },
  };
  const append = (prepare: (tx: Transaction) => void = () => {}): Promise<void> =>
    database.transaction({ tenantId }, async (tx) => {
      prepare(tx);
      appendAudit(tx, event);
      tx.beforeCommit(noteHow, { tenantId, id: uuidv7() });
    });
  const hows = async (): Promise<string[]> =>
    (
      await database.transaction({ tenantId, readOnly: true }, (tx) =>
        tx.query<{ consumer_id: string }>(
          knex('fr_consumer').select('consumer_id').where({ env: 'sandbox' }).orderBy('acked_at'),
        ),
      )
    ).map(({ consumer_id }) => consumer_id.split(' ')[0] ?? '');
  const forget = (): Promise<unknown> =>
    database.transaction({ tenantId }, (tx) => tx.query(knex('fr_consumer').delete().where({ env: 'sandbox' })));

  it('release the chain before they are on disk, and learn when they are', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 4 }, () => append()));
      const [{ unflushed }] = (await withClient(
        { ...superuser, database: 'compliance' },
        async (client) =>
          (
            await client.query<{ unflushed: number }>(
              'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn())::int AS unflushed',
            )
          ).rows,
      )) as [{ unflushed: number }];
      // An event is larger than this; the server's own records are smaller, except in the first round: after a crash,
      // the first reader of a page of the catalogue causes its hint bits to be logged.
      if (round > 0) expect(unflushed).toBeLessThan(400);
    }
    const found = await hows();
    expect(found).toHaveLength(40);
    expect(found).toContain('off');
    await forget();
  });

  it('hold the chain until they are on disk if no other writer waits, or if a reader may rely on what it saw', async () => {
    await append();
    await Promise.all(Array.from({ length: 4 }, () => append((tx) => void tx.run(takeAFeedPlace, { tenantId }))));
    expect(await hows()).toEqual(['on', 'on', 'on', 'on', 'on']);
    await forget();
  });
});
