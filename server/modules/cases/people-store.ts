import type { RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, sql, statement, type Transaction } from '../../database/index.ts';
import { membership } from '../../identity/tables.ts';
import type { Parameter } from '../../database/index.ts';

/** Members who may work on cases. */
export const WORKS_ON_CASES = sql`m.role IN ('compliance_officer', 'analyst') AND m.status = 'active'`;

/** Whether a member made or reviewed a decision `d` that meets a condition. */
const decidedBy = (condition: Fragment, userId: Fragment | Parameter<string>): Fragment => sql`
  EXISTS (SELECT FROM decision d WHERE d.tenant_id = c.tenant_id AND ${condition}
    AND d.status IN ('pending_review', 'effective')
    AND (d.made_by ->> 'id' = ${userId}::text OR EXISTS (SELECT FROM second_review v
      WHERE v.tenant_id = d.tenant_id AND v.subject_type = 'decision' AND v.subject_id = d.id
        AND v.checker ->> 'id' = ${userId}::text)))`;

/**
 * Whether a member decided about the subject of a case `c`, or made or reviewed the resolution that a quality review
 * is about. Whoever did must not judge their own work.
 */
export const hasDecided = (userId: Fragment | Parameter<string>): Fragment => sql`(
  ${decidedBy(sql`d.application_id = c.application_id`, userId)}
  OR ${decidedBy(sql`d.business_id = c.business_id`, userId)}
  OR c.type = 'quality_review' AND EXISTS (SELECT FROM case_resolution r
    WHERE r.tenant_id = c.tenant_id AND r.case_id = ANY (c.related_case_ids::uuid[])
      AND (r.made_by ->> 'id' = ${userId}::text OR r.reviewed_by ->> 'id' = ${userId}::text)))`;

/** Member who may work on cases, with the number of unresolved cases in the environment. */
export interface Colleague {
  readonly userId: string;
  readonly load: number;
  readonly isPresent: boolean;
}

const listColleagues = statement<{ tenantId: string; environment: Environment; now: RealTime }, Colleague>(
  'case.colleagues',
  (p) => sql`
  SELECT m.user_id AS "userId", coalesce(m.absent_until <= ${p.now}, true) AS "isPresent",
    (SELECT count(*)::integer FROM review_case c WHERE c.tenant_id = m.tenant_id AND c.assignee_id = m.user_id
      AND c.environment = ${p.environment}::text AND c.status <> 'resolved') AS load
  FROM membership m WHERE ${membership.as('m').equal({ tenantId: p.tenantId })} AND ${WORKS_ON_CASES}
  ORDER BY m.user_id`,
);

const findColleague = statement<{ tenantId: string; userId: string }, { userId: string }>(
  'case.colleague',
  (p) => sql`
  SELECT m.user_id AS "userId" FROM membership m
  WHERE ${membership.as('m').equal({ tenantId: p.tenantId, userId: p.userId })} AND ${WORKS_ON_CASES} FOR SHARE`,
);

type OfCases = { tenantId: string; caseIds: readonly string[]; userIds: readonly string[] };

const listConflicts = statement<OfCases, { caseId: string; userId: string }>(
  'case.conflicts',
  (p) => sql`
  SELECT c.id AS "caseId", u.id AS "userId" FROM review_case c, unnest(${p.userIds}::text[]) u (id)
  WHERE c.tenant_id = ${p.tenantId} AND c.id = ANY (${p.caseIds}::uuid[]) AND ${hasDecided(sql`u.id`)}`,
);

const countLoad = statement<{ tenantId: string; userId: string; environment: Environment }, { load: number }>(
  'case.load',
  (p) => sql`
  SELECT count(*)::integer AS load FROM review_case c WHERE c.tenant_id = ${p.tenantId}
    AND c.assignee_id = ${p.userId} AND c.environment = ${p.environment}::text AND c.status = 'in_progress'`,
);

/** Lists the members who may work on cases, present or absent. */
export function colleagues(tx: Transaction, environment: Environment, now: RealTime): Promise<Colleague[]> {
  return tx.run(listColleagues, { tenantId: tx.tenantId!, environment, now });
}

/** Returns whether a member may work on cases. The member cannot leave before the transaction ends. */
export async function mayWorkOnCases(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.run(findColleague, { tenantId: tx.tenantId!, userId })).length > 0;
}

/** Returns which of these members decided about the subject of which case, as `case member`. */
export async function conflictsOf(
  tx: Transaction,
  caseIds: readonly string[],
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.run(listConflicts, { tenantId: tx.tenantId!, caseIds, userIds });
  return new Set(rows.map(({ caseId, userId }) => `${caseId} ${userId}`));
}

/** Counts the cases that a member has in progress in an environment. */
export async function inProgressOf(tx: Transaction, userId: string, environment: Environment): Promise<number> {
  return (await tx.run(countLoad, { tenantId: tx.tenantId!, userId, environment }))[0]!.load;
}
