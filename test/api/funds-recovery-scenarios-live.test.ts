/** Tests of following the directory of the live environment, as the operator's list of participants says. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../server/base/config.ts';
import { createLog } from '../../server/base/log.ts';
import { followDirectory } from '../../server/follow-directory.ts';
import { openAuthority } from '../../server/providers/directory/index.ts';
import {
  type DirectorySimulator,
  historyOf,
  sandboxIspb,
  startDirectorySimulator,
  startRun,
  stateAt,
} from '../../server/simulators/directory/index.ts';
import { named } from '../support/courses.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const log = createLog('silent');
let test: TestDatabase;
let folder: string;
let simulator: DirectorySimulator;
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'live-directory-'));
  simulator = await startDirectorySimulator({
    database: test.database,
    clock,
    log,
    dataDir: folder,
  });
});
afterAll(async () => {
  await simulator.stop();
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the operator's files for a directory that is the simulator, taken for the real one. */
async function configure(tenantId: string) {
  const authority = await openAuthority(join(folder, 'directory'));
  const ispb = sandboxIspb(tenantId);
  const identity = await authority.client(ispb);
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  await file('client.pem', identity.certificate);
  await file('client.key', identity.key);
  return readConfig({
    DATA_DIR: folder,
    DIRECTORY_URL: simulator.url,
    DIRECTORY_CA: await file('ca.pem', authority.certificate),
    DIRECTORY_SIGNER: await file('signer.pem', authority.signer.certificate.toString()),
    DIRECTORY_PARTICIPANTS: await file(
      'participants.json',
      JSON.stringify([
        {
          ispb,
          tenant: `t-${tenantId.slice(-12)}`,
          certificate: 'client.pem',
          key: 'client.key',
        },
      ]),
    ),
  });
}

it('follows the participants of the operator’s list into the live feeds of their tenants, and nobody else', async () => {
  const [tenantId, other] = [await test.tenant(), await test.tenant()];
  const start = clock();
  await test.database.transaction({ tenantId }, (tx) =>
    startRun(tx, start, named('happy-path'), {
      runId: randomUUID(),
      role: 'SENT',
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    }),
  );
  const following = await followDirectory({
    config: await configure(tenantId),
    database: test.database,
    log,
    clock,
    metricsRegistry: new Registry(),
    simulator: null,
  });
  try {
    await following.ingestion.pollAll();
    ahead += 3 * 24 * 3_600_000;
    await following.ingestion.pollAll();
    const history = historyOf(await test.database.transaction({ tenantId }, (tx) => stateAt(tx, clock())));
    const feed = await test.sql<{ env: string; key: string; source: string }>(
      `SELECT env, dedupe_key AS key, raw_payload #>> '{@meta,source}' AS source FROM fr_event WHERE tenant_id = $1
        ORDER BY seq`,
      [tenantId],
    );
    expect(feed).toEqual(history.map(({ dedupeKey }) => ({ env: 'live', key: dedupeKey, source: 'DICT' })));
    expect(await test.sql('SELECT 1 FROM dict_stream WHERE tenant_id = $1', [other])).toEqual([]);
  } finally {
    await following.stop();
  }
});

it('sends no requests without an operator’s list', async () => {
  const following = await followDirectory({
    config: readConfig({ DATA_DIR: folder }),
    database: test.database,
    log,
    clock,
    metricsRegistry: new Registry(),
    simulator: null,
  });
  const before = await test.sql('SELECT count(*) FROM dict_stream');
  await following.ingestion.pollAll();
  await following.ingestion.pollNow(await test.tenant());
  expect(await test.sql('SELECT count(*) FROM dict_stream')).toEqual(before);
  await following.stop();
});
