/** The operation that gives a message to the instance that waits for it, or to the process that it starts. */
import { Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { findDefinition, lockName } from '../definitions/index.ts';
import { advance } from './advance.ts';
import type { When } from './follow.ts';
import { type Instance, isRunning, lockInstance } from './instance-store.ts';
import { findAwaiting } from './message-store.ts';
import { presentInstance } from './present.ts';
import { assertRoom } from './room.ts';
import { startsBy } from './start-store.ts';
import { beginAt } from './starts.ts';

/** Gives the message to the one instance that waits for it, or else begins one of the one process that it starts. */
async function deliver(ctx: Context<'deliverWorkflowMessage'>): Promise<Instance> {
  const { tx, environment, now } = ctx;
  const { name, correlationKey, businessKey, variables = {} } = ctx.body;
  const when = { at: ctx.timeIn(environment), now };
  const wanted = {
    environment,
    name,
    correlationKey,
    businessKey,
    statuses: ['active'],
  } as const;
  const [first, second] = await findAwaiting(tx, wanted);
  if (second !== undefined) throw new Problem('workflow_message_unmatched');
  if (first === undefined) return start(ctx, when);
  const { instanceId, subscription } = first;
  const instance = await lockInstance(tx, instanceId);
  const waits = instance?.state?.subscriptions.some(({ id }) => id === subscription) ?? false;
  if (instance?.status !== 'active' || !waits) throw new Problem('workflow_message_unmatched');
  assertRoom(instance, variables);
  return advance(tx, instance, { do: 'fire', subscription, variables }, when);
}

async function start({ tx, environment, body }: Context<'deliverWorkflowMessage'>, when: When): Promise<Instance> {
  const { name, businessKey, variables = {} } = body;
  const [first, second] = await startsBy(tx, environment, 'message', name);
  if (first === undefined || second !== undefined) throw new Problem('workflow_message_unmatched');
  const { key } = (await findDefinition(tx, first.definitionId))!;
  if (businessKey !== undefined) {
    lockName(tx, { environment, kind: 'workflow', key });
    if (await isRunning(tx, { environment, definitionKey: key, businessKey })) throw new Problem('business_key_taken');
  }
  return beginAt(
    tx,
    first,
    {
      applicationId: null,
      businessId: null,
      variables,
      businessKey,
    },
    when,
  );
}

export const messageHandlers: Pick<Handlers, 'deliverWorkflowMessage'> = {
  deliverWorkflowMessage: async (ctx) => {
    ctx.setResourceEnvironment(ctx.environment);
    const instance = await deliver(ctx);
    ctx.audit('workflow.message_received', { type: 'workflow_instance', id: instance.id }, { name: ctx.body.name });
    return ctx.reply(200, await presentInstance(ctx.tx, instance));
  },
};
