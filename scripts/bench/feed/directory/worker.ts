/** The process of the simulated directory. */
import { createLog } from '../../../../server/base/log.ts';
import { secretsFrom } from '../../../../server/base/secrets.ts';
import { connectDatabase } from '../../../../server/database/index.ts';
import { startDirectorySimulator } from '../../../../server/simulators/directory/index.ts';
import { lists, type Order } from './order.ts';

process.once('message', ({ location, secret, dataDir }: Order) => {
  const log = createLog('error');
  const database = connectDatabase(location, secretsFrom(secret), { kind: 'external', poolSize: 4, log, stop: async () => {} });
  void startDirectorySimulator({ database, clock: () => new Date(), log, dataDir, rates: lists }).then(({ url }) => process.send?.(url));
});
process.on('disconnect', () => process.exit());
