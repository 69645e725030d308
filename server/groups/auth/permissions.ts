import { operations } from '../../contract/generated/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Role } from '../../contract/principal.ts';

const known = new Map<Role, readonly string[]>();

/** The operations that a role may call, as the contract declares them. */
export function permissionsOf(role: Role): readonly string[] {
  const cached = known.get(role);
  if (cached !== undefined) return cached;
  const all: readonly Operation[] = Object.values(operations);
  const permitted = all.filter(({ roles }) => roles.includes(role)).map(({ operationId }) => operationId).sort();
  known.set(role, permitted);
  return permitted;
}
