import { uuidv7 } from '../base/uuid.ts';
import type { Transaction } from '../database/index.ts';
import { deleteTask, insertTask, isQueued } from './task-store.ts';

/** Arguments of a task step. */
export interface TaskStep {
  /**
   * Transaction of the tenant, subject to row-level security. The effects of the step and its completion are committed
   * together.
   */
  readonly tx: Transaction;
  readonly subjectId: string;
  readonly now: Date;
}

/**
 * Background work that runs once. It consists of short steps, between which other tenants and other tasks of the same
 * tenant run. A step reads the results of earlier steps from the records.
 */
export interface TaskKind<S> {
  readonly name: string;
  /**
   * Runs one step. Resolves to null if the task is done, else to the milliseconds after which it continues. After an
   * error the step is retried, with growing delays.
   */
  readonly step: (step: TaskStep, services: S) => Promise<number | null>;
  /** Records that the task has failed for the last time. */
  readonly giveUp: (step: TaskStep, services: S) => Promise<void>;
}

interface QueuedKind extends Pick<TaskKind<never>, 'name'> {
  /** Whether the task is one of thousands that may wait: it runs after all other tasks. */
  readonly isBulk?: boolean;
}

/**
 * Queues a task if, and only if, the transaction commits. Returns its id. The task contains only its kind and the id of
 * the record that it concerns.
 */
export function enqueueTask(
  tx: Transaction,
  { name, isBulk = false }: QueuedKind,
  subjectId: string,
  now: Date,
): string {
  const id = uuidv7();
  insertTask(tx, {
    tenantId: tx.tenantId!,
    id,
    kind: name,
    subjectId,
    isBulk,
    dueAt: now,
    createdAt: now,
  });
  return id;
}

/** Queues a task unless an equal task of the tenant is already queued. */
export async function enqueueTaskOnce(tx: Transaction, kind: QueuedKind, subjectId: string, now: Date): Promise<void> {
  if (!(await isQueued(tx, kind.name, subjectId))) enqueueTask(tx, kind, subjectId, now);
}

/** Cancels a task with its remaining steps. Returns false if the task is already done. Blocks on a running step. */
export function cancelTask(tx: Transaction, id: string): Promise<boolean> {
  return deleteTask(tx, id);
}
