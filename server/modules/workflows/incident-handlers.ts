/** Operations on incidents: finding what stopped instances, and doing it again. */
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, filtersOf, type Page, pageOf } from '../../request/pagination.ts';
import { advance } from './advance.ts';
import { findIncident, type Incident, listIncidents, resolveIncident } from './incident-store.ts';
import { assertActive } from './instance-change-handlers.ts';
import { lockInstance } from './instance-store.ts';
import { lookup } from './lookup.ts';
import { presentIncident } from './present.ts';

/** Returns one page of one environment: the one that the request names, else the effective one. */
async function incidentPage(
  ctx: Context<'listWorkflowIncidents'>,
  cursors: Cursors,
): Promise<Page<ReturnType<typeof presentIncident>>> {
  const {
    tx,
    principal: { tenantId },
    query,
    operationId,
  } = ctx;
  const { limit = DEFAULT_LIMIT, environment = ctx.environment, status: statuses = [], instanceId } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.setResourceEnvironment(environment);
  const binding = { tenantId, operationId, filters: { ...filtersOf(query), environment } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listIncidents(tx, { environment, statuses, instanceId }, { after, count: limit + 1 });
  return pageOf(rows, limit, presentIncident, { cursors, binding, positionOf: ({ createdAt, id }) => [createdAt, id] });
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

export const incidentHandlers = ({ cursors }: { readonly cursors: Cursors }): Pick<Handlers, Operations> => ({
  listWorkflowIncidents: async (ctx) => ctx.reply(200, await incidentPage(ctx, cursors)),

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
});
