/** Operations on instances: starting and reading them. */
import type { Uuid } from '../../base/uuid.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { scopeRefusal } from '../../request/authorize.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { environmentPage, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { type Subject, subjectNamedBy } from '../../rules/subject.ts';
import { type Definition, lockName } from '../definitions/index.ts';
import { beginInstance, startableVersion } from './begin.ts';
import { scopesFor } from './binding-types.ts';
import { listInstances } from './instance-list-store.ts';
import { type Instance, isRunning } from './instance-store.ts';
import { lookup } from './lookup.ts';
import { presentInstance, presentInstanceInList } from './present.ts';
import { workOf } from './work-of-process.ts';

const about = ({ id }: Pick<Instance, 'id'>) => ({ type: 'workflow_instance', id }) as const;

/** Finds what the instance is to be about. */
function subjectFor(ctx: Context<'startWorkflowInstance'>, subject: Subject | null) {
  if (subject === null) return null;
  const { kind, id } = subject;
  return lookup(ctx)
    [kind](id as Uuid)
    .forChangeWithoutLock();
}

/** Rejects a key that may not order by itself what the process does, or what that leads to. */
async function assertScopes(tx: Transaction, principal: AnyPrincipal, definition: Definition): Promise<void> {
  if (principal.kind === 'user' || principal.scopes.includes('admin')) return;
  const requiredScopes = scopesFor(await workOf(tx, definition)).filter((scope) => !principal.scopes.includes(scope));
  if (requiredScopes.length > 0) throw scopeRefusal(principal, requiredScopes);
}

async function begin(ctx: Context<'startWorkflowInstance'>): Promise<Instance> {
  const { tx, principal, body, now } = ctx;
  const { definitionKey, businessKey, applicationId = null, businessId = null, variables = {} } = body;
  const subject = await subjectFor(ctx, applicationId === null && businessId === null ? null : subjectNamedBy(body));
  const environment = subject?.environment ?? ctx.environment;
  ctx.setResourceEnvironment(environment);
  const definition = await startableVersion(tx, { environment, key: definitionKey });
  if (businessKey !== undefined) {
    lockName(tx, { environment, kind: 'workflow', key: definitionKey });
    if (await isRunning(tx, { environment, definitionKey, businessKey })) throw new Problem('business_key_taken');
  }
  await assertScopes(tx, principal, definition);
  const wanted = {
    applicationId,
    businessId,
    businessKey,
    variables,
    startedBy: actorOf(principal),
  };
  return beginInstance(tx, definition, wanted, { at: ctx.timeIn(environment), now });
}

async function instancePage(
  ctx: Context<'listWorkflowInstances'>,
): Promise<Page<ReturnType<typeof presentInstanceInList>>> {
  const { status = [], definitionKey, businessKey, applicationId, businessId, hasIncident } = ctx.query;
  return environmentPage(ctx, {
    rows: ({ environment, ...wanted }) => {
      const filter = {
        environment,
        statuses: status,
        definitionKey,
        businessKey,
        applicationId,
        businessId,
        hasIncident,
      };
      return listInstances(ctx.tx, filter, wanted);
    },
    position: ({ startedAt, id }) => [startedAt, id],
    item: presentInstanceInList,
  });
}

type Operations = 'startWorkflowInstance' | 'listWorkflowInstances' | 'getWorkflowInstance';

export const instanceHandlers: Pick<Handlers, Operations> = {
  startWorkflowInstance: async (ctx) => {
    const started = await begin(ctx);
    const { definitionKey, definitionNumber } = started;
    ctx.audit('workflow.started', about(started), { definitionKey, definitionNumber });
    return ctx.reply(201, await presentInstance(ctx.tx, started), {
      Location: `/v1/workflows/instances/${started.id}`,
    });
  },

  listWorkflowInstances: async (ctx) => ctx.reply(200, await instancePage(ctx)),

  getWorkflowInstance: async (ctx) => {
    const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forReading();
    return ctx.reply(200, await presentInstance(ctx.tx, found), { ETag: etagOf(found.version) });
  },
};
