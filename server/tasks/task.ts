/**
 * Types of background tasks, and functions that queue and cancel them. worker.ts runs them. Used by the modules. The
 * effect of a task happens once, but its work may be repeated, so that must do no harm.
 */
import type { RealTime } from '../base/time.ts';
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
  readonly now: RealTime;
}

interface Kind<S> {
  readonly name: string;
  /** Records that the task has failed for the last time. */
  giveUp(step: TaskStep, services: S): Promise<void>;
}

/**
 * Background work that runs once. It consists of short steps, between which other tenants and other tasks of the same
 * tenant run. A step reads the results of earlier steps from the records.
 */
export interface StepKind<S> extends Kind<S> {
  /**
   * Runs one step. Resolves to null if the task is done, else to the milliseconds after which it continues. After an
   * error the step is retried, with growing delays.
   */
  step(step: TaskStep, services: S): Promise<number | null>;
}

/** Arguments of work that has no transaction. */
export interface WorkContext<S> {
  /** Aborted if the process stops, or if the task was cancelled or is another worker's by now. */
  readonly signal: AbortSignal;
  readonly services: S;
}

/**
 * Background work that takes long or calls others, so that it must not hold a database connection. It has three parts:
 * `claim` reads the input, `work` computes the output, `finish` writes the effect. The task is deleted in the
 * transaction of `finish`, so the effect happens once; `work` is repeated if the process ends before that.
 */
export interface WorkKind<S, Input = unknown, Output = unknown> extends Kind<S> {
  /** Reads what the work needs. Resolves to null if there is nothing to do any more, which ends the task. */
  claim(step: TaskStep, services: S): Promise<Input | null>;
  work(input: Input, context: WorkContext<S>): Promise<Output>;
  finish(step: TaskStep, output: Output, services: S): Promise<void>;
}

export type TaskKind<S> = StepKind<S> | WorkKind<S>;

export function isStepKind<S>(kind: TaskKind<S>): kind is StepKind<S> {
  return 'step' in kind;
}

export function isWorkKind<S>(kind: TaskKind<S>): kind is WorkKind<S> {
  return 'work' in kind;
}

/** End of a step or a work, for the metrics. */
export interface TaskEnd {
  readonly kind: string;
  readonly outcome: 'done' | 'continued' | 'failed' | 'given_up';
  readonly startedAt: number;
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
  now: RealTime,
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

/**
 * Queues a task unless an equal task of the tenant is already queued. A step of one that is running does not count,
 * because it may not see what the caller has changed.
 */
export async function enqueueTaskOnce(
  tx: Transaction,
  kind: QueuedKind,
  subjectId: string,
  now: RealTime,
): Promise<void> {
  if (!(await isQueued(tx, kind.name, subjectId))) enqueueTask(tx, kind, subjectId, now);
}

/** Cancels a task with its remaining steps. Returns false if the task is already done. Blocks on a running step. */
export function cancelTask(tx: Transaction, id: string): Promise<boolean> {
  return deleteTask(tx, id);
}
