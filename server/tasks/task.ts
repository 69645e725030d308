import { uuidv7 } from '../base/uuid.ts';
import type { Transaction } from '../database/index.ts';
import { deleteTask, insertTask, isQueued } from './task-store.ts';

/** What a step of a task may know. */
export interface TaskStep {
  /** Of the tenant, below row-level security. What the step does is committed together with the fact that it was done. */
  readonly tx: Transaction;
  readonly subjectId: string;
  readonly now: Date;
}

/**
 * Work in the background that happens once. It is done in steps of a moment, because between two steps others have their turn:
 * other tenants, and other tasks of the same one. What a step needs to know of those before it, it reads from the records.
 */
export interface TaskKind<S> {
  readonly name: string;
  /** Resolves to null when the task is done, else to the milliseconds after which it goes on. After an error the step is tried again, later each time. */
  readonly step: (step: TaskStep, services: S) => Promise<number | null>;
  /** Writes down that it was tried often enough. */
  readonly giveUp: (step: TaskStep, services: S) => Promise<void>;
}

interface TaskOptions {
  /** One of thousands that nobody waits for: it comes after all that are not. */
  readonly isBulk?: boolean;
}

/** Makes a task if, and only if, the transaction commits; its id. Nothing is said of it but its kind and the id of what it is about. */
export function enqueueTask(tx: Transaction, { name }: Pick<TaskKind<never>, 'name'>, subjectId: string, now: Date, { isBulk = false }: TaskOptions = {}): string {
  const id = uuidv7();
  insertTask(tx, { tenantId: tx.tenantId!, id, kind: name, subjectId, isBulk, dueAt: now, createdAt: now });
  return id;
}

/** Makes one of several equal tasks of a tenant: another that waits already does the same. */
export async function enqueueTaskOnce(tx: Transaction, kind: Pick<TaskKind<never>, 'name'>, subjectId: string, now: Date, options?: TaskOptions): Promise<void> {
  if (!await isQueued(tx, kind.name, subjectId)) enqueueTask(tx, kind, subjectId, now, options);
}

/** Takes a task back with all that it has not done yet. False when it is done already; a step that is running is waited for. */
export function cancelTask(tx: Transaction, id: string): Promise<boolean> {
  return deleteTask(tx, id);
}
