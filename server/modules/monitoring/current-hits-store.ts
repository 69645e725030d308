/**
 * Statements that find the current hits of an applicant and the alerts of the last run. Used by follow-hits.ts, the
 * runs and the rehearsals. A hit and an alert are the same if entity and compared data are equal.
 */
import { type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { screening, screeningHit } from '../screenings/index.ts';
import { alert, type Severity } from '../subscriptions/index.ts';

type OfSubject = { tenantId: string; subjectId: string };

const ofRun = screening.select('id', 'truncated', 'comparable');
type LastRun = RowOf<typeof ofRun> & { readonly sequence: string };

const findRun = statement<OfSubject, LastRun>(
  'monitoring.lastRun',
  (p) => sql`
  SELECT ${ofRun}, sequence FROM screening WHERE ${screening.equal({ tenantId: p.tenantId, subjectId: p.subjectId })}
    AND created_by ->> 'type' = 'system' ORDER BY sequence DESC LIMIT 1`,
);

/** Returns the last screening of an applicant by monitoring, or null if there is none yet. */
export async function lastRun(tx: Transaction, subjectId: string): Promise<LastRun | null> {
  return (await tx.run(findRun, { tenantId: tx.tenantId!, subjectId }))[0] ?? null;
}

const columns = screeningHit.as('h').select('id', 'screeningId', 'listId', 'entityMac', 'entityHash', 'status');

/** Hit that an alert follows. */
export type CurrentHit = RowOf<typeof columns> & {
  readonly scoreBefore: number | null;
  /** Whether monitoring has found the entity. */
  readonly isOfRun: boolean;
  /** Whether an alert about the hit exists, in any state. */
  readonly wasAlert: boolean;
};

/** Equality of a hit and an alert: the same entity, compared by the same data. */
const isSame = sql`a.list_id = h.list_id AND a.entity_mac = h.entity_mac AND a.entity_hash = h.entity_hash`;

const findCurrent = statement<OfSubject & { since: string }, CurrentHit>(
  'monitoring.currentHits',
  (p) => sql`
  SELECT DISTINCT ON (h.list_id, h.entity_mac, h.entity_hash) ${columns},
    (SELECT b.score FROM screening_hit b WHERE b.tenant_id = s.tenant_id AND b.screening_id = s.previous_screening_id
      AND b.list_id = h.list_id AND b.entity_mac = h.entity_mac LIMIT 1) AS "scoreBefore",
    bool_or(s.sequence = ${p.since}::bigint) OVER (PARTITION BY h.list_id, h.entity_mac, h.entity_hash) AS "isOfRun",
    EXISTS (SELECT FROM monitoring_alert a
      WHERE ${alert.as('a').equal({ tenantId: p.tenantId, applicationId: p.subjectId })} AND ${isSame}) AS "wasAlert"
  FROM screening s JOIN screening_hit h ON h.tenant_id = s.tenant_id AND h.screening_id = s.id
  WHERE ${screening.as('s').equal({ tenantId: p.tenantId, subjectId: p.subjectId })}
    AND s.sequence >= ${p.since}::bigint
  ORDER BY h.list_id, h.entity_mac, h.entity_hash, s.sequence DESC`,
);

/** Returns the newest hit of each entity, from the last run of monitoring and from later screenings. */
export function currentHits(tx: Transaction, subjectId: string, since: string): Promise<CurrentHit[]> {
  return tx.run(findCurrent, { tenantId: tx.tenantId!, subjectId, since });
}

/** Alert of a run, with its hit, or null for an alert about the name of the applicant. */
export interface AlertOfRun {
  readonly id: string;
  readonly severity: Severity;
  readonly hitId: string | null;
  /** Whether the run has raised the alert, and not found it again or reopened it. */
  readonly isNew: boolean;
}

const findOfRun = statement<{ tenantId: string; applicationId: string; screeningId: string }, AlertOfRun>(
  'monitoring.alertsOfRun',
  (p) => sql`
  SELECT ${alert.select('id', 'severity', 'hitId')}, occurrences = 1 AS "isNew" FROM monitoring_alert
    WHERE ${alert.equal({ tenantId: p.tenantId, applicationId: p.applicationId, screeningId: p.screeningId })}`,
);

/** Returns the alerts that the last screening of an applicant has raised, reopened or found again. */
export function alertsOfRun(tx: Transaction, applicationId: string, screeningId: string): Promise<AlertOfRun[]> {
  return tx.run(findOfRun, { tenantId: tx.tenantId!, applicationId, screeningId });
}
