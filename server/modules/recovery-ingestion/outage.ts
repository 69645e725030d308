import type { Database } from '../../database/index.ts';
import { DirectoryError } from '../../providers/directory/index.ts';
import type { AlarmKind, IngestionAlarm } from './context.ts';
import { type Participant, participantName } from './participants.ts';
import { findLastOk } from './store.ts';

const second = 1000;
const firstWait = 60 * second;
const longestWait = 600 * second;
const unavailableWait = 30 * second;

/** How long a participant leaves the directory alone after it was told to. */
export class Backoff {
  #until = 0;
  #refusals = 0;

  isOver(now: Date): boolean {
    return now.getTime() >= this.#until;
  }

  succeeded(): void {
    this.#refusals = 0;
  }

  /** As long as the directory says; without a word of it a minute, and twice as long each time, up to ten. */
  failed(error: unknown, now: Date): void {
    if (!(error instanceof DirectoryError)) return;
    const told = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * second;
    if (error.kind === 'ServiceUnavailable') this.#until = now.getTime() + (told ?? unavailableWait);
    if (error.kind === 'RateLimited') {
      this.#until = now.getTime() + (told ?? Math.min(longestWait, firstWait * 2 ** this.#refusals));
      this.#refusals += 1;
    }
  }
}

const day = 24 * 60 * 60_000;
const stalenessStages: readonly { readonly after: number; readonly kind: AlarmKind }[] = [
  { after: 5 * day, kind: 'silent_for_five_days' }, { after: day, kind: 'silent_for_a_day' },
];

/** Says it once when a participant has got no good page for a day, and again after five: after seven its notifications are lost. */
export class StalenessWatch {
  readonly #told = new Map<string, AlarmKind>();

  reset(participant: Participant): void {
    this.#told.delete(participantName(participant));
  }

  async check(participant: Participant, { database, alarm, at }: { readonly database: Database; readonly alarm: IngestionAlarm; readonly at: Date }): Promise<void> {
    const { tenantId, env, ispb } = participant;
    const [stream] = await database.transaction({ tenantId, readOnly: true }, (tx) => tx.run(findLastOk, { tenantId, env, ispb }));
    // A process that has seen no page since it began tells of the last one, too.
    alarm.lastPage(participant, stream?.last_ok_at == null ? null : new Date(stream.last_ok_at));
    if (stream?.last_ok_at == null) return;
    const silent = at.getTime() - Date.parse(stream.last_ok_at);
    const kind = stalenessStages.find(({ after }) => silent >= after)?.kind;
    if (kind === undefined || this.#told.get(participantName(participant)) === kind) return;
    this.#told.set(participantName(participant), kind);
    alarm.raise(kind, participant, { since: stream.last_ok_at });
  }
}
