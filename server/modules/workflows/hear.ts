/**
 * Lets instances about an application or a business hear what happens to it: each event is a message of its name, for
 * example `subject.submitted`, whatever its correlation key. A listener runs under the lock of the subject, and
 * instances are locked before it elsewhere, so it queues a task.
 */
import type { Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTaskOnce, type StepKind } from '../../tasks/task.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { findReadable } from '../applications/index.ts';
import { findBusiness } from '../businesses/index.ts';
import type { EventType, SubjectEvent, SubjectListener } from '../subject-events/index.ts';
import { latestFinal } from '../verifications/index.ts';
import { type Instance, isRunningAbout } from './instance-store.ts';
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
  'ownership.replaced',
  'registry.answered',
  'screening.completed',
  'subject.expired',
  'subject.submitted',
  'verification.final',
] as const satisfies readonly EventType[];

type Heard = (typeof HEARD)[number];

const taskNameOf = (event: Heard): string => `workflows.heard.${event}`;

async function queue(tx: Transaction, event: SubjectEvent<Heard>): Promise<void> {
  const { subject, type, environment, now } = event;
  const isHeard =
    (await isAwaitedAbout(tx, subject, type)) || (await startsBy(tx, environment, 'message', type)).length > 0;
  if (isHeard) await enqueueTaskOnce(tx, { name: taskNameOf(type) }, subject.id, now);
}

export const hearListeners: readonly SubjectListener<Heard>[] = HEARD.map(
  (event) => ({ event, hear: queue }) as SubjectListener<Heard>,
);

/** An application or a business, and the members of an instance that name it. */
interface Found extends Pick<Instance, 'applicationId' | 'businessId' | 'environment'> {
  readonly subject: Subject;
}

/** Finds the application or the business with an id, unless it is erased. */
async function subjectWith(tx: Transaction, id: string): Promise<Found | null> {
  const application = await findReadable(tx, { tenantId: tx.tenantId!, id });
  if (application === 'unreadable') return null;
  const found = application ?? (await findBusiness(tx, id));
  if (found === null || found.erasedAt !== null) return null;
  const { environment } = found;
  return application === null
    ? {
        subject: { kind: 'business', id },
        applicationId: null,
        businessId: found.id,
        environment,
      }
    : {
        subject: { kind: 'application', id },
        applicationId: found.id,
        businessId: null,
        environment,
      };
}

/** Returns what a process learns of the verification that has ended. */
async function verified(tx: Transaction, applicationId: string): Promise<Variables> {
  const final = await latestFinal(tx, applicationId);
  return final === null ? {} : { verification: { ...final } };
}

/** Gives an event to the instances that wait for it, and begins those of processes that it starts. */
function hearTask(event: Heard): StepKind<unknown> {
  return {
    name: taskNameOf(event),
    step: async ({ tx, subjectId, now }) => {
      const found = await subjectWith(tx, subjectId);
      if (found === null) return null;
      const { subject, applicationId, businessId, environment } = found;
      const when = { at: await timeIn(tx, environment, now), now };
      const variables = event === 'verification.final' ? await verified(tx, subjectId) : {};
      for (const waiting of await awaitingAbout(tx, subject, event)) await give(tx, waiting, variables, when);
      for (const start of await startsBy(tx, environment, 'message', event)) {
        // What happens again while an instance about the subject is under way begins no second one.
        if (await isRunningAbout(tx, start.definitionId, subject)) continue;
        await beginAt(tx, start, { applicationId, businessId, variables }, when);
      }
      return null;
    },
    // The instances wait on, and their timers say what happens then.
    giveUp: () => Promise.resolve(),
  };
}

export const hearTasks: readonly StepKind<unknown>[] = HEARD.map(hearTask);
