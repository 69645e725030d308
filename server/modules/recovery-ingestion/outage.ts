/**
 * How long a participant makes no calls after a refusal, and the alarm about a directory that stays silent. Used by
 * ingestion.ts. Notifications that are not read within seven days are lost, so the alarm must come earlier.
 */
import { DAY_MILLISECONDS, MINUTE_MILLISECONDS, type RealTime, SECOND_MILLISECONDS } from '../../base/time.ts';
import type { Database } from '../../database/index.ts';
import { DirectoryError } from '../../providers/directory/index.ts';
import type { AlarmKind, IngestionAlarm } from './context.ts';
import { type Participant, participantName } from './participants.ts';
import { findLastOk } from './store.ts';

const firstWait = MINUTE_MILLISECONDS;
const longestWait = 10 * MINUTE_MILLISECONDS;
const unavailableWait = 30 * SECOND_MILLISECONDS;

/**
 * Tracks how long a participant makes no calls after the directory has refused one (RFC 9110, section 10.2.3,
 * Retry-After).
 */
export class Backoff {
  #until = 0;
  #refusals = 0;

  isOver(now: RealTime): boolean {
    return now.getTime() >= this.#until;
  }

  succeeded(): void {
    this.#refusals = 0;
  }

  /**
   * Waits as long as the directory says. Without a Retry-After after a rate limit, the first wait is a minute and each
   * further one is twice as long, up to ten minutes.
   */
  failed(error: unknown, now: RealTime): void {
    if (!(error instanceof DirectoryError)) return;
    const retryAfter = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * SECOND_MILLISECONDS;
    if (error.kind === 'ServiceUnavailable') this.#until = now.getTime() + (retryAfter ?? unavailableWait);
    if (error.kind === 'RateLimited') {
      this.#until = now.getTime() + (retryAfter ?? Math.min(longestWait, firstWait * 2 ** this.#refusals));
      this.#refusals += 1;
    }
  }
}

const stalenessStages: readonly { readonly after: number; readonly kind: AlarmKind }[] = [
  { after: 5 * DAY_MILLISECONDS, kind: 'silent_for_five_days' },
  { after: DAY_MILLISECONDS, kind: 'silent_for_a_day' },
];

/**
 * Raises an alarm once if a participant has received no valid page for a day, and again after five days. The directory
 * stores notifications for seven days; after that they are lost.
 */
export class StalenessWatch {
  readonly #raised = new Map<string, AlarmKind>();

  reset(participant: Participant): void {
    this.#raised.delete(participantName(participant));
  }

  async check(
    participant: Participant,
    { database, alarm, at }: { readonly database: Database; readonly alarm: IngestionAlarm; readonly at: Date },
  ): Promise<void> {
    const { tenantId, environment, ispb } = participant;
    const [stream] = await database.transaction({ tenantId, readOnly: true }, (tx) =>
      tx.run(findLastOk, { tenantId, environment, ispb }),
    );
    // A process that has received no page since its start reports the last page of its predecessors.
    alarm.lastPage(participant, stream?.lastOkAt == null ? null : new Date(stream.lastOkAt));
    if (stream?.lastOkAt == null) return;
    const silent = at.getTime() - Date.parse(stream.lastOkAt);
    const kind = stalenessStages.find(({ after }) => silent >= after)?.kind;
    if (kind === undefined || this.#raised.get(participantName(participant)) === kind) return;
    this.#raised.set(participantName(participant), kind);
    alarm.raise(kind, participant, { since: stream.lastOkAt });
  }
}
