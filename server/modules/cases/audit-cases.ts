import { appendAudit } from '../../audit/chain.ts';
import type { RealTime } from '../../base/time.ts';
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { Transaction } from '../../database/index.ts';
import { namedSubject } from '../../rules/subject.ts';
import { CASES, type Joined } from './open-case.ts';
import type { CaseRecord } from './store.ts';

/** Actions of the audit log about cases. */
export type CaseAction = Extract<AuditAction, `case.${string}`>;

/** Writer of audit events about cases with these actions, and possibly others. */
export type CaseAudit<E extends CaseAction> = (
  action: E,
  resource: { readonly type: 'case'; readonly id: string },
  changes?: object,
) => void;

export function aboutCase({ id }: { readonly id: string }): { readonly type: 'case'; readonly id: string } {
  return { type: 'case', id };
}

/** Audits that a finding has opened or joined a case. */
export function auditJoined(
  audit: CaseAudit<'case.opened' | 'case.joined' | 'case.woken'>,
  { record, outcome, isWoken }: Joined,
): void {
  const { number, type, queue, openedReason, links } = record;
  const subject = namedSubject(record);
  if (outcome === 'opened')
    audit('case.opened', aboutCase(record), {
      ...subject,
      number,
      type,
      queue,
      openedReason,
    });
  if (outcome === 'joined') audit('case.joined', aboutCase(record), { ...subject, link: links.at(-1) });
  if (isWoken) audit('case.woken', aboutCase(record), { status: record.status });
}

/** Returns a writer of audit events by the service itself, for listeners, tasks and periodic work. */
export function auditBySystem(
  tx: Transaction,
  { environment }: Pick<CaseRecord, 'environment'>,
  now: RealTime,
): CaseAudit<CaseAction> {
  return (action, resource, changes = {}) =>
    appendAudit(tx, {
      occurredAt: now.toISOString(),
      environment,
      actor: { ...CASES, impersonatorId: null },
      action,
      resource,
      outcome: 'success',
      changes: Object.entries(changes).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    });
}
