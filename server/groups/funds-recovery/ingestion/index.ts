/** From the directory to the feed: polling, deriving, deadlines, reconciliation, recovery after an outage. */
export { Alarm } from './alarm.ts';
export { Ingestion, type Participants } from './ingestion.ts';
export { standardLimits, type Limits } from './limits.ts';
export type { Participant } from './participant.ts';
export type { NextDeadline, RecoveryRecord, Role, Snapshot } from './record.ts';
export type { Status } from './status.ts';
export { lockRecordWriters } from './store/records.ts';
