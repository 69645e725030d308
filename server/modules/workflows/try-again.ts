/** Lets the tasks that carry instances on be tried for ever, because an instance outlives every outage. */
import { enqueueTask, type TaskStep } from '../../tasks/task.ts';

/** Returns what a kind of task does after its last attempt: another series of attempts, with delays from the first. */
export const tryAgain =
  (name: string) =>
  async ({ tx, subjectId, now }: TaskStep): Promise<void> =>
    void enqueueTask(tx, { name }, subjectId, now);
