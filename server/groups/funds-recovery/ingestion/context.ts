import type { Database } from '../../../database/index.ts';
import type { Alarm } from './alarm.ts';
import type { Limits } from './limits.ts';
import type { Participant } from './participant.ts';

/** What every step of the ingestion works with. */
export interface Ingesting {
  readonly database: Database;
  readonly limits: Limits;
  readonly alarm: Alarm;
  /** Business time: a tenant's sandbox can be ahead. */
  readonly timeOf: (participant: Participant) => Promise<Date>;
  readonly signal: AbortSignal;
}
