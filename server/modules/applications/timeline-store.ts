import { auditEvent, type AuditRow, wholeEvent } from '../../audit/store.ts';
import type { components } from '../../contract/generated/types.ts';
import { every, fromTables, joined, knex, sql, statement, type Transaction } from '../../database/index.ts';

type Entry = components['schemas']['ApplicationEvent'];

type OfApplication = { tenantId: string; applicationId: string };

/** So many of each kind, the newest: nobody has more but a program that goes round in circles, as one that deletes documents from a draft. */
const REMEMBERED = 1000;

/** What changed something of an application, and the status that it has then, as the tables declare it. Reads and refusals are for the audit log alone. */
const steps = fromTables((all): Readonly<Record<string, string | null>> => Object.assign({}, ...all.map(({ duties: { timeline = {} } }) => timeline)));

/** The ids of what belongs to an application, or did; they are in the order of time. */
const findRecords = fromTables((all) => statement<OfApplication, { id: string }>('application.findRecords', (p) => joined(
  all.filter(({ columns, duties: { timeline } }) => timeline !== undefined && 'applicationId' in columns).map((table) => sql`(
    SELECT id FROM ${knex.raw(table.name)} WHERE ${table.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY id DESC LIMIT ${REMEMBERED})`), ' UNION ALL ')));

/** The ids of the application and of everything that belongs to it, or did: what the audit log tells of it is about one of them. */
export async function recordsOf(tx: Transaction, key: OfApplication): Promise<string[]> {
  return [key.applicationId, ...(await tx.run(findRecords(), key)).map(({ id }) => id)];
}

/** The actions that changed something of an application, which its timeline tells. */
export function timelineActions(): readonly string[] {
  return Object.keys(steps());
}

interface Wanted {
  readonly tenantId: string;
  /** The ids of the application and of what belongs to it, or did. */
  readonly about: readonly string[];
  /** The sequence of the last entry of the page before. */
  readonly after: number | null;
  readonly limit: number;
}

/** The events of the application and of what belongs to it, newest first, one more than the page. */
export function listTimeline(tx: Transaction, { tenantId, about, after, limit }: Wanted): Promise<AuditRow[]> {
  const conditions = every([
    auditEvent.equal({ tenantId }),
    sql`resource_id = ANY (${about}) AND action = ANY (${timelineActions()}) AND outcome = 'success'`,
    after !== null && sql`sequence < ${after}`,
  ]);
  return tx.query<AuditRow>(sql`SELECT ${wholeEvent} FROM audit_event WHERE ${conditions} ORDER BY sequence DESC LIMIT ${limit + 1}`);
}

/** An event as everybody may see it who reads the application: who did what when, and which members changed, without addresses and values. */
export function entryOf({ id, occurredAt, action, actor, resourceType, resourceId, changes }: AuditRow): Entry {
  const told = (member: string): string | null => {
    const value = changes.find(({ path }) => path === `/${member}`)?.value;
    return typeof value === 'string' ? value : null;
  };
  const [isDocument, isConsent, isDecision] = [resourceType === 'document', resourceType === 'consent', resourceType === 'decision'];
  return {
    id, occurredAt, type: action,
    actor: { type: actor.type, id: actor.id ?? actor.type, display: actor.display },
    status: steps()[action] ?? (action === 'application.created' ? told('status') : isDecision ? told('applicationStatus') : null),
    documentId: isDocument ? resourceId : null, documentType: isDocument ? told('type') : null,
    consentId: isConsent ? resourceId : null, consentPurpose: isConsent ? told('purpose') : null,
    decisionId: isDecision ? resourceId : null, decisionOutcome: isDecision ? told('outcome') : null,
    informationRequestId: resourceType === 'information_request' ? resourceId : null,
    requirementKey: resourceType === 'waiver' || resourceType === 'attestation' ? told('requirementKey') : null,
    members: action === 'application.updated' ? changes.map(({ path }) => path).slice(0, 100) : [],
  };
}
