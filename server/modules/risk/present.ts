import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import type { SubjectType } from '../../risk/facts.ts';
import { activationDigest, type Definition, definitionsOf, lastActivation } from '../definitions/index.ts';
import { findReview } from '../second-review/index.ts';
import type { AssessmentSummary } from './assessment-store.ts';
import { type Comparison, runningShadow } from './comparison-store.ts';
import { isStale } from './comparisons.ts';
import type { Compared } from './compared-store.ts';
import { lastReassessment } from './reassessment-store.ts';
import { shadowResults } from './results.ts';
import { decimalOf } from './snapshot.ts';
import { activeVersion, listName, listOf, modelOf } from './versions.ts';

type Schemas = components['schemas'];

export function presentModelInList(definition: Definition): Schemas['RiskModelSummary'] {
  const { id, environment, key, number, status, checksum, createdBy, createdAt, activatedAt, retiredAt } = definition;
  return {
    id,
    environment,
    subjectType: key as SubjectType,
    number,
    name: modelOf(definition).name,
    status,
    checksum,
    createdBy,
    createdAt,
    activatedAt,
    retiredAt,
  };
}

export async function presentModel(tx: Transaction, definition: Definition): Promise<Schemas['RiskModel']> {
  const { name: _, ...summary } = presentModelInList(definition);
  const [activation, shadow, reassessment] = await Promise.all([
    presentActivation(tx, definition),
    runningShadow(tx, definition.environment, summary.subjectType),
    presentReassessment(tx, definition),
  ]);
  return {
    ...summary,
    definition: modelOf(definition),
    activation,
    shadowId: shadow?.modelId === definition.id ? shadow.id : null,
    reassessment,
    updatedAt: definition.updatedAt,
    version: definition.version,
  };
}

/** Evidence of a request for activation: the results that it rests on. */
export interface ActivationEvidence {
  readonly backtestId: Uuid | null;
  readonly results: Schemas['RiskBacktestResults'] | null;
  /** Note of the person who requested the activation. */
  readonly note: string | null;
}

async function presentActivation(tx: Transaction, { id }: Definition): Promise<Schemas['RiskActivation'] | null> {
  const activation = await lastActivation(tx, id);
  if (activation === null) return null;
  const review = (await findReview(tx, { type: 'activation', id: activation.id }))!;
  const evidence = activation.evidence as unknown as ActivationEvidence;
  const { state, maker, checker, note, createdAt, closedAt } = review;
  return {
    id: activation.id,
    status: state,
    evidenceDigest: activationDigest(activation.checksum, activation.evidence),
    note: evidence.note,
    backtestId: evidence.backtestId,
    requestedBy: maker,
    requestedAt: createdAt,
    reviewedBy: checker,
    reviewNote: note,
    reviewedAt: closedAt,
  };
}

async function presentReassessment(tx: Transaction, { id }: Definition): Promise<Schemas['RiskReassessment'] | null> {
  const run = await lastReassessment(tx, id);
  if (run === null) return null;
  const { total, done, failed, startedAt, completedAt } = run;
  return {
    status: completedAt === null ? 'running' : 'completed',
    // Applications that were submitted since the count are assessed as well.
    total: Math.max(total, done),
    done,
    failed,
    startedAt,
    completedAt,
  };
}

/** Presents a reference list; null if there is no version of that name. */
export async function presentList(
  tx: Transaction,
  environment: Definition['environment'],
  key: string,
): Promise<Schemas['ReferenceList'] | null> {
  const name = listName(environment, key);
  const [active, versions] = await Promise.all([activeVersion(tx, name), definitionsOf(tx, name)]);
  const draft = versions.find(({ status }) => status === 'draft' || status === 'pending_activation');
  if (active === null && draft === undefined) return null;
  return {
    id: key,
    environment,
    active: active === null ? null : await presentListVersion(tx, active),
    draft: draft === undefined ? null : await presentListVersion(tx, draft),
    reassessment: active === null ? null : await presentReassessment(tx, active),
  };
}

async function presentListVersion(tx: Transaction, version: Definition): Promise<Schemas['ReferenceListVersion']> {
  const { id, number, status, checksum, createdBy, createdAt, activatedAt } = version;
  return {
    id,
    number,
    status,
    ...listOf(version),
    checksum,
    activation: await presentActivation(tx, version),
    createdBy,
    createdAt,
    activatedAt,
  };
}

export async function presentComparison(
  tx: Transaction,
  comparison: Comparison,
  now: Date,
): Promise<Schemas['RiskBacktest']> {
  const { subjectType: _, baselineChecksum: __, taskId: ___, baselineId, baselineNumber, ...own } = comparison;
  const isShadowing = own.kind === 'shadow' && own.status === 'running';
  const soFar = isShadowing ? await shadowResults(tx, own.id) : null;
  return {
    ...own,
    lists: [...own.lists],
    baselineModelId: baselineId,
    baselineModelNumber: baselineNumber,
    results: soFar?.results ?? own.results,
    total: soFar?.total ?? own.total,
    done: soFar?.total ?? own.done,
    isStale: await isStale(tx, comparison, now),
  };
}

export function presentMover({
  applicationId,
  businessId,
  fromLevel,
  toLevel,
  ...mover
}: Compared): Schemas['RiskMover'] {
  return {
    applicationId,
    businessId,
    from: fromLevel,
    to: toLevel,
    scoreBefore: decimalOf(mover.scoreBefore),
    scoreAfter: decimalOf(mover.scoreAfter),
    topFactors: mover.topFactors,
  };
}

export function presentInList({
  modelChecksum: _,
  erasedAt: __,
  score,
  ...own
}: AssessmentSummary): Schemas['RiskAssessmentSummary'] {
  return { ...own, score: decimalOf(score) };
}
