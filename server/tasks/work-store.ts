/** The SQL that the statements of all kinds of work share (`work.ts`). */
import type { Environment } from '../contract/operation.ts';
import { type Fragment, type Parameter, sql, type Transaction } from '../database/index.ts';
import type { WorkQuery } from './work.ts';

/** Parameters of a statement that lists work. */
export type WorkParameters = {
  tenantId: string;
  environment: Environment;
  userId: string;
  afterDue: string;
  afterId: string;
  count: number;
};

export function workParameters(
  { tenantId }: Transaction,
  { environment, caller, after, count }: WorkQuery,
): WorkParameters {
  return {
    tenantId: tenantId!,
    environment,
    userId: caller.userId,
    afterDue: after.dueAt,
    afterId: after.id,
    count,
  };
}

type Of<M extends keyof WorkParameters> = { readonly [P in M]: Parameter<WorkParameters[P]> };

/** Returns the condition, order and limit of a page of work. `due` is never null. */
export function workPage(p: Of<'afterDue' | 'afterId' | 'count'>, due: Fragment, id: Fragment): Fragment {
  return sql`(${due}, ${id}) > (${p.afterDue}::timestamptz, ${p.afterId}::uuid)
    ORDER BY ${due}, ${id} LIMIT ${p.count}`;
}

/** Returns the condition that a pending proposal of a type in `second_review v` may be reviewed by the caller. */
export function reviewable(p: Of<'tenantId' | 'environment' | 'userId'>, subjectType: string): Fragment {
  return sql`v.tenant_id = ${p.tenantId} AND v.environment = ${p.environment} AND v.subject_type = ${subjectType}
    AND v.state = 'pending' AND ${p.userId}::text <> ALL (v.maker_persons)`;
}
