/** Operations on incidents: finding what stopped instances, and doing it again. */
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { environmentPage, type Page } from '../../request/pagination.ts';
import { advance } from './advance.ts';
import { findIncident, type Incident, listIncidents, resolveIncident } from './incident-store.ts';
import { assertActive } from './instance-change-handlers.ts';
import { lockInstance } from './instance-store.ts';
import { lookup } from './lookup.ts';
import { presentIncident } from './present.ts';

async function incidentPage(ctx: Context<'listWorkflowIncidents'>): Promise<Page<ReturnType<typeof presentIncident>>> {
  const { status: statuses = [], instanceId } = ctx.query;
  return environmentPage(ctx, {
    rows: ({ environment, ...wanted }) => listIncidents(ctx.tx, { environment, statuses, instanceId }, wanted),
    position: ({ createdAt, id }) => [createdAt, id],
    item: presentIncident,
  });
}

/** Resolves an incident and lets its instance do again what it stopped. The instance is locked first. */
async function resolve(ctx: Context<'resolveWorkflowIncident'>, { id, instanceId }: Incident): Promise<Incident> {
  const { tx, principal, now } = ctx;
  const instance = (await lockInstance(tx, instanceId))!;
  const found = await lookup(ctx).incident(id).forChange();
  if (found.status !== 'open') {
    throw new Problem('invalid_state_transition', { currentStatus: found.status, allowedTransitions: [] });
  }
  assertActive(instance);
  const at = ctx.timeIn(found.environment);
  resolveIncident(tx, id, { resolvedBy: actorOf(principal), at });
  await advance(tx, instance, { do: 'retry', execution: found.execution, variables: {} }, { at, now });
  return (await findIncident(tx, id))!;
}

type Operations = 'listWorkflowIncidents' | 'resolveWorkflowIncident';

export const incidentHandlers: Pick<Handlers, Operations> = {
  listWorkflowIncidents: async (ctx) => ctx.reply(200, await incidentPage(ctx)),

  resolveWorkflowIncident: async (ctx) => {
    const found = await lookup(ctx).incident(ctx.params.workflowIncidentId).forChangeWithoutLock();
    const resolved = await resolve(ctx, found);
    const { instanceId, elementId } = resolved;
    ctx.audit(
      'workflow_incident.resolved',
      { type: 'workflow_incident', id: found.id },
      {
        instanceId,
        elementId,
        note: ctx.body.note,
      },
    );
    return ctx.reply(200, presentIncident(resolved));
  },
};
