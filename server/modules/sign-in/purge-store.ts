/**
 * Deletes counters, unfinished enrolments and old sessions. Called by the periodic jobs of this module. Row-level
 * security lets it delete only what ended long ago.
 */
import type { RealTime } from '../../base/time.ts';
import { type Database, sql, statement, type Transaction } from '../../database/index.ts';
import { forgetMailQuota } from '../invitations/index.ts';
import { forgetFailures, forgottenBefore, purgeKnownLocations } from '../login-throttle/index.ts';

const resets = statement<{ now: RealTime }>(
  'auth.purge.resets',
  (p) => sql`DELETE FROM password_reset WHERE expires_at < ${p.now}`,
);
const enrolments = statement<{ now: RealTime }>(
  'auth.purge.enrolments',
  (p) => sql`DELETE FROM user_totp WHERE expires_at < ${p.now}`,
);
/** Deletes old tokens: row-level security lets the platform's role remove only those that ended months ago. */
const tokens = statement<{}>('auth.purge.tokens', () => sql`DELETE FROM refresh_token`);
const sessions = statement<{}>(
  'auth.purge.sessions',
  () => sql`
  DELETE FROM session WHERE NOT EXISTS (SELECT FROM refresh_token t
    WHERE t.tenant_id = session.tenant_id AND t.session_id = session.id)`,
);

/**
 * Purges failures and known locations, because anyone can fail with invented e-mail addresses, and neither table may
 * grow without bound.
 */
export function purgeThrottle(database: Database, now: RealTime): Promise<number> {
  return database.platform(
    { tenantId: null },
    async (tx) =>
      (await forgetFailures(tx, forgottenBefore(now))) +
      (await purgeKnownLocations(tx, now)) +
      (await forgetMailQuota(tx, now)),
  );
}

/** Purges unfinished password resets and enrolments, and sessions that ended long ago with their tokens. */
export function purgeCredentials(database: Database, now: RealTime): Promise<number> {
  return database.platform({ tenantId: null }, async (tx: Transaction) => {
    const counts = await Promise.all([
      tx.count(resets, { now }),
      tx.count(enrolments, { now }),
      tx.count(tokens, {}),
      tx.count(sessions, {}),
    ]);
    return counts.reduce((sum, count) => sum + count, 0);
  });
}
