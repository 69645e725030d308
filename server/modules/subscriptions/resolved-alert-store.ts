/**
 * Statements that resolve alerts without a person. Used by this module and, through the index, by applications,
 * businesses and monitoring. An alert that is resolved although its cause remains is forgotten.
 */
import { sql, statement, type Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';
import { alert, type AlertKind } from './alert-store.ts';

type OfApplication = { tenantId: string; applicationId: string };

const resolveFound = statement<
  OfApplication & { open: readonly Buffer[]; decided: readonly Buffer[]; mayBeUnseen: boolean }
>(
  'alert.resolveFound',
  (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({ status: 'resolved' })}
  WHERE ${alert.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}
    AND kind IN ('sanctions', 'pep', 'not_comparable') AND dedupe_key <> ALL (${p.open}::bytea[])
    AND (dedupe_key = ANY (${p.decided}::bytea[]) AND status IN ('open', 'acknowledged', 'escalated')
      OR NOT ${p.mayBeUnseen}::boolean AND status IN ('open', 'acknowledged'))`,
);

/** Alerts about a hit outlive the relationship; warnings and changes of a business do not. */
const resolveOfEnded = bySubject((member, kind) =>
  statement<{ tenantId: string; ids: readonly string[] }>(
    `alert.resolveEnded.${kind}`,
    (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({ status: 'resolved' })}
  WHERE ${alert.equal({ tenantId: p.tenantId })} AND ${alert.column(member)} = ANY (${p.ids}::uuid[])
    AND kind NOT IN ('sanctions', 'pep', 'not_comparable') AND status IN ('open', 'acknowledged', 'escalated')`,
  ),
);

const resolveAll = bySubject((member, kind) =>
  statement<OfSubject>(
    `alert.resolveAll.${kind}`,
    (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({ status: 'resolved' })}
  WHERE ${alert.equal({ tenantId: p.tenantId, [member]: p.subjectId })}
    AND status IN ('open', 'acknowledged', 'escalated')`,
  ),
);

const resolveOthers = statement<{
  tenantId: string;
  businessId: string;
  kind: AlertKind;
  keys: readonly Buffer[];
}>(
  'alert.resolveOthers',
  (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({ status: 'resolved' })}
  WHERE ${alert.equal({ tenantId: p.tenantId, businessId: p.businessId, kind: p.kind })}
    AND dedupe_key <> ALL (${p.keys}::bytea[]) AND status IN ('open', 'acknowledged')`,
);

/**
 * Resolves the alerts of decided hits, and those of hits that are no longer found unless they are escalated. If a
 * screening does not show all hits, hits that it does not show stay unresolved.
 */
export function resolveAlerts(
  tx: Transaction,
  applicationId: string,
  hits: { readonly open: readonly Buffer[]; readonly decided: readonly Buffer[]; readonly mayBeUnseen: boolean },
): void {
  void tx.run(resolveFound, { ...hits, tenantId: tx.tenantId!, applicationId });
}

/** Resolves the alerts of subjects of one kind whose cause has ended, because they are no longer monitored. */
export function resolveEnded(tx: Transaction, subjects: readonly Subject[]): void {
  void tx.run(resolveOfEnded(subjects[0]!), { tenantId: tx.tenantId!, ids: subjects.map(({ id }) => id) });
}

/** Resolves all alerts of an erased subject, because nothing is left to examine. */
export function closeAlerts(tx: Transaction, subject: Subject): void {
  void tx.run(resolveAll(subject), keyOf(tx, subject));
}

/** Resolves the alerts of one kind about a business except those with the given keys, unless they are escalated. */
export function resolveAllBut(tx: Transaction, businessId: string, kind: AlertKind, keys: readonly Buffer[]): void {
  void tx.run(resolveOthers, {
    tenantId: tx.tenantId!,
    businessId,
    kind,
    keys,
  });
}
