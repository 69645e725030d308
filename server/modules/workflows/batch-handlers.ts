/** Changes many instances, one after the other in the background, and says what became of them. */
import { appendAudit } from '../../audit/chain.ts';
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { etagOf } from '../../request/preconditions.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTask, type StepKind } from '../../tasks/task.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import { advance, cancelInstance } from './advance.ts';
import {
  type Batch,
  findBatch,
  insertBatch,
  isBatchRunning,
  lockBatch,
  matchingInstances,
  nextInstances,
  noteProgress,
} from './batch-store.ts';
import type { When } from './follow.ts';
import { openIncidents, resolveIncident } from './incident-store.ts';
import { lockInstance, type LockedInstance } from './instance-store.ts';
import { lookup } from './lookup.ts';
import { moveTo, stateIn, versionFor } from './migrate.ts';
import { presentBatch } from './present.ts';

const BATCH = 'workflows.batch';
const MOST_INSTANCES = 1000;
/** Instances that are changed in one transaction, so that none of them is locked for long. */
const AT_ONCE = 10;

/** Changes the next instances of a batch, and continues until none is left. */
export const batchTask: StepKind<unknown> = {
  name: BATCH,
  step: async ({ tx, subjectId, now }) => {
    const batch = await lockBatch(tx, subjectId);
    if (batch?.status !== 'running') return null;
    const when = { at: await timeIn(tx, batch.environment, now), now };
    const ids = await nextInstances(tx, batch, AT_ONCE);
    let { done } = batch;
    for (const id of ids) if (await isChanged(tx, batch, id, when)) done += 1;
    const ended = ids.length < AT_ONCE;
    // An instance that ended by itself meanwhile counts as one that stayed as it was.
    const counted = ended ? batch.total : batch.done + batch.refused + ids.length;
    await noteProgress(
      tx,
      batch.id,
      {
        status: ended ? 'completed' : 'running',
        done,
        refused: counted - done,
        lastInstanceId: ids.at(-1) ?? batch.lastInstanceId,
        endedAt: ended ? when.at : null,
      },
      when.at,
    );
    return ended ? null : 0;
  },
  giveUp: async ({ tx, subjectId, now }) => {
    const batch = await lockBatch(tx, subjectId);
    if (batch?.status !== 'running') return;
    const at = await timeIn(tx, batch.environment, now);
    const { done, lastInstanceId } = batch;
    const progress = {
      status: 'completed',
      done,
      refused: batch.total - done,
      lastInstanceId,
      endedAt: at,
    } as const;
    await noteProgress(tx, batch.id, progress, at);
  },
};

/** Changes one instance. Returns false if that is not possible; it is refused before anything is written. */
async function isChanged(tx: Transaction, batch: Batch, id: string, when: When): Promise<boolean> {
  const instance = await lockInstance(tx, id);
  if (instance === null || (instance.status !== 'active' && instance.status !== 'suspended')) return false;
  try {
    return await CHANGES[batch.action](tx, batch, instance, when);
  } catch (failure) {
    if (failure instanceof Problem || failure instanceof Stale) return false;
    throw failure;
  }
}

type Change = (tx: Transaction, batch: Batch, instance: LockedInstance, when: When) => Promise<boolean>;

const CHANGES: Readonly<Record<Batch['action'], Change>> = {
  cancel: async (tx, batch, instance, when) => {
    await cancelInstance(tx, instance, when);
    audit(tx, batch, { action: 'workflow.cancelled', type: 'workflow_instance', id: instance.id }, when);
    return true;
  },
  migrate: async (tx, batch, instance, when) => {
    const target = await versionFor(tx, instance, batch.definitionId!);
    const state = await stateIn(tx, instance, target, { mappings: batch.mappings, when });
    await moveTo(tx, instance, { target, state, mappings: batch.mappings }, when);
    audit(tx, batch, { action: 'workflow.migrated', type: 'workflow_instance', id: instance.id }, when);
    return true;
  },
  retry: async (tx, batch, instance, when) => {
    if (instance.status !== 'active') return false;
    const open = await openIncidents(tx, instance.id);
    let current = instance;
    for (const { id, execution } of open) {
      resolveIncident(tx, id, { resolvedBy: batch.createdBy, at: when.at });
      current = await advance(tx, current, { do: 'retry', execution, variables: {} }, when);
      audit(tx, batch, { action: 'workflow_incident.resolved', type: 'workflow_incident', id }, when);
    }
    return open.length > 0;
  },
};

