/** A service that is backed up, restored and purged while consumers follow. Used by feed-consumers.test.ts. */
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, restore } from '../../../scripts/backup/carry-out.ts';
import { readConfig } from '../../../server/base/config.ts';
import { createLog } from '../../../server/base/log.ts';
import type { Environment } from '../../../server/contract/operation.ts';
import { FeedCursors } from '../../../server/modules/recovery-feed/index.ts';
import { type NewEvent, publishEvents } from '../../../server/modules/recovery-feed/publish.ts';
import { keepCompilations } from '../../../server/request/validator-adapter.ts';
import { type RunningService, startService } from '../../../server/start.ts';
import { createTestDatabase, type TestDatabase, testSecret } from '../../support/postgres.ts';
import { tenantOf } from '../../support/tenant.ts';

/** PostgreSQL client programs from the Python environment. */
const [PG_BIN = ''] = globSync(
  join(import.meta.dirname, '../../../.venv/lib/python3.*/site-packages/embedded_postgres/pginstall/bin'),
);
const QUIET = {
  JOBS: 'false',
  DEMO: 'false',
  DIRECTORY_SIMULATOR: 'false',
  RATE_LIMIT_REQUESTS: '1000000',
  RATE_LIMIT_FEED: '1000000',
  RATE_LIMIT_FAILED_AUTHENTICATIONS: '1000000',
  SERVICE_SECRET: testSecret,
};

keepCompilations();

/** Credential with which a client gets its tokens. */
export interface ClientKey {
  readonly id: string;
  readonly secret: string;
}

/** A position in the feed of one database; another database, after a restore, has another `epoch`. */
export interface Position {
  readonly epoch: number;
  readonly seq: number;
}

interface Head {
  readonly generation: number;
  readonly floor: number;
  readonly last: number;
}

/**
 * A service with one tenant, on a fixed address, whose database is backed up and restored as the operators' guide says.
 */
export class FeedSite {
  readonly #folder: string;
  readonly #tenantId: string;
  #database: TestDatabase;
  #running: RunningService;
  #epoch = 0;
  /** Positions of the events in each former and present database; purged ones included. */
  readonly #positions: Map<string, number>[] = [new Map()];
  #backups = 0;

  private constructor(folder: string, tenantId: string, database: TestDatabase, running: RunningService) {
    this.#folder = folder;
    this.#tenantId = tenantId;
    this.#database = database;
    this.#running = running;
  }

  static async open(): Promise<FeedSite> {
    const folder = await mkdtemp(join(tmpdir(), 'compliance-feed-'));
    const database = await createTestDatabase({ poolSize: 8 });
    const tenantId = await database.tenant();
    return new FeedSite(folder, tenantId, database, await serve(folder, database, 0));
  }

  async close(): Promise<void> {
    await this.#running.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get url(): string {
    return this.#running.url;
  }

  get tenantId(): string {
    return this.#tenantId;
  }

  get epoch(): number {
    return this.#epoch;
  }

