/** From the directory to the feed: polling, deriving, deadlines, reconciliation, recovery after an outage. */
export { Alarm } from './alarm.ts';
export { apply as takeInObservations } from './apply.ts';
export { Ingestion } from './ingestion.ts';
export { standardLimits, type Limits } from './limits.ts';
export type { Observation } from './observation.ts';
export type { Participant } from './participant.ts';
export { ConfiguredParticipants, type Participants, type SandboxDirectory } from './participants.ts';
export type { NextDeadline, RecoveryRecord, Role, Snapshot } from './record.ts';
export type { Status } from './status.ts';
export { lockRecordWriters } from './store/records.ts';
