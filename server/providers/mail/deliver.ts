/**
 * Delivers queued mail, oldest first. Called by a periodic job. A mail may be sent twice if the process dies in
 * between; a refusal for good ends it, anything else is tried for a day.
 */
import type { Logger } from 'pino';
import { DAY_MILLISECONDS, HOUR_SECONDS } from '../../base/time.ts';
import type { Database } from '../../database/index.ts';
import { MailNotSent, MailRefused, type Mailer } from './mailer.ts';
import type { Outbox } from './outbox.ts';
import { BATCH, deleteOlder, type DueRow, findDue, markDelivered, markFailed, markGivenUp } from './store.ts';

export type MailOutcome = 'delivered' | 'deferred' | 'given_up';

interface Delivery {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly mailer: Mailer;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly onOutcome: (outcome: MailOutcome, template: string) => void;
  readonly signal: AbortSignal;
}

const MAX_ATTEMPTS = 30;
const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = HOUR_SECONDS;
const GRACE_MILLISECONDS = 2_000;
const KEPT_DAYS = 7;

/**
 * Delivers due letters one after the other, oldest first, and returns how many were delivered. Delivery is at least
 * once: if the process dies between the server's 250 and its own record, the letter is sent again with the same
 * Message-ID.
 */
export async function deliverMail(delivery: Delivery): Promise<number> {
  const { database, clock, signal } = delivery;
  const overdue = afterGrace(signal);
  let delivered = 0;
  for (;;) {
    const due = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findDue, { now: clock() }));
    for (const row of due) {
      if (signal.aborted) return delivered;
      const outcome = await attempt(delivery, row, overdue);
      if (outcome === 'delivered') delivered += 1;
      if (outcome === 'outage' || outcome === 'interrupted') return delivered;
    }
    if (due.length < BATCH) return delivered;
  }
}

async function attempt(
  { database, outbox, mailer, clock, log, onOutcome }: Delivery,
  row: DueRow,
  overdue: AbortSignal,
): Promise<MailOutcome | 'outage' | 'interrupted'> {
  const { id, template } = row;
  const write = (work: Parameters<typeof database.platform<unknown>>[1]) => database.platform({ tenantId: null }, work);
  try {
    await mailer.send(id, outbox.seal.open(id, row.sealed), overdue);
  } catch (error) {
    // The letter may or may not have been sent; the next round sends it (again).
    if (overdue.aborted) return 'interrupted';
    // The message of a foreign error is not repeated, because it may quote the letter.
    const reason = error instanceof MailRefused || error instanceof MailNotSent ? error.message : (error as Error).name;
    const attempts = row.attempts + 1;
    if (error instanceof MailRefused || attempts >= MAX_ATTEMPTS) {
      await write((tx) => tx.run(markGivenUp, { id, now: clock(), error: reason }));
      log.error(
        {
          mail: id,
          template,
          attempts,
          reason,
        },
        'a mail could not be delivered and was given up',
      );
      onOutcome('given_up', template);
      return 'given_up';
    }
    await write((tx) =>
      tx.run(markFailed, { id, next: new Date(clock().getTime() + pauseAfter(attempts)), error: reason }),
    );
    log.warn(
      {
        mail: id,
        template,
        attempts,
        reason,
      },
      'a mail could not be delivered yet',
    );
    onOutcome('deferred', template);
    return error instanceof MailNotSent && error.isOutage ? 'outage' : 'deferred';
  }
  await write((tx) => tx.run(markDelivered, { id, now: clock() }));
  onOutcome('delivered', template);
  return 'delivered';
}

/**
 * Returns a signal that aborts shortly after `signal`: a letter in transit gets a moment to arrive, but a hanging
 * server does not delay the stop.
 */
function afterGrace(signal: AbortSignal): AbortSignal {
  const overdue = new AbortController();
  signal.addEventListener('abort', () => void setTimeout(() => overdue.abort(), GRACE_MILLISECONDS).unref(), {
    once: true,
  });
  return overdue.signal;
}

/** Returns the pause before a retry. It doubles each time, up to an hour: the thirty attempts take 23 hours. */
function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), LONGEST_PAUSE_SECONDS) * 1000;
}

/** Deletes rows of sent letters, and unsent letters whose links have all expired. */
export function discardOldMail(database: Database, now: Date): Promise<number> {
  return database.platform({ tenantId: null }, (tx) =>
    tx.count(deleteOlder, { before: new Date(now.getTime() - KEPT_DAYS * DAY_MILLISECONDS) }),
  );
}
