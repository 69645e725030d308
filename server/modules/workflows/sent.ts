/**
 * Delivers what processes send: a message to the one instance that waits for it, or else to the one process that it
 * starts; a signal to everybody. The sender has gone on meanwhile, so no instance is locked while another one is.
 */
import type { Transaction } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { StepKind } from '../../tasks/task.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import { appendNotBegun } from './actor.ts';
import { advance, SENT } from './advance.ts';
import { positionBelow } from './hierarchy.ts';
import type { When } from './follow.ts';
import { findInstance, lockInstance } from './instance-store.ts';
import { awaitingSignal, findAwaiting, type Waiting } from './message-store.ts';
import { type Sent, takeSent } from './sent-store.ts';
import { startsBy } from './start-store.ts';
import { beginAt } from './starts.ts';
import { tryAgain } from './try-again.ts';

export const sentTask: StepKind<unknown> = {
  name: SENT,
  step: async ({ tx, subjectId, now }) => {
    const sent = await takeSent(tx, subjectId);
    if (sent === null) return null;
    const when = { at: await timeIn(tx, sent.environment, now), now };
    if (sent.kind === 'signal') await broadcast(tx, sent, when);
    else await deliver(tx, sent, when);
    return null;
  },
  giveUp: tryAgain(SENT),
};

async function deliver(tx: Transaction, sent: Sent, when: When): Promise<void> {
  const { environment, name, correlationKey, variables } = sent;
  const wanted = {
    environment,
    name,
    correlationKey: correlationKey ?? undefined,
    businessKey: undefined,
    statuses: ['active', 'suspended'],
  } as const;
  const [first, second] = await findAwaiting(tx, wanted);
  if (first !== undefined && second === undefined) await give(tx, first, variables, when);
  if (first !== undefined) return;
  const starts = await startsBy(tx, environment, 'message', name);
  if (starts.length === 1) await begin(tx, sent, when, starts);
}

async function broadcast(tx: Transaction, sent: Sent, when: When): Promise<void> {
  const { environment, name, instanceId } = sent;
  for (const waiting of await awaitingSignal(tx, environment, name)) {
    // The kernel has given the signal to its sender.
    if (waiting.instanceId !== instanceId) await give(tx, waiting, {}, when);
  }
  await begin(tx, sent, when, await startsBy(tx, environment, 'signal', name));
}

async function begin(
  tx: Transaction,
  { instanceId, applicationId, businessId, variables }: Sent,
  when: When,
  starts: Awaited<ReturnType<typeof startsBy>>,
): Promise<void> {
  // What was sent goes with its sender, so the sender is there. It has gone on, so no incident can stop it.
  const sender = (await findInstance(tx, instanceId))!;
  for (const start of starts) {
    const position = await positionBelow(tx, sender);
    if ('code' in position) return appendNotBegun(tx, sender, position, when);
    const trigger = {
      applicationId,
      businessId,
      variables,
      position,
    };
    await beginAt(tx, start, trigger, when);
  }
}

/** Lets an instance go on that waits, if it still does. One that is suspended goes on when it is resumed. */
async function give(
  tx: Transaction,
  { instanceId, subscription }: Waiting,
  variables: Variables,
  when: When,
): Promise<void> {
  const instance = await lockInstance(tx, instanceId);
  const waits = instance?.state?.subscriptions.some(({ id }) => id === subscription) ?? false;
  if (instance === null || !waits) return;
  await advance(tx, instance, { do: 'fire', subscription, variables }, when).catch((failure: unknown) => {
    if (!(failure instanceof Stale)) throw failure;
  });
}
