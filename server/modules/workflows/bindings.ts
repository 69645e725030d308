/**
 * Does the work of processes that the service itself does, by the functions that its own handlers and tasks call, so
 * that every rule of theirs holds. A refusal is an error that the process can catch by the code of the problem.
 */
import { appendAudit } from '../../audit/chain.ts';
import type { Json } from '../../base/canonical-json.ts';
import type { BusinessTimestamp } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { TaskStep, WorkKind } from '../../tasks/task.ts';
import type { DecisionTable } from '../../workflow/feel/decision-table.ts';
import { type Variables, variablesSeenBy } from '../../workflow/kernel/state.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import { inThread } from '../../workflow/thread/in-thread.ts';
import {
  type ApplicationRecord,
  considerScreened,
  findReadable,
  lockApplication,
} from '../applications/index.ts';
import { auditJoined, openOrJoin } from '../cases/index.ts';
import { activeDefinition } from '../definitions/index.ts';
import { assessRecord, currentAssessment } from '../risk/index.ts';
import { type LoadedLists, rescreen } from '../screenings/index.ts';
import { advance, nodeOf } from './advance.ts';
import { type Binding, BINDING, isBinding } from './binding-types.ts';
import type { When } from './follow.ts';
import { findInstance, type Instance, lockInstance } from './instance-store.ts';
import { changeJob, findJob, type Job, lockJob } from './job-store.ts';
import { tableOf } from './model-store.ts';

/** A refusal that the process learns of as an error with this code. */
class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Thrown if the process no longer needs the work, so that the work is rolled back. */
class Overtaken extends Error {}

interface Services {
  readonly watchLists: LoadedLists;
}

/** A decision table with what it is asked, or null for work that asks none. */
interface Question {
  readonly table: DecisionTable;
  readonly result: string;
  readonly variables: Variables;
  readonly at: BusinessTimestamp;
}

type Input = { readonly question: Question | null } | { readonly refused: string };

/** What a table has decided; work without a table is done when its effect is written. */
type Output = { readonly values: Variables } | { readonly refused: string } | null;

/** The instance, its time, and the variables that the work sees. */
interface Call extends When {
  readonly tx: Transaction;
  readonly instance: Instance;
  readonly variables: Variables;
  readonly services: Services;
}

export const bindingTask: WorkKind<Services, Input, Output> = {
  name: BINDING,

  claim: async ({ tx, subjectId, now }) => {
    const job = await findJob(tx, subjectId);
    const instance = job === null ? null : await findInstance(tx, job.instanceId);
    // A suspended instance queues its work again when it is resumed.
    if (job?.status !== 'waiting' || instance?.status !== 'active') return null;
    if (job.type !== 'decision.table') return { question: null };
    return questionOf(tx, job, instance, (await timeIn(tx, instance.environment, now)).toISOString());
  },

  work: async (input) => {
    if ('refused' in input) return input;
    if (input.question === null) return null;
    const { result, ...asked } = input.question;
    const answer = await inThread({ do: 'decide', ...asked });
    if (answer === 'exceeded' || answer.did !== 'decide') return { refused: 'decision_failed' };
    const { decided } = answer;
    return 'failed' in decided ? { refused: 'decision_failed' } : { values: { [result]: decided.result } };
  },

  finish: async (step, output, services) => {
    const { tx, subjectId, now } = step;
    const found = await findJob(tx, subjectId);
    const before = found === null ? null : await findInstance(tx, found.instanceId);
    if (found === null || before === null) return;
    const at = await timeIn(tx, before.environment, now);
    const call = {
      tx,
      instance: before,
      variables: variablesFor(before, found),
      services,
      at,
      now,
    };
    const done = output ?? (await carriedOut(call, found.type));
    // What the work locks comes before the instance, because an erasure locks in this order.
    const instance = await lockInstance(tx, found.instanceId);
    const job = await lockJob(tx, subjectId);
    if (instance?.status !== 'active' || job?.status !== 'waiting') throw new Overtaken('The work is not needed.');
    await end(step, { instance, job }, done, { at, now });
  },

  giveUp: async ({ tx, subjectId, now }) => {
    const found = await findJob(tx, subjectId);
    const instance = found === null ? null : await lockInstance(tx, found.instanceId);
    const job = instance === null ? null : await lockJob(tx, subjectId);
    if (instance?.status !== 'active' || job?.status !== 'waiting') return;
    const message = 'The service could not do the work.';
    const command = {
      do: 'stop',
      execution: job.execution,
      code: 'retries_exhausted',
      message,
    } as const;
    await advance(tx, instance, command, { at: await timeIn(tx, instance.environment, now), now });
  },
};

/** Writes that the work is done, and lets the instance go on with its values or with an error. */
async function end(
  { tx }: TaskStep,
  { instance, job }: { readonly instance: Instance; readonly job: Job },
  done: NonNullable<Output>,
  when: When,
): Promise<void> {
  const { id, execution, retriesLeft } = job;
  const row = {
    status: 'completed',
    retriesLeft,
    lockedUntil: null,
    availableAt: when.now,
  } as const;
  await changeJob(tx, id, row, when.at);
  const variables = 'values' in done ? done.values : {};
  const command =
    'refused' in done
      ? ({
          do: 'error',
          execution,
          code: done.refused,
          variables,
        } as const)
      : ({ do: 'complete', execution, variables } as const);
  // A command that waits may have ended what needed the work.
  await advance(tx, instance, command, when).catch((failure: unknown) => {
    if (!(failure instanceof Stale)) throw failure;
  });
}