  publish(environment: Environment, events: readonly NewEvent[]): Promise<number> {
    return this.#database.database.transaction({ tenantId: this.#tenantId }, (tx) =>
      publishEvents(tx, environment, events),
    );
  }

  /** Calls as an owner of the tenant who has just used a second factor. */
  async asOwner<T>(method: string, path: string, body?: object): Promise<T> {
    const { Authorization = '' } = await tenantOf(
      { running: this.#running, database: this.#database },
      this.#tenantId,
    ).user('owner', { secondFactor: true });
    const answer = await fetch(this.url + path, {
      method,
      headers: { Authorization, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async newClient(name: string): Promise<ClientKey> {
    return keyOf(await this.asOwner('POST', '/v1/settings/api-keys', { name, environment: 'live', scopes: ['read'] }));
  }

  async rotate({ id }: ClientKey, graceHours: number): Promise<ClientKey> {
    return keyOf(await this.asOwner('POST', `/v1/settings/api-keys/${id}/rotate`, { graceHours }));
  }

  /**
   * Makes everything that was published so far older than its retention period, and purges what these clients have
   * acknowledged. Others have not asked for so long that nothing is retained for them.
   */
  async purge(clientIds: readonly string[]): Promise<void> {
    await this.#notePlaces();
    await this.#database.sql(
      `UPDATE fr_consumer SET last_polled_at = now() - interval '91 days'
        WHERE tenant_id = $1 AND env = 'live' AND consumer_id <> ALL($2)`,
      [this.#tenantId, clientIds.map((id) => `client:${id}`)],
    );
    await this.#database.sql(
      `UPDATE fr_event SET received_at = now() - interval '401 days' WHERE tenant_id = $1 AND env = 'live'`,
      [this.#tenantId],
    );
    while (((await this.#running.runJob('feed.purge')) ?? 0) > 0);
  }

  /** Backs up while the service runs. Returns the folder of the backup. */
  async backUp(): Promise<string> {
    const folder = join(this.#folder, `backup-${this.#backups++}`);
    await create(folder, this.#environment(), () => {});
    return folder;
  }

  /**
   * Ends the service and its database, restores the backup into an empty one, and restarts the service at the same
   * address. Calls `restored` before the service answers.
   */
  async restore(backup: string, restored: () => Promise<unknown>): Promise<void> {
    await this.#notePlaces();
    const port = this.#running.port;
    await this.#running.stop();
    this.#database = await createTestDatabase({ poolSize: 8, empty: true });
    await restore(backup, this.#environment(), () => {});
    await rm(backup, { recursive: true });
    this.#epoch += 1;
    this.#positions.push(new Map());
    await restored();
    this.#running = await serve(this.#folder, this.#database, port);
  }

  /** Returns how far a client has acknowledged; a client without a cursor continues from there. */
  async acknowledged(clientId: string): Promise<Position> {
    const { generation, floor } = await this.#head();
    const [row] = await this.#database.sql<{ seq: number }>(
      `SELECT acked_seq::integer AS seq FROM fr_consumer
        WHERE tenant_id = $1 AND env = 'live' AND consumer_id = $2 AND generation = $3`,
      [this.#tenantId, `client:${clientId}`, generation],
    );
    return { epoch: this.#epoch, seq: Math.max(row?.seq ?? 0, floor) };
  }

  /**
   * Returns whether the client has read, and acknowledged, everything that was published; its cursor says how far it
   * has read.
   */
  async isCaughtUp(clientId: string, cursor: string | null): Promise<boolean> {
    const { last } = await this.#head();
    const [read, acknowledged] = [
      cursor === null ? null : await this.positionOf(clientId, cursor),
      await this.acknowledged(clientId),
    ];
    return read?.seq === last && acknowledged.seq === last;
  }

  /** Returns the position of the cursor; null if its position is gone, as in the guide. */
  async positionOf(clientId: string, cursor: string): Promise<Position | null> {
    const { generation, floor, last } = await this.#head();
    const cursors = new FeedCursors(this.#database.secrets.deriveKey('feed cursor'));
    const position = cursors.decode(
      { tenantId: this.#tenantId, environment: 'live', id: `client:${clientId}` },
      cursor,
    );
    const isThere = position.generation === generation && position.sequence >= floor && position.sequence <= last;
    return isThere ? { epoch: this.#epoch, seq: position.sequence } : null;
  }

  /** Returns the positions of events in each database up to now. */
  async positions(): Promise<readonly ReadonlyMap<string, number>[]> {
    await this.#notePlaces();
    return this.#positions;
  }

  async #notePlaces(): Promise<void> {
    const known = this.#positions[this.#epoch]!;
    const rows = await this.#database.sql<{ id: string; seq: number }>(
      `SELECT event_id AS id, seq::integer FROM fr_event WHERE tenant_id = $1 AND env = 'live'`,
      [this.#tenantId],
    );
    for (const { id, seq } of rows) known.set(id, seq);
  }

  async #head(): Promise<Head> {
    const [row] = await this.#database.sql<Head>(
      `SELECT generation, floor_seq::integer AS floor, last_seq::integer AS last FROM fr_feed
        WHERE tenant_id = $1 AND env = 'live'`,
      [this.#tenantId],
    );
    return row!;
  }

  #environment(): Readonly<Record<string, string>> {
    const { user, password, host, port, database } = this.#database.superuser;
    const url = `postgresql://${user}:${encodeURIComponent(password ?? '')}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    return {
      DATA_DIR: this.#folder,
      SERVICE_SECRET: testSecret,
      DATABASE_URL: url,
      PG_BIN,
    };
  }
}

function serve(folder: string, database: TestDatabase, port: number): Promise<RunningService> {
  const config = readConfig({ ...QUIET, DATA_DIR: folder, PORT: String(port) });
  return startService({
    config,
    secrets: database.secrets,
    database: database.database,
    log: createLog('silent'),
    warm: false,
  });
}

function keyOf({
  apiKey,
  secret,
}: {
  readonly apiKey: { readonly prefix: string };
  readonly secret: string;
}): ClientKey {
  return { id: apiKey.prefix, secret };
}
