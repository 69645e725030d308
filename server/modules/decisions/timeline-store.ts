/**
 * The timeline of a subject, read from the audit log by the actions that the tables declare. Used, through the index,
 * by timelines and evidence packs of applications and businesses. Entries contain no network addresses and no values of
 * personal data.
 */
import { type Uuid, uuidIn } from '../../base/uuid.ts';
import { auditEvent, type AuditRow, wholeEvent } from '../../audit/store.ts';
import type { components } from '../../contract/generated/types.ts';
import { every, fromTables, joined, knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';

/**
 * Highest number of records of each kind, the newest, whose events a timeline shows. Only a program in a loop creates
 * more, such as one that adds documents to a draft and deletes them again.
 */
const REMEMBERED = 1000;

/**
 * Actions that change a subject, as the tables declare them, each with the status that the subject has afterwards.
 * Reads and refusals appear only in the audit log.
 */
const steps = fromTables(
  (all): Readonly<Record<string, string | null>> =>
    Object.assign({}, ...all.map(({ duties: { timeline = {} } }) => timeline)),
);

/** Finds the ids of the records that belong to a subject or belonged to it. The ids are in the order of time. */
const findRecords = fromTables((all) =>
  bySubject((member, kind) =>
    statement<OfSubject, { id: string }>(`timeline.findRecords.${kind}`, (p) =>
      joined(
        all
          .filter(({ columns, duties: { timeline } }) => timeline !== undefined && member in columns)
          .map(
            (table) => sql`(
    SELECT id FROM ${knex.raw(table.name)}
      WHERE ${table.equal({ tenantId: p.tenantId, [member]: p.subjectId })} ORDER BY id DESC LIMIT ${REMEMBERED})`,
          ),
        ' UNION ALL ',
      ),
    ),
  ),
);

/**
 * Returns the ids of the subject and of the records that belong to it or belonged to it: each event about the subject
 * in the audit log has one of these ids as its resource.
 */
export async function recordsOf(tx: Transaction, subject: Subject): Promise<string[]> {
  return [subject.id, ...(await tx.run(findRecords()(subject), keyOf(tx, subject))).map(({ id }) => id)];
}

/** Returns the actions that a timeline shows. */
export function timelineActions(): readonly string[] {
  return Object.keys(steps());
}

interface Wanted {
  /** Ids of the subject and of the records that belong to it or belonged to it. */
  readonly about: readonly string[];
  /** Sequence of the last entry of the previous page. */
  readonly after: number | null;
  readonly count: number;
}

/** Lists the events of the subject and of its records, newest first. */
export function listTimeline(tx: Transaction, { about, after, count }: Wanted): Promise<AuditRow[]> {
  const conditions = every([
    auditEvent.equal({ tenantId: tx.tenantId! }),
    sql`resource_id = ANY (${about}) AND action = ANY (${timelineActions()}) AND outcome = 'success'`,
    after !== null && sql`sequence < ${after}`,
  ]);
  return tx.query<AuditRow>(
    sql`SELECT ${wholeEvent} FROM audit_event WHERE ${conditions} ORDER BY sequence DESC LIMIT ${count}`,
  );
}

/** Returns a text among the changes of an event, or null. */
export function textAt({ changes }: Pick<AuditRow, 'changes'>, member: string): string | null {
  const value = changes.find(({ path }) => path === `/${member}`)?.value;
  return typeof value === 'string' ? value : null;
}

/** Returns the id of the resource of an event if it is of the type, or null. */
export function idOfType({ resourceType, resourceId }: AuditRow, type: string): Uuid | null {
  return resourceType === type && resourceId !== null ? uuidIn(resourceId) : null;
}

/** Members of an entry that the timelines of all subjects have in common. */
type Entry = Omit<components['schemas']['ApplicationEvent'], 'consentId' | 'consentPurpose'>;

/**
 * Presents an event to readers of the subject: who did what and when, and which members changed, without network
 * addresses and without values of personal data.
 */
export function timelineEntry(event: AuditRow): Entry {
  const { id, occurredAt, action, actor, resourceType, changes } = event;
  const isDecision = resourceType === 'decision';
  const ofDecision = isDecision ? (textAt(event, 'applicationStatus') ?? textAt(event, 'businessStatus')) : null;
  return {
    id,
    occurredAt,
    type: action,
    actor: { type: actor.type, id: actor.id ?? actor.type, display: actor.display },
    status: steps()[action] ?? (action === 'application.created' ? textAt(event, 'status') : ofDecision),
    documentId: idOfType(event, 'document'),
    documentType: resourceType === 'document' ? textAt(event, 'type') : null,
    decisionId: idOfType(event, 'decision'),
    decisionOutcome: isDecision ? textAt(event, 'outcome') : null,
    informationRequestId: idOfType(event, 'information_request'),
    requirementKey:
      resourceType === 'waiver' || resourceType === 'attestation' ? textAt(event, 'requirementKey') : null,
    members: UPDATES.includes(action) ? changes.map(({ path }) => path).slice(0, 100) : [],
  };
}

const UPDATES = ['application.updated', 'business.updated', 'power.updated'];
