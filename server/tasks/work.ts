/** Type of what a module adds to the work of a person (GET /v1/work), and the SQL that its statements share. */
import type { Uuid } from '../base/uuid.ts';
import type { components } from '../contract/generated/types.ts';
import type { Environment, UserPrincipal } from '../contract/operation.ts';
import { type Fragment, type Parameter, sql, type Transaction } from '../database/index.ts';

export type WorkKind = components['schemas']['WorkKindFilter'];

/** A record that waits for a person. */
export interface WorkRow {
  readonly id: Uuid;
  readonly parentId: Uuid | null;
  readonly applicationId: Uuid | null;
  readonly reason: string;
  readonly queue: string | null;
  readonly dueAt: string | null;
  readonly createdAt: string;
}

/** Position after which a page begins: due date and id of the last record. */
export interface WorkPosition {
  readonly dueAt: string;
  readonly id: string;
}

interface WorkQuery {
  readonly environment: Environment;
  readonly caller: UserPrincipal;
  readonly after: WorkPosition;
  readonly count: number;
}

/** One kind of work. A module lists the records that wait for the caller, in the order of their due dates and ids. */
export interface WorkEntry {
  readonly kind: WorkKind;
  readonly list: (tx: Transaction, query: WorkQuery) => Promise<WorkRow[]>;
}

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

/** Position before all records. */
export const FIRST_WORK: WorkPosition = { dueAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Due date by which records without one are sorted. */
export const NO_DUE = 'infinity';

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

/** Only compliance officers review the proposals of others. */
export function reviewsProposals({ role }: Pick<UserPrincipal, 'role'>): boolean {
  return role === 'compliance_officer';
}
