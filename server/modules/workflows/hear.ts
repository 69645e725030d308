/**
 * Lets instances about an application hear what happens to it: each event is a message of its name, for example
 * `subject.submitted`, whatever its correlation key. A listener runs under the lock of the application, and instances
 * are locked before it elsewhere, so it queues a task.
 */
import type { Transaction } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTaskOnce, type StepKind } from '../../tasks/task.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import type { EventType, SubjectEvent, SubjectListener } from '../subject-events/index.ts';
import { advance } from './advance.ts';
import { lockInstance } from './instance-store.ts';
import { awaitingAbout, isAwaitedAbout } from './message-store.ts';

const HEARD = [
  'alert.raised',
  'assessment.changed',
  'decision.effective',
  'document.added',
  'hit.confirmed',
  'information.requested',
  'screening.completed',
  'subject.expired',
  'subject.submitted',
] as const satisfies readonly EventType[];

type Heard = (typeof HEARD)[number];

const taskNameOf = (event: Heard): string => `workflows.heard.${event}`;

async function queue(tx: Transaction, event: SubjectEvent<Heard>): Promise<void> {
  const { subject, type, now } = event;
  if (subject.kind !== 'application' || !(await isAwaitedAbout(tx, subject.id, type))) return;
  await enqueueTaskOnce(tx, { name: taskNameOf(type) }, subject.id, now);
}

export const hearListeners: readonly SubjectListener<Heard>[] = HEARD.map(
  (event) => ({ event, hear: queue }) as SubjectListener<Heard>,
);

/** Gives an event to the instances that wait for it. */
function hearTask(event: Heard): StepKind<unknown> {
  return {
    name: taskNameOf(event),
    step: async ({ tx, subjectId, now }) => {
      for (const { instanceId, subscription } of await awaitingAbout(tx, subjectId, event)) {
        const instance = await lockInstance(tx, instanceId);
        const waits = instance?.state?.subscriptions.some(({ id }) => id === subscription) ?? false;
        if (instance?.status !== 'active' || !waits) continue;
        const at = await timeIn(tx, instance.environment, now);
        await advance(tx, instance, { do: 'fire', subscription, variables: {} }, { at, now }).catch(
          (failure: unknown) => {
            if (!(failure instanceof Stale)) throw failure;
          },
        );
      }
      return null;
    },
    // The instances wait on, and their timers say what happens then.
    giveUp: () => Promise.resolve(),
  };
}

export const hearTasks: readonly StepKind<unknown>[] = HEARD.map(hearTask);
