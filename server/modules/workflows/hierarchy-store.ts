/** The statement that counts the instances which one has begun. */
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { instance } from './instance-store.ts';

const count = statement<{ tenantId: string; rootInstanceId: string; most: number }, { begun: number }>(
  'workflowInstance.begunBy',
  (p) => sql`
  SELECT count(*)::integer AS begun FROM (
    SELECT FROM workflow_instance WHERE ${instance.equal({ tenantId: p.tenantId, rootInstanceId: p.rootInstanceId })}
      LIMIT ${p.most}
  ) AS those`,
);

/**
 * Counts the instances that a root has begun, up to a number. Until the transaction ends, no other one counts them. The
 * row of the root is no lock for that, because its callers are locked before what they call, never after.
 */
export async function countBegun(tx: Transaction, rootInstanceId: string, most: number): Promise<number> {
  // Pipelined. Under READ COMMITTED the second statement takes its snapshot after the first one has its lock.
  const [, [counted]] = await Promise.all([
    lockUntilCommit(tx, 'workflowHierarchy', rootInstanceId),
    tx.run(count, { tenantId: tx.tenantId!, rootInstanceId, most }),
  ]);
  return counted!.begun;
}
