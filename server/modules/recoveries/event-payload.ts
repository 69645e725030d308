/**
 * Builds the payload of an event from the directory's documents. Used by derive.ts. Every leaf of a document is passed
 * on as it was received, because consumers use it as evidence.
 */
import type { Document, DocumentValue } from '../../providers/directory/index.ts';
import { answerKeys } from './facts.ts';
import type { Observation } from './observation.ts';
import {
  type Deadline,
  deadlineSource,
  type DeadlineStage,
  type Fact,
  isoTime,
  type Role,
  type Status,
} from './recovery.ts';

const apiVersion = '2.12.1';

interface RecordContext {
  readonly role: Role;
  /** Position of the event among the events of its record. */
  readonly revision: number;
}

/**
 * Builds the payload of an event: the directory's documents that led to the event, with every leaf as it was received,
 * and how this service learned of it.
 */
export function rawPayload(
  { origin, documents, noticeHours }: Fact,
  { page, read }: Observation,
  record: RecordContext,
  deadline: Deadline | null,
): { readonly [member: string]: DocumentValue | object } {
  const provenance = origin === 'NATIVE' ? (page ?? read) : read;
  return {
    ...definedMembers(documents),
    ...(deadline !== null && {
      Deadline: {
        Stage: deadline.stage,
        SetBy: deadlineSource(deadline.stage),
        DueAt: isoTime(deadline.due),
        EntityId: deadline.entityId,
        ...(noticeHours !== undefined && { NoticeHours: String(noticeHours) }),
      },
    }),
    '@meta': {
      ...provenance,
      origin,
      apiVersion,
      record,
    },
  };
}

function definedMembers(documents: Document): { readonly [member: string]: DocumentValue } {
  return Object.fromEntries(
    Object.entries(documents).filter((entry): entry is [string, DocumentValue] => entry[1] !== undefined),
  );
}

/** Stage of the wait that begins when a recovery reaches a status. */
const waitAfter: Partial<Record<Status, DeadlineStage>> = {
  AWAITING_ANALYSIS: 'ANALYSIS',
  ANALYSED: 'REFUND_START',
};

/**
 * Returns the deadline that an event carries. An event that begins a wait carries the deadline of that wait. An answer
 * carries the deadline that it met if that deadline was published as missed before, so that the event corrects what the
 * lists of the directory showed too late.
 */
export function announcedDeadline(
  { reaches, deadline, key }: Fact,
  ahead: readonly Deadline[],
  wronglyMissed: readonly Deadline[],
): Deadline | null {
  if (deadline !== undefined) return deadline;
  const corrected = wronglyMissed.find(({ entityId }) => answerKeys(entityId).includes(key));
  if (corrected !== undefined) return corrected;
  const stage = reaches === null ? undefined : waitAfter[reaches];
  return ahead.find((candidate) => candidate.stage === stage) ?? null;
}
