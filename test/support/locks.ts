/** Runs work while locks hold up requests, to test what waits for what. Used by tests of races. */
import { setTimeout } from 'node:timers/promises';
import { withClient } from '../../server/database/pool.ts';
import type { TestDatabase } from './postgres.ts';

/**
 * Runs `work` while no change can commit, by locking the heads of all audit chains, which every change locks last.
 * `isWaitedFor` resolves when as many requests as it is told, else one, wait for a lock.
 */
export function whileChangesWait<T>(
  database: TestDatabase,
  work: (isWaitedFor: (requests?: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  return whileHeld(database, ['SELECT FROM audit_head FOR UPDATE', []], work);
}

/** Runs `work` while no change of one tenant can commit. */
export function whileChangesOfTenantWait<T>(
  database: TestDatabase,
  tenantId: string,
  work: (isWaitedFor: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return whileHeld(database, ['SELECT FROM audit_head WHERE tenant_id = $1 FOR UPDATE', [tenantId]], work);
}

/** Runs `work` while nothing can lock an instance of a workflow. */
export function whileInstanceWaits<T>(
  database: TestDatabase,
  instanceId: string,
  work: (isWaitedFor: (requests?: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  return whileHeld(database, ['SELECT FROM workflow_instance WHERE id = $1 FOR UPDATE', [instanceId]], work);
}

/** Runs `work` while no instance of a workflow begins another one that belongs to this root. */
export function whileHierarchyWaits<T>(
  database: TestDatabase,
  rootInstanceId: string,
  work: (isWaitedFor: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const key = `hashtextextended('workflowHierarchy', 0) # hashtextextended($1, 0)`;
  return whileHeld(database, [`SELECT pg_advisory_xact_lock(${key})`, [rootInstanceId]], work);
}

/** Runs `work` while every authentication blocks: failures can be neither counted nor reset. */
export function whileSignInsWait<T>(
  database: TestDatabase,
  work: (isWaitedFor: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return whileHeld(database, ['LOCK TABLE login_throttle IN EXCLUSIVE MODE', []], work);
}

/** Runs `work` while documents can be neither read nor written. */
export function whileDocumentsWait<T>(
  database: TestDatabase,
  work: (isWaitedFor: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return whileHeld(database, ['LOCK TABLE document', []], work);
}

/** Runs `work` while events of the audit log can be neither read nor written. */
export function whileAuditEventsWait<T>(
  database: TestDatabase,
  work: (isWaitedFor: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return whileHeld(database, ['LOCK TABLE audit_event', []], work);
}

function whileHeld<T>(
  { superuser, sql }: TestDatabase,
  [lock, values]: readonly [string, unknown[]],
  work: (isWaitedFor: (requests?: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  return withClient(superuser, async (client) => {
    await client.query('BEGIN');
    await client.query(lock, values);
    const result = await work(async (requests = 1) => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await sql(waiting)).length < requests) await setTimeout(10);
    });
    await client.query('ROLLBACK');
    return result;
  });
}
