/**
 * Receives the notifications of changed rows, so that each process can forget what it has cached. Started by the
 * connection of the process. If notifications may be lost it says so (`onGap`), and the caches must be emptied;
 * otherwise a revoked credential would go on working.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../base/log.ts';
import type { DatabaseLogin } from './database-login.ts';

export interface ChangeHandlers {
  /** Called with the kind and ids of each change that this or another process has committed. */
  readonly onChange: (message: string) => void;
  /** Called if notifications may have been lost, so that any cached value can be out of date. */
  readonly onGap: () => void;
}

export interface ChangeListener {
  /** Tells whether every change that was committed more than a second ago has been received. */
  isCurrent(): boolean;
  stop(): Promise<void>;
}

const CHANNEL = 'compliance_changes';
const HEARTBEAT = 'pulse';
const CURRENT_MILLISECONDS = 1_000;
const HEARTBEAT_MILLISECONDS = 400;
const TIMEOUT_MILLISECONDS = 2_000;

/**
 * Receives the notifications of the tables (LISTEN, NOTIFY, `announce_change`) on a connection of its own. PostgreSQL
 * delivers them in the order of their commits. So once the process receives its own heartbeat, which it sends over
 * another connection, it has received everything before the heartbeat. A network that loses messages, or a pooler that
 * does not keep the session, is noticed within a second.
 *
 * @param notify commits a message on the channel, over a connection of the pool
 */
export function listenForChanges(
  login: DatabaseLogin,
  notify: (channel: string, message: string) => Promise<unknown>,
  handlers: ChangeHandlers,
  log: Log,
): ChangeListener {
  const stopping = new AbortController();
  const own = `${HEARTBEAT} ${crypto.randomUUID()}`;
  let receivedUntil = Number.NEGATIVE_INFINITY;
  let isGapLogged = false;

  const receive = ({ payload = '' }: pg.Notification): void => {
    if (payload.startsWith(own)) receivedUntil = Math.max(receivedUntil, Number(payload.slice(own.length + 1)));
    else if (!payload.startsWith(HEARTBEAT)) handlers.onChange(payload);
  };

  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client({
      ...login,
      connectionTimeoutMillis: TIMEOUT_MILLISECONDS,
      query_timeout: TIMEOUT_MILLISECONDS,
      keepAlive: true,
      application_name: 'compliance-onboarding changes',
    });
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {});
    client.on('error', broken.reject);
    client.on('end', () => broken.reject(new Error('the connection ended')));
    client.on('notification', receive);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      handlers.onGap();
      for (const startedAt = performance.now(); !stopping.signal.aborted; ) {
        await Promise.race([notify(CHANNEL, `${own} ${performance.now()}`), broken.promise]);
        await Promise.race([
          sleep(HEARTBEAT_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => {}),
          broken.promise,
        ]);
        if (performance.now() - Math.max(startedAt, receivedUntil) > TIMEOUT_MILLISECONDS + HEARTBEAT_MILLISECONDS)
          throw new Error('no heartbeat arrives on the connection that listens for changes');
        if (isGapLogged) log.info({}, 'changes of other processes are received again');
        isGapLogged = false;
      }
    } finally {
      client.removeAllListeners('notification');
      await client.end().catch(() => {});
    }
  };

  const listenAlways = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await listenOnce().catch((error: unknown) => {
        if (!isGapLogged && !stopping.signal.aborted)
          log.warn(
            { reason: (error as Error).message },
            'changes of other processes are not received: credentials are cached for a second only',
          );
        isGapLogged = true;
      });
      await sleep(HEARTBEAT_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = listenAlways();

  return {
    isCurrent: () => performance.now() - receivedUntil < CURRENT_MILLISECONDS,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
