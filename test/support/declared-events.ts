/** Checks that the audit log holds only events that the contract declares. Called when a test service stops. */
import { auditActions } from '../../server/contract/generated/audit-actions.ts';
import type { TestDatabase } from './postgres.ts';

const declared: ReadonlySet<string> = new Set(
  Object.entries(auditActions).flatMap(([action, types]) => types.map((type) => `${action} about ${type}`)),
);

/**
 * Rejects if the audit log holds an event whose action, or whose resource, the contract does not
 * declare (`x-audit-actions`).
 */
export async function assertDeclaredEvents(database: Pick<TestDatabase, 'sql'>): Promise<void> {
  const written = await database.sql<{ event: string }>(
    `SELECT DISTINCT action || ' about ' || resource_type AS event FROM audit_event`,
  );
  const undeclared = written.map(({ event }) => event).filter((event) => !declared.has(event));
  if (undeclared.length > 0)
    throw new Error(`openapi.yaml does not declare these events of the audit log: ${undeclared.join(', ')}`);
}
