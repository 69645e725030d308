/**
 * Lets instances about an application hear what happens to it: each event is a message of its name, for example
 * `subject.submitted`, whatever its correlation key. A listener runs under the lock of the application, and instances
 * are locked before it elsewhere, so it queues a task.
 */
import type { Transaction } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTaskOnce, type StepKind } from '../../tasks/task.ts';
import { findReadable } from '../applications/index.ts';
import type { EventType, SubjectEvent, SubjectListener } from '../subject-events/index.ts';
import { isRunningAbout } from './instance-store.ts';
import { awaitingAbout, isAwaitedAbout } from './message-store.ts';
import { give } from './sent.ts';
import { startsBy } from './start-store.ts';
import { beginAt } from './starts.ts';

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
  'verification.final',
] as const satisfies readonly EventType[];

type Heard = (typeof HEARD)[number];

const taskNameOf = (event: Heard): string => `workflows.heard.${event}`;

async function queue(tx: Transaction, event: SubjectEvent<Heard>): Promise<void> {
  const { subject, type, environment, now } = event;
  if (subject.kind !== 'application') return;
  const isHeard =
    (await isAwaitedAbout(tx, subject.id, type)) || (await startsBy(tx, environment, 'message', type)).length > 0;
  if (isHeard) await enqueueTaskOnce(tx, { name: taskNameOf(type) }, subject.id, now);
}

export const hearListeners: readonly SubjectListener<Heard>[] = HEARD.map(
  (event) => ({ event, hear: queue }) as SubjectListener<Heard>,
);

/** Gives an event to the instances that wait for it, and begins those of processes that it starts. */
function hearTask(event: Heard): StepKind<unknown> {
  return {
    name: taskNameOf(event),
    step: async ({ tx, subjectId, now }) => {
      const application = await findReadable(tx, { tenantId: tx.tenantId!, id: subjectId });
      if (application === null || application === 'unreadable' || application.erasedAt !== null) return null;
      const { id: applicationId, environment } = application;
      const when = { at: await timeIn(tx, environment, now), now };
      for (const waiting of await awaitingAbout(tx, applicationId, event)) await give(tx, waiting, {}, when);
      for (const start of await startsBy(tx, environment, 'message', event)) {
        // What happens again while an instance about the application is under way begins no second one.
        if (await isRunningAbout(tx, start.definitionId, applicationId)) continue;
        await beginAt(tx, start, { applicationId, variables: {} }, when);
      }
      return null;
    },
    // The instances wait on, and their timers say what happens then.
    giveUp: () => Promise.resolve(),
  };
}

export const hearTasks: readonly StepKind<unknown>[] = HEARD.map(hearTask);