type Audited = Extract<AuditAction, 'workflow.cancelled' | 'workflow.migrated' | 'workflow_incident.resolved'>;

/** Writes what a batch did to a record, in the name of the person who started it. */
function audit(
  tx: Transaction,
  { id, environment, createdBy }: Batch,
  done: { readonly action: Audited; readonly type: 'workflow_instance' | 'workflow_incident'; readonly id: string },
  { now }: When,
): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    actor: { ...createdBy, impersonatorId: null },
    action: done.action,
    resource: { type: done.type, id: done.id },
    outcome: 'success',
    changes: [{ op: 'add', path: '/batchId', value: id }],
  });
}

/** Refuses the version of a migration without one, and one of anything else. */
function assertFits({ action, definitionId, mappings }: components['schemas']['WorkflowBatchCreate']): void {
  const errors = [
    ...(action === 'migrate' && definitionId === undefined
      ? [{ pointer: '/definitionId', code: 'required', message: 'is needed to migrate' }]
      : []),
    ...Object.entries({ definitionId, mappings })
      .filter(([, value]) => action !== 'migrate' && value !== undefined)
      .map(([name]) => ({ pointer: `/${name}`, code: 'not_allowed', message: 'belongs to the action migrate' })),
  ];
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

async function begin(ctx: Context<'createWorkflowBatch'>): Promise<Batch> {
  const { tx, principal, environment, body, now } = ctx;
  const { action, definitionId, mappings = [] } = body;
  const { definitionKey, definitionNumber = null, hasIncident = null } = body.filter;
  assertFits(body);
  if (definitionId !== undefined) await versionFor(tx, { environment, definitionKey }, definitionId);
  void lockUntilCommit(tx, 'workflowBatch', `${principal.tenantId} ${environment}`);
  if (await isBatchRunning(tx, environment)) throw new Problem('workflow_batch_running');
  const filter = { definitionKey, definitionNumber, hasIncident };
  const found = await matchingInstances(tx, { environment, filter }, MOST_INSTANCES + 1);
  if (found.length > MOST_INSTANCES) throw new Problem('workflow_batch_too_large');
  const at = ctx.timeIn(environment);
  const id = uuidv7();
  insertBatch(tx, {
    id,
    environment,
    action,
    filter,
    definitionId: definitionId ?? null,
    mappings,
    status: 'running',
    total: found.length,
    done: 0,
    refused: 0,
    lastInstanceId: null,
    untilInstanceId: found.at(-1) ?? null,
    createdBy: actorOf(principal),
    createdAt: at,
    endedAt: null,
    updatedAt: at,
  });
  enqueueTask(tx, { name: BATCH }, id, now);
  return (await findBatch(tx, id))!;
}

type Operations = 'createWorkflowBatch' | 'getWorkflowBatch';

export const batchHandlers: Pick<Handlers, Operations> = {
  createWorkflowBatch: async (ctx) => {
    ctx.setResourceEnvironment(ctx.environment);
    const batch = await begin(ctx);
    const { action, filter, total } = batch;
    ctx.audit(
      'workflow_batch.started',
      { type: 'workflow_batch', id: batch.id },
      {
        action,
        ...filter,
        total,
        note: ctx.body.note,
      },
    );
    return ctx.reply(202, presentBatch(batch));
  },

  getWorkflowBatch: async (ctx) => {
    const found = await lookup(ctx).batch(ctx.params.workflowBatchId).forReading();
    return ctx.reply(200, presentBatch(found), { ETag: etagOf(found.version) });
  },
};
