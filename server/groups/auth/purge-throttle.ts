import type { Database } from '../../database/index.ts';
import { forgottenBefore } from './lockout.ts';
import { forgetFailures } from './store/throttle.ts';

/** Anybody can make up e-mail addresses to fail with: what is remembered of them must not grow for ever. */
export function purgeThrottle(database: Database, now: Date): Promise<number> {
  return database.platform({ tenantId: null }, (tx) => forgetFailures(tx, forgottenBefore(now)));
}
