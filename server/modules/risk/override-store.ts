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

/** Levels that compliance officers have set in place of those of a model, each until a certain time. */
export const riskOverride = table(
  'risk_override',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid(),
    assessmentId: uuid(),
    level: code<RiskLevel>(),
    reasonCode: code<components['schemas']['RiskOverrideReason']>(),
    note: text().sealed().erasedTo(''),
    expiresAt: businessTimestamp(),
    createdAt: businessTimestamp(),
    createdBy: actor(),
    endedAt: businessTimestamp().nullable().defaulted().changes('the override expires, or another one replaces it'),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the application is erased'),
  },
  {
    owner: 'application',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { level: 'low' },
  },
);

const columns = riskOverride.except('tenantId');
export type RiskOverride = RowOf<typeof columns>;

type OfApplication = { tenantId: string; applicationId: string };

const insert = statement<InsertOf<typeof riskOverride>>('risk.override', (p) => riskOverride.insert(p));

const findCurrent = statement<OfApplication, RiskOverride>(
  'risk.currentOverride',
  (p) => sql`
  SELECT ${columns} FROM risk_override WHERE ${riskOverride.equal({
    tenantId: p.tenantId,
    applicationId: p.applicationId,
    endedAt: null,
  })}`,
);

const findLast = statement<{ tenantId: string; assessmentId: string }, RiskOverride>(
  'risk.lastOverride',
  (p) => sql`
  SELECT ${columns} FROM risk_override
    WHERE ${riskOverride.equal({ tenantId: p.tenantId, assessmentId: p.assessmentId })}
    ORDER BY sequence DESC LIMIT 1`,
);

const end = statement<OfApplication & { at: BusinessTime }>(
  'risk.endOverride',
  (p) => sql`
  UPDATE risk_override SET ${riskOverride.assign({ endedAt: p.at })}
    WHERE ${riskOverride.equal({ tenantId: p.tenantId, applicationId: p.applicationId, endedAt: null })}`,
);

const findDue = statement<
  {
    tenantId: string;
    environment: Environment;
    at: BusinessTime;
    count: number;
  },
  { applicationId: string }
>(
  'risk.dueOverrides',
  (p) => sql`
  SELECT application_id AS "applicationId" FROM risk_override
    WHERE ${riskOverride.equal({ tenantId: p.tenantId, environment: p.environment, endedAt: null })}
      AND expires_at <= ${p.at} ORDER BY expires_at, id LIMIT ${p.count}`,
);

export function insertOverride(tx: Transaction, row: Omit<InsertOf<typeof riskOverride>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Finds the override of an application that has not ended. */
export async function currentOverride(tx: Transaction, applicationId: string): Promise<RiskOverride | null> {
  return (await tx.run(findCurrent, { tenantId: tx.tenantId!, applicationId }))[0] ?? null;
}

/** Finds the last override that was made of an assessment. */
export async function lastOverride(tx: Transaction, assessmentId: string): Promise<RiskOverride | null> {
  return (await tx.run(findLast, { tenantId: tx.tenantId!, assessmentId }))[0] ?? null;
}

/** Ends the override of an application, if there is one. */
export function endOverride(tx: Transaction, applicationId: string, at: BusinessTime): void {
  void tx.run(end, { tenantId: tx.tenantId!, applicationId, at });
}

/** Lists applications whose override has expired. */
export async function dueOverrides(
  tx: Transaction,
  environment: Environment,
  at: BusinessTime,
  count: number,
): Promise<string[]> {
  const rows = await tx.run(findDue, {
    tenantId: tx.tenantId!,
    environment,
    at,
    count,
  });
  return rows.map(({ applicationId }) => applicationId);
}
