/**
 * Lets instances about an application or a business hear what happens to it: each event is a message of its name, for
 * example `subject.submitted`, whatever its correlation key. A listener runs under the lock of the subject, and
 * instances are locked before it elsewhere, so it queues a task.
 */
import type { Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTask, type StepKind } from '../../tasks/task.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import { findReadable } from '../applications/index.ts';
import { findBusiness } from '../businesses/index.ts';
import type { EventType, SubjectEvent, SubjectListener } from '../subject-events/index.ts';
import { latestFinal } from '../verifications/index.ts';
import { advance, graphOf } from './advance.ts';
import type { When } from './follow.ts';
import { type Instance, isRunningAbout, lockInstance } from './instance-store.ts';
import { dropWaits } from './erased-store.ts';
import { hearingAbout } from './message-store.ts';
import { startsBy } from './start-store.ts';
import { beginAt } from './starts.ts';
import { tryAgain } from './try-again.ts';

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
    (await hearingAbout(tx, subject, type)).length > 0 || (await startsBy(tx, environment, 'message', type)).length > 0;
  // A task for each event, because an instance can wait for the same event twice.
  if (isHeard) enqueueTask(tx, { name: taskNameOf(type) }, subject.id, now);
}

export const hearListeners: readonly SubjectListener<Heard>[] = HEARD.map(
  (event) => ({ event, hear: queue }) as SubjectListener<Heard>,
);

/** Nothing continues an instance about an erased subject, or one by it, and a correlation key may name a person. */
export const erasureListener: SubjectListener<'subject.erased'> = {
  event: 'subject.erased',
  hear: (tx, { subject }) => dropWaits(tx, subject),
};

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

/**
 * Tells an instance what has happened. If it is suspended, or a step of it is still to be computed, that waits behind,
 * because an event is told once.
 */
async function tell(
  tx: Transaction,
  instanceId: string,
  message: { readonly name: string; readonly variables: Variables },
  when: When,
): Promise<void> {
  const instance = await lockInstance(tx, instanceId);
  if (instance === null || (instance.status !== 'active' && instance.status !== 'suspended')) return;
  const { program } = await graphOf(tx, instance.definitionId);
  const isNamed = program.nodes.some(({ event }) => event?.kind === 'message' && event.name === message.name);
  if (!isNamed) return;
  await advance(tx, instance, { do: 'message', ...message }, when).catch((failure: unknown) => {
    if (!(failure instanceof Stale)) throw failure;
  });
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
      for (const id of await hearingAbout(tx, subject, event)) await tell(tx, id, { name: event, variables }, when);
      for (const start of await startsBy(tx, environment, 'message', event)) {
        // What happens again while an instance about the subject is under way begins no second one.
        if (await isRunningAbout(tx, start.definitionId, subject)) continue;
        await beginAt(tx, start, { applicationId, businessId, variables }, when);
      }
      return null;
    },
    giveUp: tryAgain(taskNameOf(event)),
  };
}

export const hearTasks: readonly StepKind<unknown>[] = HEARD.map(hearTask);
