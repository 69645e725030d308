/** Type of what a module adds to the work of a person (GET /v1/work); its SQL is in `work-store.ts`. */
import type { Uuid } from '../base/uuid.ts';
import type { components } from '../contract/generated/types.ts';
import type { Environment, UserPrincipal } from '../contract/operation.ts';
import type { Transaction } from '../database/index.ts';

export type WorkKind = components['schemas']['WorkKindFilter'];

/** A record that waits for a person. */
export interface WorkRow {
  readonly id: Uuid;
  readonly parentId: Uuid | null;
  readonly applicationId: Uuid | null;
  readonly businessId: Uuid | null;
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

/** The caller whose work is listed, and where the page begins. */
export interface WorkQuery {
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

/** Position before all records. */
export const FIRST_WORK: WorkPosition = { dueAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Due date by which records without one are sorted. */
export const NO_DUE = 'infinity';

/** Only compliance officers review the proposals of others. */
export function reviewsProposals({ role }: Pick<UserPrincipal, 'role'>): boolean {
  return role === 'compliance_officer';
}
