import type { BusinessTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';
import { WORKS_ON_CASES } from './people-store.ts';
import { type CaseRecord, reviewCase } from './store.ts';

/** Batch size. */
export const CASES_AT_ONCE = 100;

type Scope = { tenantId: string; environment: Environment; at: BusinessTime };
const columns = reviewCase.as('c').except('tenantId');

/** Locks unresolved cases that meet a condition. Skips those that are being changed; the next round finds them. */
const lockDue = (name: string, condition: (p: { readonly at: Parameter<BusinessTime> }) => Fragment) =>
  statement<Scope, CaseRecord>(
    name,
    (p) => sql`
  SELECT ${columns} FROM review_case c WHERE ${reviewCase.as('c').equal({
    tenantId: p.tenantId,
    environment: p.environment,
  })} AND c.status <> 'resolved' AND ${condition(p)}
  ORDER BY c.id LIMIT ${CASES_AT_ONCE} FOR UPDATE OF c SKIP LOCKED`,
  );

const wakers = lockDue('case.lockWaking', (p) => sql`c.status = 'on_hold' AND c.snoozed_until <= ${p.at}`);

const late = lockDue('case.lockLate', (p) => sql`NOT c.sla_breached AND c.due_at <= ${p.at}`);

/** Cases whose assignee left, was deactivated, or has a role that does not work on cases any more. */
const abandoned = lockDue(
  'case.lockAbandoned',
  () => sql`c.assignee_id IS NOT NULL AND NOT EXISTS (SELECT FROM membership m
    WHERE m.tenant_id = c.tenant_id AND m.user_id = c.assignee_id AND ${WORKS_ON_CASES})`,
);

/** Cases whose clock is stopped although their subject is not asked for information any more. */
const answered = lockDue(
  'case.lockAnswered',
  () => sql`c.clock_stopped_at IS NOT NULL AND NOT EXISTS (SELECT FROM application a
    WHERE a.tenant_id = c.tenant_id AND a.id = c.application_id AND a.status = 'needs_information')
    AND NOT EXISTS (SELECT FROM business b
    WHERE b.tenant_id = c.tenant_id AND b.id = c.business_id AND b.status = 'needs_information')`,
);

const ofSubject = bySubject((member, kind) =>
  statement<OfSubject, CaseRecord>(
    `case.lockOf.${kind}`,
    (p) => sql`
  SELECT ${columns} FROM review_case c
    WHERE ${reviewCase.as('c').equal({ tenantId: p.tenantId, [member]: p.subjectId })}
    AND c.status <> 'resolved' ORDER BY c.id FOR UPDATE OF c`,
  ),
);

/** Locks the cases of which something is due, by what is due. */
export async function lockDueCases(
  tx: Transaction,
  environment: Environment,
  at: BusinessTime,
): Promise<Readonly<Record<'wakers' | 'late' | 'abandoned' | 'answered', CaseRecord[]>>> {
  const scope = { tenantId: tx.tenantId!, environment, at };
  return {
    wakers: await tx.run(wakers, scope),
    late: await tx.run(late, scope),
    abandoned: await tx.run(abandoned, scope),
    answered: await tx.run(answered, scope),
  };
}

/** Locks the unresolved cases about a subject. */
export function lockCasesOf(tx: Transaction, subject: Subject): Promise<CaseRecord[]> {
  return tx.run(ofSubject(subject), keyOf(tx, subject));
}
