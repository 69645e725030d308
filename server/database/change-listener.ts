import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../base/log.ts';
import type { DatabaseLogin } from './login.ts';

export interface ChangeHandlers {
  /** Another process, or this one, has committed a change: its kind and ids. */
  readonly onChange: (message: string) => void;
  /** Changes may have gone unheard: whatever is remembered can be out of date. */
  readonly onGap: () => void;
}

export interface ChangeListener {
  /** Every change that was committed more than a second ago has been heard. */
  isCurrent(): boolean;
  stop(): Promise<void>;
}

const CHANNEL = 'compliance_changes';
const HEARTBEAT = 'pulse';
const CURRENT_MILLISECONDS = 1_000;
const HEARTBEAT_MILLISECONDS = 400;
const TIMEOUT_MILLISECONDS = 2_000;

/**
 * Hears on a connection of its own what the tables announce (migration 0031). Messages come in the order of their commits, so
 * a pulse that this process sends over another connection and hears again shows that everything before it was heard, and that
 * the way is open: a network that swallows messages, or a pooler that does not keep the session, is noticed within a second.
 *
 * @param announce commits a message on the channel, by way of the pool
 */
export function listenForChanges(login: DatabaseLogin, announce: (channel: string, message: string) => Promise<unknown>, hearing: ChangeHandlers, log: Log): ChangeListener {
  const stopping = new AbortController();
  const own = `${HEARTBEAT} ${crypto.randomUUID()}`;
  let heardUntil = Number.NEGATIVE_INFINITY;
  let told = false;

  const hear = ({ payload = '' }: pg.Notification): void => {
    if (payload.startsWith(own)) heardUntil = Math.max(heardUntil, Number(payload.slice(own.length + 1)));
    else if (!payload.startsWith(HEARTBEAT)) hearing.onChange(payload);
  };

  const once = async (): Promise<void> => {
    const client = new pg.Client({ ...login, connectionTimeoutMillis: TIMEOUT_MILLISECONDS, query_timeout: TIMEOUT_MILLISECONDS, keepAlive: true, application_name: 'compliance-onboarding changes' });
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {});
    client.on('error', broken.reject);
    client.on('end', () => broken.reject(new Error('the connection ended')));
    client.on('notification', hear);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      hearing.onGap();
      for (const begun = performance.now(); !stopping.signal.aborted;) {
        await Promise.race([announce(CHANNEL, `${own} ${performance.now()}`), broken.promise]);
        await Promise.race([sleep(HEARTBEAT_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => {}), broken.promise]);
        if (performance.now() - Math.max(begun, heardUntil) > TIMEOUT_MILLISECONDS + HEARTBEAT_MILLISECONDS) throw new Error('nothing is heard');
        if (told) log.info({}, 'changes of other processes are heard again');
        told = false;
      }
    } finally {
      client.removeAllListeners('notification');
      await client.end().catch(() => {});
    }
  };

  const always = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await once().catch((error: unknown) => {
        if (!told && !stopping.signal.aborted) log.warn({ reason: (error as Error).message }, 'changes of other processes are not heard: what is remembered is believed for a second only');
        told = true;
      });
      await sleep(HEARTBEAT_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = always();

  return {
    isCurrent: () => performance.now() - heardUntil < CURRENT_MILLISECONDS,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
