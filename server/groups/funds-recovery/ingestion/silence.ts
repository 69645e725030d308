import { knex, statement, type Database } from '../../../database/index.ts';
import type { Alarm, AlarmKind } from './alarm.ts';
import { nameOf, type Participant } from './participant.ts';

const day = 24 * 60 * 60_000;
const stages: readonly { readonly after: number; readonly kind: AlarmKind }[] = [
  { after: 5 * day, kind: 'silent_for_five_days' }, { after: day, kind: 'silent_for_a_day' },
];

const findLastOk = statement<{ tenantId: string; env: string; ispb: string }, { last_ok_at: string | null }>('stream.lastOk', (p) =>
  knex('dict_stream').select('last_ok_at').where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }));

/** Says it once when a participant has got no good page for a day, and again after five: after seven its notifications are lost. */
export class Silence {
  readonly #told = new Map<string, AlarmKind>();

  broken(participant: Participant): void {
    this.#told.delete(nameOf(participant));
  }

  async lasts(participant: Participant, { database, alarm, at }: { readonly database: Database; readonly alarm: Alarm; readonly at: Date }): Promise<void> {
    const { tenantId, env, ispb } = participant;
    const [stream] = await database.transaction({ tenantId, readOnly: true }, (tx) => tx.run(findLastOk, { tenantId, env, ispb }));
    // A process that has seen no page since it began tells of the last one, too.
    alarm.lastPage(participant, stream?.last_ok_at == null ? null : new Date(stream.last_ok_at));
    if (stream?.last_ok_at == null) return;
    const silent = at.getTime() - Date.parse(stream.last_ok_at);
    const kind = stages.find(({ after }) => silent >= after)?.kind;
    if (kind === undefined || this.#told.get(nameOf(participant)) === kind) return;
    this.#told.set(nameOf(participant), kind);
    alarm.raise(kind, participant, { since: stream.last_ok_at });
  }
}
