/** The statements by which instances about an erased subject wait for nothing, and send nothing, any more. */
import { sql, statement, type Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';
import { instance } from './instance-store.ts';

const lock = bySubject((member, kind) =>
  statement<OfSubject>(
    `workflowInstance.lockErased.${kind}`,
    (p) => sql`
  SELECT FROM workflow_instance WHERE tenant_id = ${p.tenantId} AND ${instance.column(member)} = ${p.subjectId}
    ORDER BY id FOR UPDATE`,
  ),
);

/** The locks are taken by a statement before, so that this one sees what a step has written meanwhile. */
const drop = bySubject((member, kind) =>
  statement<OfSubject>(
    `workflowInstance.dropErased.${kind}`,
    (p) => sql`
  WITH erased AS (
    SELECT id FROM workflow_instance WHERE tenant_id = ${p.tenantId} AND ${instance.column(member)} = ${p.subjectId}
  ), timers AS (
    DELETE FROM workflow_timer WHERE tenant_id = ${p.tenantId} AND instance_id IN (SELECT id FROM erased)
  ), sent AS (
    DELETE FROM workflow_sent WHERE tenant_id = ${p.tenantId} AND instance_id IN (SELECT id FROM erased)
  ), commands AS (
    DELETE FROM workflow_command WHERE tenant_id = ${p.tenantId} AND instance_id IN (SELECT id FROM erased)
  )
  DELETE FROM workflow_awaited_message WHERE tenant_id = ${p.tenantId} AND instance_id IN (SELECT id FROM erased)`,
  ),
);

/**
 * Deletes the timers, messages and commands of the instances about a subject, and locks the instances before. What they
 * have sent is deleted, too: without its correlation key it would reach others than those whom it is for.
 */
export async function dropWaits(tx: Transaction, subject: Subject): Promise<void> {
  await Promise.all([tx.run(lock(subject), keyOf(tx, subject)), tx.run(drop(subject), keyOf(tx, subject))]);
}
