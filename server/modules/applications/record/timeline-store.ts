/**
 * The timeline of an application, read from the audit log by the actions that the tables declare. Used by the handler
 * of the timeline and by the evidence pack. Entries contain no network addresses and no values of personal data.
 */
import { type Uuid, uuidIn } from '../../../base/uuid.ts';
import { auditEvent, type AuditRow, wholeEvent } from '../../../audit/store.ts';
import type { components } from '../../../contract/generated/types.ts';
import { every, fromTables, joined, knex, sql, statement, type Transaction } from '../../../database/index.ts';

type Entry = components['schemas']['ApplicationEvent'];

type OfApplication = { tenantId: string; applicationId: string };

/**
 * Highest number of records of each kind, the newest, whose events a timeline shows. Only a program in a loop creates
 * more, such as one that adds documents to a draft and deletes them again.
 */
const REMEMBERED = 1000;

/**
 * Actions that change an application, as the tables declare them, each with the status that the application has
 * afterwards. Reads and refusals appear only in the audit log.
 */
const steps = fromTables(
  (all): Readonly<Record<string, string | null>> =>
    Object.assign({}, ...all.map(({ duties: { timeline = {} } }) => timeline)),
);

/** Finds the ids of the records that belong to an application or belonged to it. The ids are in the order of time. */
const findRecords = fromTables((all) =>
  statement<OfApplication, { id: string }>('application.findRecords', (p) =>
    joined(
      all
        .filter(({ columns, duties: { timeline } }) => timeline !== undefined && 'applicationId' in columns)
        .map(
          (table) => sql`(
    SELECT id FROM ${knex.raw(table.name)}
      WHERE ${table.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY id DESC
      LIMIT ${REMEMBERED})`,
        ),
      ' UNION ALL ',
    ),
  ),
);

/**
 * Returns the ids of the application and of the records that belong to it or belonged to it: each event about the
 * application in the audit log has one of these ids as its resource.
 */
export async function recordsOf(tx: Transaction, key: OfApplication): Promise<string[]> {
  return [key.applicationId, ...(await tx.run(findRecords(), key)).map(({ id }) => id)];
}

/** Returns the actions that a timeline shows. */
export function timelineActions(): readonly string[] {
  return Object.keys(steps());
}

interface Wanted {
  readonly tenantId: string;
  /** Ids of the application and of the records that belong to it or belonged to it. */
  readonly about: readonly string[];
  /** Sequence of the last entry of the previous page. */
  readonly after: number | null;
  readonly limit: number;
}

/** Lists the events of the application and of its records, newest first, with one event more than the page holds. */
export function listTimeline(tx: Transaction, { tenantId, about, after, limit }: Wanted): Promise<AuditRow[]> {
  const conditions = every([
    auditEvent.equal({ tenantId }),
    sql`resource_id = ANY (${about}) AND action = ANY (${timelineActions()}) AND outcome = 'success'`,
    after !== null && sql`sequence < ${after}`,
  ]);
  return tx.query<AuditRow>(
    sql`SELECT ${wholeEvent} FROM audit_event WHERE ${conditions} ORDER BY sequence DESC LIMIT ${limit + 1}`,
  );
}

/**
 * Presents an event to readers of the application: who did what and when, and which members changed, without network
 * addresses and without values of personal data.
 */
export function entryOf({ id, occurredAt, action, actor, resourceType, resourceId, changes }: AuditRow): Entry {
  const textAt = (member: string): string | null => {
    const value = changes.find(({ path }) => path === `/${member}`)?.value;
    return typeof value === 'string' ? value : null;
  };
  const statusMember = (): string | null => {
    if (action === 'application.created') return textAt('status');
    return isDecision ? textAt('applicationStatus') : null;
  };
  const [isDocument, isConsent, isDecision] = [
    resourceType === 'document',
    resourceType === 'consent',
    resourceType === 'decision',
  ];
  const idIf = (isOfType: boolean): Uuid | null => (isOfType && resourceId !== null ? uuidIn(resourceId) : null);
  return {
    id,
    occurredAt,
    type: action,
    actor: { type: actor.type, id: actor.id ?? actor.type, display: actor.display },
    status: steps()[action] ?? statusMember(),
    documentId: idIf(isDocument),
    documentType: isDocument ? textAt('type') : null,
    consentId: idIf(isConsent),
    consentPurpose: isConsent ? textAt('purpose') : null,
    decisionId: idIf(isDecision),
    decisionOutcome: isDecision ? textAt('outcome') : null,
    informationRequestId: idIf(resourceType === 'information_request'),
    requirementKey: resourceType === 'waiver' || resourceType === 'attestation' ? textAt('requirementKey') : null,
    members: action === 'application.updated' ? changes.map(({ path }) => path).slice(0, 100) : [],
  };
}
