import { auditEvent, type AuditRow, wholeEvent } from '../../audit/store.ts';
import type { components } from '../../contract/generated/types.ts';
import { every, sql, type Transaction } from '../../database/index.ts';

type Entry = components['schemas']['ApplicationEvent'];

/** What changes an application. Reads and refusals are for the audit log alone, and a change of status is told by the step that caused it. */
const STEPS: Readonly<Record<string, string | null>> = {
  'application.created': null, 'application.updated': null, 'application.submitted': 'in_review', 'application.withdrawn': 'withdrawn',
  'application.expired': 'expired', 'document.uploaded': null, 'document.deleted': null, 'document.rejected': null, 'document.file_erased': null, 'consent.granted': null, 'consent.withdrawn': null,
  'application.reopened': 'in_review', 'decision.proposed': null, 'decision.auto_approved': null, 'decision.confirmed': null, 'decision.returned': 'in_review', 'decision.invalidated': null,
  'information_request.created': 'needs_information', 'information_request.answered': null, 'information_request.overdue': null, 'application.relationship_ended': null,
  'requirement.waived': null, 'requirement.waiver_revoked': null, 'requirement.attested': null,
};

/** The actions that changed something of an application, which its timeline tells. */
export const CHANGES: readonly string[] = Object.keys(STEPS);

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
    sql`resource_id = ANY (${about}) AND action = ANY (${CHANGES}) AND outcome = 'success'`,
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
    status: STEPS[action] ?? (action === 'application.created' ? told('status') : isDecision ? told('applicationStatus') : null),
    documentId: isDocument ? resourceId : null, documentType: isDocument ? told('type') : null,
    consentId: isConsent ? resourceId : null, consentPurpose: isConsent ? told('purpose') : null,
    decisionId: isDecision ? resourceId : null, decisionOutcome: isDecision ? told('outcome') : null,
    informationRequestId: resourceType === 'information_request' ? resourceId : null,
    requirementKey: resourceType === 'waiver' || resourceType === 'attestation' ? told('requirementKey') : null,
    members: action === 'application.updated' ? changes.map(({ path }) => path).slice(0, 100) : [],
  };
}
