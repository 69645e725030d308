import { DAY_MILLISECONDS, readInstant, type RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { cancelTask, enqueueTask } from '../../tasks/task.ts';
import type { Definition } from '../definitions/index.ts';
import { backtestTask } from './backtest-task.ts';
import { removeCompared } from './compared-store.ts';
import {
  type Comparison,
  insertComparison,
  isBacktestRunning,
  lockComparison,
  moveComparison,
} from './comparison-store.ts';
import { hasAssessments, kindOf, populationOf } from './population-store.ts';
import { listsOfBoth } from './shadow.ts';
import { activeLists, activeModel, findVersion, pinned } from './versions.ts';

/** Days for which the results of a comparison may speak for an activation. */
const FRESH_DAYS = 30;

const NO_PRODUCTS = {
  errors: [
    {
      pointer: '/population/productCodes',
      code: 'not_allowed',
      message: 'must be left out for a model of businesses, which have no products',
    },
  ],
};

/** Queues a backtest of a model. Its population is counted now, and selected again when it runs. */
export async function requestBacktest(ctx: Context<'createRiskBacktest'>, model: Definition): Promise<Comparison> {
  const { tx, body, principal, now } = ctx;
  const { environment, key } = model;
  const subjectType = key as Comparison['subjectType'];
  const population = body.population ?? {};
  const of = { environment, kind: kindOf(subjectType) };
  if (of.kind === 'business' && population.productCodes !== undefined)
    throw new Problem('validation_failed', NO_PRODUCTS);
  const baseline = await baselineOf(tx, model, body.baselineModelId);
  if (await isBacktestRunning(tx)) throw new Problem('backtest_running');
  const [ids, isAssessed, lists] = await Promise.all([
    populationOf(tx, of, population),
    hasAssessments(tx, of),
    activeLists(tx, environment),
  ]);
  if (ids.length === 0 && isAssessed) throw new Problem('empty_population');
  const id = uuidv7();
  const row = {
    id,
    environment,
    kind: 'backtest',
    subjectType,
    modelId: model.id,
    modelNumber: model.number,
    modelChecksum: model.checksum,
    baselineId: baseline.id,
    baselineNumber: baseline.number,
    baselineChecksum: baseline.checksum,
    lists: listsOfBoth(pinned(model, lists).listVersions, pinned(baseline, lists).listVersions),
    population,
    status: 'queued',
    taskId: enqueueTask(tx, backtestTask, id, now),
    endsAt: null,
    createdBy: actorOf(principal),
    createdAt: now,
    startedAt: null,
  } as const;
  insertComparison(tx, row);
  return (await lockComparison(tx, id))!;
}

async function baselineOf(tx: Transaction, model: Definition, wanted: string | undefined): Promise<Definition> {
  const { environment, key } = model;
  if (wanted === undefined) return activeModel(tx, environment, key as Comparison['subjectType']);
  const baseline = await findVersion(tx, 'risk_model', wanted);
  if (baseline !== null && baseline.environment === environment && baseline.key === key) return baseline;
  const message = 'must be a version of the model for the same kind of subject and environment';
  throw new Problem('validation_failed', { errors: [{ pointer: '/baselineModelId', code: 'unknown_model', message }] });
}

/** Stops a backtest, whether it is queued or running. */
export async function cancelBacktest(tx: Transaction, found: Comparison, now: RealTime): Promise<Comparison> {
  const { kind, status, taskId, id } = found;
  if (kind === 'shadow' || (status !== 'queued' && status !== 'running'))
    throw new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: [] });
  if (taskId !== null) await cancelTask(tx, taskId);
  removeCompared(tx, id);
  moveComparison(tx, found, { status: 'cancelled', completedAt: now });
  return (await lockComparison(tx, id))!;
}

/**
 * Returns whether no activation can rest on a comparison: the model, the active model or a list has changed since, or
 * it is too old.
 */
export async function isStale(tx: Transaction, comparison: Comparison, now: RealTime): Promise<boolean> {
  const { environment, subjectType, modelId, completedAt } = comparison;
  const [model, active, lists] = await Promise.all([
    findVersion(tx, 'risk_model', modelId),
    activeModel(tx, environment, subjectType),
    activeLists(tx, environment),
  ]);
  const age = completedAt === null ? 0 : now.getTime() - readInstant(completedAt)!.getTime();
  return (
    age > FRESH_DAYS * DAY_MILLISECONDS ||
    model === null ||
    model.checksum !== comparison.modelChecksum ||
    // After its own activation, a model is the active one, and its comparison keeps what it was compared with.
    (active.id !== comparison.baselineId && active.id !== modelId) ||
    comparison.lists.some(({ listId, number }) => lists.get(listId)?.number !== number)
  );
}
