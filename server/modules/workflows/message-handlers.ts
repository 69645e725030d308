/** The operation that gives a message to the instance that waits for it. */
import { Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { advance } from './advance.ts';
import { type Instance, lockInstance } from './instance-store.ts';
import { findAwaiting } from './message-store.ts';
import { presentInstance } from './present.ts';

/** Finds the one instance that waits, locks it, and continues it if it still waits then. */
async function deliver(ctx: Context<'deliverWorkflowMessage'>): Promise<Instance> {
  const { tx, environment, now } = ctx;
  const { name, correlationKey, businessKey, variables = {} } = ctx.body;
  const wanted = {
    environment,
    name,
    correlationKey,
    businessKey,
  };
  const [first, second] = await findAwaiting(tx, wanted);
  if (first === undefined || second !== undefined) throw new Problem('workflow_message_unmatched');
  const { instanceId, subscription } = first;
  const instance = await lockInstance(tx, instanceId);
  const waits = instance?.state?.subscriptions.some(({ id }) => id === subscription) ?? false;
  if (instance?.status !== 'active' || !waits) throw new Problem('workflow_message_unmatched');
  return advance(tx, instance, { do: 'fire', subscription, variables }, { at: ctx.timeIn(environment), now });
}

export const messageHandlers: Pick<Handlers, 'deliverWorkflowMessage'> = {
  deliverWorkflowMessage: async (ctx) => {
    ctx.setResourceEnvironment(ctx.environment);
    const instance = await deliver(ctx);
    ctx.audit('workflow.message_received', { type: 'workflow_instance', id: instance.id }, { name: ctx.body.name });
    return ctx.reply(200, await presentInstance(ctx.tx, instance));
  },
};