/** Returns the variables that a piece of work sees. */
function variablesFor({ state, variables }: Instance, { execution }: Job): Variables {
  const executions = new Map((state?.executions ?? []).map((one) => [one.id, one]));
  return variablesSeenBy(execution, (id) => executions.get(id), variables);
}

async function questionOf(tx: Transaction, job: Job, instance: Instance, at: BusinessTimestamp): Promise<Input> {
  const node = await nodeOf(tx, instance.definitionId, job.elementId);
  const { key, result } = node.job!.decision!;
  const table = await activeDefinition(tx, { environment: instance.environment, kind: 'decision_table', key });
  if (table === null) return { refused: 'decision_not_active' };
  return {
    question: {
      table: await tableOf(tx, table.id),
      result,
      variables: variablesFor(instance, job),
      at,
    },
  };
}

/** Does the work, or returns the code of the problem because of which nothing was done. */
async function carriedOut(call: Call, type: string): Promise<NonNullable<Output>> {
  if (!isBinding(type)) throw new Error(`${type} is no work of the service`);
  try {
    return { values: await DO[type](call) };
  } catch (failure) {
    if (failure instanceof Refused) return { refused: failure.code };
    // Problems are thrown before anything is written.
    if (failure instanceof Problem) return { refused: failure.code };
    throw failure;
  }
}

const DO: Readonly<Record<Binding, (call: Call) => Promise<Variables>>> = {
  'case.open': openCaseFor,
  'decision.propose': propose,
  'decision.table': () => Promise.reject(new Error('A table decides before the transaction.')),
  'risk.assess': assessFor,
  'screening.run': screenFor,
};

/** Returns who acts in the name of a process. */
function actorFor({ definitionKey, definitionNumber }: Instance): components['schemas']['Actor'] {
  const version = `@${definitionNumber}`;
  const id = `workflow:${definitionKey}`.slice(0, 64 - version.length) + version;
  return { type: 'system', id, display: `Workflow ${definitionKey}`.slice(0, 120) };
}

function applicationIdOf({ applicationId }: Instance): string {
  if (applicationId === null) throw new Refused('no_application');
  return applicationId;
}

/** Locks the application that the instance is about. */
async function applicationOf({ tx, instance }: Call): Promise<ApplicationRecord> {
  const found = await lockApplication(tx, { tenantId: tx.tenantId!, id: applicationIdOf(instance) });
  if (found === null || found.erasedAt !== null) throw new Refused('no_application');
  const { erasedAt: _, ...record } = found;
  return record;
}

async function assessFor(call: Call): Promise<Variables> {
  const { tx, at, now } = call;
  const record = await applicationOf(call);
  if (record.status === 'draft') throw new Refused('not_submitted');
  if (!(await assessRecord(tx, record, 'event', { at, now }))) throw new Refused('risk_unscorable');
  const current = (await currentAssessment(tx, record.id))!;
  return { risk: { assessmentId: current.id, level: current.effectiveLevel } };
}

async function screenFor({ tx, instance, services, at, now }: Call): Promise<Variables> {
  const found = await findReadable(tx, { tenantId: tx.tenantId!, id: applicationIdOf(instance) });
  if (found === null || found === 'unreadable' || found.erasedAt !== null) throw new Refused('no_application');
  const screener = {
    tx,
    tenantId: tx.tenantId!,
    by: actorFor(instance),
    at,
    now,
  };
  const { id, result, hitCount } = await rescreen(screener, services.watchLists, found);
  appendAudit(tx, {
    ...eventOf(instance, now.toISOString()),
    action: 'screening.run',
    resource: { type: 'screening', id },
    changes: added({ applicationId: found.id, result }),
  });
  return { screening: { id, result, hitCount } };
}

/** Opens a case about the application, or joins the open one. The variable `queue` names the wanted queue. */
async function openCaseFor(call: Call): Promise<Variables> {
  const { tx, instance, variables, at, now } = call;
  const record = await applicationOf(call);
  const queue = typeof variables['queue'] === 'string' ? variables['queue'] : 'normal';
  const joined = await openOrJoin(tx, {
    environment: record.environment,
    applicationId: record.id,
    type: 'ad_hoc',
    queue,
    openedReason: 'manual',
    link: null,
    by: actorFor(instance),
    at,
  });
  auditJoined((action, resource, changes = {}) => {
    appendAudit(tx, {
      ...eventOf(instance, now.toISOString()),
      action,
      resource,
      changes: added(changes),
    });
  }, joined);
  return { case: { id: joined.record.id, number: joined.record.number } };
}

/** Lets the automatic approval examine the case. It approves by its own criteria, and everything else is for people. */
async function propose({ tx, instance, now }: Call): Promise<Variables> {
  const record = await findReadable(tx, { tenantId: tx.tenantId!, id: applicationIdOf(instance) });
  if (record === null || record === 'unreadable' || record.erasedAt !== null) throw new Refused('no_application');
  await considerScreened(tx, record.id, now);
  return {};
}

const eventOf = (instance: Instance, occurredAt: string) =>
  ({
    occurredAt,
    environment: instance.environment,
    actor: { ...actorFor(instance), impersonatorId: null },
    outcome: 'success',
  }) as const;

const added = (members: object): { op: 'add'; path: string; value: Json }[] =>
  Object.entries(members).map(([name, value]) => ({ op: 'add', path: `/${name}`, value: value as Json }));
