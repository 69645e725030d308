import type { Json } from '../../base/canonical-json.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import type { SubjectType } from '../../risk/facts.ts';
import {
  type Activation,
  type Definition,
  findActivation,
  findDefinition,
  refusalOf,
  requestActivation,
  reviewActivation,
} from '../definitions/index.ts';
import type { When } from '../subject-events/index.ts';
import { findComparison, lockComparison, runningShadow } from './comparison-store.ts';
import { isStale } from './comparisons.ts';
import { hasAssessments, kindOf } from './population-store.ts';
import { reassessAll } from './portfolio.ts';
import type { ActivationEvidence } from './present.ts';
import { endShadow } from './shadow.ts';
import { activeVersion, listName, modelName } from './versions.ts';

/** Requests that a draft becomes the active model. It rests on a fresh comparison with the active one. */
export async function requestModelActivation(
  { tx, body, principal, now }: Context<'activateRiskModel'>,
  draft: Definition,
): Promise<Definition> {
  if (draft.status !== 'draft') throw refusalOf(draft);
  const evidence = { ...(await evidenceFor(tx, draft, body.backtestId, now)), note: body.note ?? null };
  await requestActivation(tx, draft.id, {
    checksum: body.checksum,
    evidence: evidence as unknown as Json,
    maker: principal,
    now,
  });
  return (await findDefinition(tx, draft.id))!;
}

/** Returns the results that a request rests on. A tenant that has assessed nobody has nothing to compare. */
async function evidenceFor(
  tx: Transaction,
  { id, environment, key }: Definition,
  backtestId: string | undefined,
  now: When['now'],
): Promise<Omit<ActivationEvidence, 'note'>> {
  if (backtestId === undefined) {
    if (await hasAssessments(tx, { environment, kind: kindOf(key as SubjectType) }))
      throw new Problem('backtest_required');
    return { backtestId: null, results: null };
  }
  const comparison = await findComparison(tx, backtestId);
  if (comparison === null || comparison.modelId !== id || comparison.status !== 'completed')
    throw new Problem('backtest_required');
  if (await isStale(tx, comparison, now)) throw new Problem('backtest_stale');
  return { backtestId: comparison.id, results: comparison.results };
}

interface Reviewed {
  readonly outcome: 'confirmed' | 'returned' | 'stale';
  readonly definition: Definition;
  /** Version that was active until now; null for the first version of a list. */
  readonly before: Definition | null;
  /** Answer to a review of outdated results, after which the version is a draft again. */
  readonly refusal: Problem | null;
}

type ReviewContext = Context<'reviewRiskModelActivation'> | Context<'reviewReferenceListActivation'>;

/** Ends the request for the activation of a model by the verdict of a second person. */
export async function reviewModelActivation(
  ctx: Context<'reviewRiskModelActivation'>,
  model: Definition,
): Promise<Reviewed & { readonly before: Definition }> {
  const { tx, now } = ctx;
  const subjectType = model.key as SubjectType;
  const activation = await activationOf(ctx, model);
  const before = (await activeVersion(tx, modelName(model.environment, subjectType)))!;
  const evidence = await currentEvidence(tx, activation, now);
  const reviewed = await review(ctx, activation, evidence);
  if (reviewed.outcome === 'confirmed') {
    const shadow = await runningShadow(tx, model.environment, subjectType);
    if (shadow?.modelId === model.id) await endShadow(tx, (await lockComparison(tx, shadow.id))!, now);
    await reassessAll(tx, model.environment, model.id, now);
  }
  return { ...reviewed, before };
}

/** Returns the results that a request rests on as they are now. If they are stale, they differ from those of then. */
async function currentEvidence(tx: Transaction, { evidence }: Activation, now: When['now']): Promise<Json> {
  const { backtestId, note } = evidence as unknown as ActivationEvidence;
  if (backtestId === null) return evidence;
  const comparison = await findComparison(tx, backtestId);
  if (comparison === null || (await isStale(tx, comparison, now)))
    return {
      backtestId,
      results: null,
      note,
      isStale: true,
    };
  return { backtestId, results: comparison.results, note } as unknown as Json;
}

/** Ends the request for the activation of a reference list by the verdict of a second person. */
export async function reviewListActivation(
  ctx: Context<'reviewReferenceListActivation'>,
  draft: Definition,
): Promise<Reviewed> {
  const { tx, now } = ctx;
  const activation = await activationOf(ctx, draft);
  const before = await activeVersion(tx, listName(draft.environment, draft.key));
  const reviewed = await review(ctx, activation, activation.evidence);
  if (reviewed.outcome === 'confirmed') await reassessAll(tx, draft.environment, draft.id, now);
  return { ...reviewed, before };
}

async function activationOf(
  { tx, params }: Pick<ReviewContext, 'tx' | 'params'>,
  { id }: Definition,
): Promise<Activation> {
  const activation = await findActivation(tx, params.activationId);
  if (activation === null || activation.definitionId !== id) throw new Problem('not_found');
  return activation;
}

async function review(
  { tx, principal, body, now }: ReviewContext,
  activation: Activation,
  evidence: Json,
): Promise<Omit<Reviewed, 'before'>> {
  const { verdict, note, evidenceDigest } = body;
  const { outcome, definition } = await reviewActivation(tx, activation.id, {
    verdict,
    note,
    digest: evidenceDigest,
    evidence,
    checker: principal,
    now,
  });
  return { outcome, definition, refusal: outcome === 'stale' ? new Problem('evidence_changed') : null };
}
