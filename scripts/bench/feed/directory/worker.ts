/** The process of the simulated directory. */
import { connectDatabase } from '../../../../server/database/index.ts';
import { startDirectorySimulator } from '../../../../server/directory-simulator/index.ts';
import { createLog } from '../../../../server/http/log.ts';
import { secretsFrom } from '../../../../server/secrets.ts';
import { lists, type Order } from './order.ts';

process.once('message', ({ location, secret, dataDir }: Order) => {
  const log = createLog('error');
  const database = connectDatabase(location, secretsFrom(secret), { kind: 'external', poolSize: 4, log, stop: async () => {} });
  void startDirectorySimulator({ database, clock: () => new Date(), log, dataDir, rates: lists }).then(({ url }) => process.send?.(url));
});
process.on('disconnect', () => process.exit());
