/** Services, followers and commands for the test of backups. Used by backup.test.ts. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../server/base/config.ts';
import { createLog } from '../../server/base/log.ts';
import { loadSecrets, secretsFrom } from '../../server/base/secrets.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { type Database, openDatabase } from '../../server/database/index.ts';
import { createTenant } from '../../server/identity/store.ts';
import { publishEvents } from '../../server/modules/recovery-feed/publish.ts';
import { type RunningService, startService } from '../../server/start.ts';
import { silent } from '../support/silent.ts';
import { type Credential, tenantOf } from '../support/tenant.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Client programs of PostgreSQL, from the Python environment. */
const [PG_BIN = ''] = globSync(join(ROOT, '.venv/lib/python3.*/site-packages/embedded_postgres/pginstall/bin'));

const { PATH, NODE_COMPILE_CACHE } = process.env;

const FEED = '/api/v1/funds-recovery/events';

export type Env = Readonly<Record<string, string>>;

type Page = components['schemas']['FundsRecoveryEventList'];

/** Runs the command as an operator would. */
export function command(
  args: readonly string[],
  env: Env,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/backup.ts', ...args],
      {
        cwd: ROOT,
        env: {
          PATH,
          NODE_COMPILE_CACHE,
          PG_BIN,
          ...env,
        },
      },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

interface Started {
  readonly database: Database;
  readonly running: RunningService;
}

export async function start(env: Env): Promise<Started> {
  const config = readConfig({
    PORT: '0',
    JOBS: 'false',
    DEMO: 'false',
    DIRECTORY_SIMULATOR: 'false',
    ...env,
  });
  const secrets = loadSecrets(config);
  const database = await openDatabase(config, secrets, silent);
  return {
    database,
    running: await startService({
      config,
      secrets,
      database,
      log: createLog('silent'),
      warm: false,
    }),
  };
}

export async function page(
  { running }: Started,
  as: Credential,
  cursor?: string,
): Promise<{ readonly status: number; readonly body: Page & { readonly code?: string; readonly detail?: string } }> {
  const answer = await fetch(`${running.url}${FEED}${cursor === undefined ? '' : `?cursor=${cursor}`}`, {
    headers: as,
  });
  return { status: answer.status, body: (await answer.json()) as Page };
}

/** Publishes events, each of another recovery; `names` are their dedupe keys. */
export function publish({ database }: Started, tenantId: string, names: readonly string[]): Promise<number> {
  return database.transaction({ tenantId }, (tx) =>
    publishEvents(
      tx,
      'live',
      names.map((dedupeKey) => ({
        fundsRecoveryId: randomUUID(),
        eventType: 'FUNDS_RECOVERY_CREATED',
        status: 'CREATED',
        occurredAt: '2026-11-03T13:20:11.482Z',
        dedupeKey,
        rawPayload: null,
      })),
    ),
  );
}

/** Creates a tenant with a client that follows its feed. */
export async function newFollower(
  started: Started,
  secrets: ReturnType<typeof secretsFrom>,
): Promise<{ readonly tenantId: string; readonly as: Credential }> {
  const { database, running } = started;
  const tenantId = uuidv7();
  await database.platform({ tenantId }, (tx) =>
    createTenant(tx, {
      id: tenantId,
      slug: `t-${tenantId.slice(-12)}`,
      name: 'Follower',
      now: new Date(),
    }),
  );
  const sql = (): never => {
    throw new Error('a follower needs no superuser');
  };
  return { tenantId, as: await tenantOf({ running, database: { database, secrets, sql } }, tenantId).client(['read']) };
}
