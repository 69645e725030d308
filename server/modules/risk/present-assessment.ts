import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { shown } from '../../rules/mask.ts';
import { subjectNamedBy } from '../../rules/subject.ts';
import { counterfactualsOf } from '../../risk/counterfactuals.ts';
import type { RiskLevel, RiskModel, RiskOutcome } from '../../risk/model.ts';
import { assessRisk } from '../../risk/score.ts';
import { openedRow, openingKey } from '../subject-keys/index.ts';
import { type Explanation, MODEL_OF } from './assess.ts';
import { type Assessment, assessment } from './assessment-store.ts';
import { factCatalogue } from './catalogue.ts';
import { currentOverride, lastOverride, type RiskOverride, riskOverride } from './override-store.ts';
import { decimalOf, type Snapshot, unitsOf } from './snapshot.ts';
import { findVersion, modelOf, recordedLists } from './versions.ts';

type Schemas = components['schemas'];

interface Reader {
  readonly tx: Transaction;
  readonly principal: AnyPrincipal;
}

/** Presents an assessment to its reader, with the changes of one fact that would move the level. */
export async function presentAssessment(
  { tx, principal }: Reader,
  stored: Assessment,
  { recompute = false } = {},
): Promise<Schemas['RiskAssessment']> {
  const subject = subjectNamedBy(stored);
  const { environment, lists, modelId } = stored;
  const [key, definition, values, override, catalogue] = await Promise.all([
    openingKey(tx, { type: subject.kind, id: subject.id }),
    findVersion(tx, 'risk_model', modelId),
    recordedLists(tx, environment, lists),
    overrideOf(tx, stored),
    factCatalogue(tx, MODEL_OF[subject.kind]),
  ]);
  const { result, snapshot } = openedRow(assessment, stored, key);
  const explanation = JSON.parse(result) as Explanation;
  const inputs = { ...(JSON.parse(snapshot) as Snapshot), lists: values };
  const model = modelOf(definition!);
  const { result: _, snapshot: __, erasedAt: ___, overriddenUntil: ____, score, ...own } = stored;
  return shown(
    'RiskAssessment',
    {
      ...own,
      ...explanationOf(explanation),
      lists: [...lists],
      score: decimalOf(score),
      personalDataMasked: principal.personalData === 'masked',
      reviewMonths: monthsOf(model, stored.effectiveLevel),
      counterfactuals: [...counterfactualsOf(model, inputs, catalogue)],
      override: override === null ? null : presentOverride(openedRow(riskOverride, override, key)),
      reproduced: recompute ? isReproduced(assessRisk(model, inputs), stored, explanation) : null,
    },
    { principal },
  );
}

/** Returns after how many months a model demands a review; null for a prohibited subject. */
export function monthsOf({ reviewMonths }: RiskModel, level: RiskLevel): number | null {
  return level === 'prohibited' ? null : reviewMonths[level];
}

const explanationOf = ({ contributions, hardRulesFired, missingFacts }: Explanation) => ({
  contributions: [...contributions],
  hardRulesFired: [...hardRulesFired],
  missingFacts: [...missingFacts],
});

/**
 * Returns the override that holds for the current assessment of a subject, or the last one of an earlier assessment.
 */
async function overrideOf(tx: Transaction, found: Assessment): Promise<RiskOverride | null> {
  const current = found.supersededById === null ? await currentOverride(tx, subjectNamedBy(found)) : null;
  return current ?? lastOverride(tx, found.id);
}

function presentOverride({
  level,
  reasonCode,
  note,
  createdBy,
  createdAt,
  expiresAt,
  endedAt,
}: RiskOverride): Schemas['RiskOverride'] {
  return {
    level,
    reasonCode,
    note,
    by: createdBy,
    createdAt,
    expiresAt,
    endedAt,
  };
}

function isReproduced(
  outcome: ReturnType<typeof assessRisk>,
  { score, baseLevel, level, requiresEnhanced }: Assessment,
  explanation: Explanation,
): boolean {
  if ('unscorable' in outcome) return false;
  const again = {
    score: unitsOf(outcome.score),
    baseLevel: outcome.baseLevel,
    level: outcome.level,
    requiresEnhanced: outcome.requireEnhanced,
  };
  return (
    isDeepStrictEqual(again, {
      score,
      baseLevel,
      level,
      requiresEnhanced,
    }) && isDeepStrictEqual(JSON.parse(JSON.stringify(explanationOf(outcome))), explanationOf(explanation))
  );
}

/** What a dry run has assessed. */
export interface Tried {
  readonly outcome: RiskOutcome;
  readonly shown: Omit<
    Schemas['RiskAssessment'],
    | keyof Explanation
    | 'score'
    | 'baseLevel'
    | 'level'
    | 'effectiveLevel'
    | 'requiresEnhanced'
    | 'id'
    | 'personalDataMasked'
    | 'override'
    | 'reproduced'
    | 'supersededById'
  >;
}

/** Presents a dry run, of which nothing is stored. */
export function presentTried(
  { principal }: Pick<Reader, 'principal'>,
  { outcome, shown: of }: Tried,
): Schemas['RiskAssessment'] {
  return shown(
    'RiskAssessment',
    {
      ...of,
      ...explanationOf(outcome),
      id: null,
      personalDataMasked: principal.personalData === 'masked',
      score: outcome.score,
      baseLevel: outcome.baseLevel,
      level: outcome.level,
      effectiveLevel: outcome.level,
      requiresEnhanced: outcome.requireEnhanced,
      override: null,
      reproduced: null,
      supersededById: null,
    },
    { principal },
  );
}
