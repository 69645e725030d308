/**
 * Process that runs verifications until the crash test (verification-crash.test.ts) kills it. A message makes it kill
 * the processes that read pictures for it.
 * Usage: `verification-program.ts <location of the database as JSON> <folder of the files> <folder of the models>`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { connectDatabase } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/database-login.ts';
import { registerListeners } from '../../server/modules/subject-events/index.ts';
import { listeners } from '../../server/modules.ts';
import { verificationTask } from '../../server/modules/verifications/run.ts';
import { LocalDirectory } from '../../server/providers/files/index.ts';
import { OwnFaceReader, PictureReaders } from '../../server/providers/verification/index.ts';
import { wakeLateTenants } from '../../server/tasks/task-store.ts';
import { TaskWorker } from '../../server/tasks/worker.ts';
import { testSecret } from '../support/postgres.ts';
import { silent } from '../support/silent.ts';

/** Lease of a task; after this time another process takes over the tasks of a killed one. */
const LEASE_MILLISECONDS = 2_000;

const [location, files, models] = process.argv.slice(2) as [string, string, string];
const database = connectDatabase(JSON.parse(location) as DatabaseLocation, secretsFrom(testSecret), {
  poolSize: 6,
  log: silent,
  stop: async () => {},
});
registerListeners(listeners);
const readers = { isOn: true, folder: models };
const pictureReader = new PictureReaders(readers);
const services = {
  database,
  log: createLog('silent'),
  clock: () => new Date(),
  files: await LocalDirectory.open(files, new Date()),
  verificationProviders: {
    pictureReader,
    faceReader: new OwnFaceReader(readers),
    roots: [],
    connectors: [],
  },
};
new TaskWorker<typeof services>(services, [verificationTask], new Registry(), {
  leaseMilliseconds: LEASE_MILLISECONDS,
}).start();
process.on('message', () => pictureReader.close());
process.on('disconnect', () => process.exit());
process.send?.('ready');
// Wakes tenants whose worker was killed, more often than the real service does.
for (;;) {
  await wakeLateTenants(database, new Date(Date.now() - 100)).catch(() => {});
  await sleep(200);
}
