import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { RiskLevel } from '../../risk/model.ts';
import { type Subject, subjectNamedBy } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';

/** Levels that compliance officers have set in place of those of a model, each until a certain time. */
export const riskOverride = table(
  'risk_override',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    assessmentId: uuid(),
    level: code<RiskLevel>(),
    reasonCode: code<components['schemas']['RiskOverrideReason']>(),
    note: text().sealed().erasedTo(''),
    expiresAt: businessTimestamp(),
    createdAt: businessTimestamp(),
    createdBy: actor(),
    endedAt: businessTimestamp().nullable().defaulted().changes('the override expires, or another one replaces it'),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { level: 'low' },
  },
);

const columns = riskOverride.except('tenantId');
export type RiskOverride = RowOf<typeof columns>;

const insert = statement<InsertOf<typeof riskOverride>>('risk.override', (p) => riskOverride.insert(p));

const findCurrent = bySubject((member, kind) =>
  statement<OfSubject, RiskOverride>(
    `risk.currentOverride.${kind}`,
    (p) => sql`
  SELECT ${columns} FROM risk_override WHERE ${riskOverride.equal({
    tenantId: p.tenantId,
    [member]: p.subjectId,
    endedAt: null,
  })}`,
  ),
);

const findLast = statement<{ tenantId: string; assessmentId: string }, RiskOverride>(
  'risk.lastOverride',
  (p) => sql`
  SELECT ${columns} FROM risk_override
    WHERE ${riskOverride.equal({ tenantId: p.tenantId, assessmentId: p.assessmentId })}
    ORDER BY sequence DESC LIMIT 1`,
);

const end = bySubject((member, kind) =>
  statement<OfSubject & { at: BusinessTime }>(
    `risk.endOverride.${kind}`,
    (p) => sql`
  UPDATE risk_override SET ${riskOverride.assign({ endedAt: p.at })}
    WHERE ${riskOverride.equal({ tenantId: p.tenantId, [member]: p.subjectId, endedAt: null })}`,
  ),
);

const findDue = statement<
  {
    tenantId: string;
    environment: Environment;
    at: BusinessTime;
    count: number;
  },
  Pick<RiskOverride, 'applicationId' | 'businessId'>
>(
  'risk.dueOverrides',
  (p) => sql`
  SELECT application_id AS "applicationId", business_id AS "businessId" FROM risk_override
    WHERE ${riskOverride.equal({ tenantId: p.tenantId, environment: p.environment, endedAt: null })}
      AND expires_at <= ${p.at} ORDER BY expires_at, id LIMIT ${p.count}`,
);

export function insertOverride(tx: Transaction, row: Omit<InsertOf<typeof riskOverride>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Finds the override of a subject that has not ended. */
export async function currentOverride(tx: Transaction, subject: Subject): Promise<RiskOverride | null> {
  return (await tx.run(findCurrent(subject), keyOf(tx, subject)))[0] ?? null;
}

/** Finds the last override that was made of an assessment. */
export async function lastOverride(tx: Transaction, assessmentId: string): Promise<RiskOverride | null> {
  return (await tx.run(findLast, { tenantId: tx.tenantId!, assessmentId }))[0] ?? null;
}

/** Ends the override of a subject, if there is one. */
export function endOverride(tx: Transaction, subject: Subject, at: BusinessTime): void {
  void tx.run(end(subject), { ...keyOf(tx, subject), at });
}

/** Lists subjects whose override has expired. */
export async function dueOverrides(
  tx: Transaction,
  environment: Environment,
  at: BusinessTime,
  count: number,
): Promise<Subject[]> {
  const rows = await tx.run(findDue, {
    tenantId: tx.tenantId!,
    environment,
    at,
    count,
  });
  return rows.map(subjectNamedBy);
}
