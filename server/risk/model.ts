/**
 * A risk model and what an assessment by it takes and gives. The forms are those of the contract: what is computed here
 * is stored and answered as it is.
 */
import type { components } from '../contract/generated/types.ts';
import type { Facts, ReferenceLists } from './facts.ts';

type Schemas = components['schemas'];

export type RiskModel = Schemas['RiskModelDefinition'];
export type RiskFactor = Schemas['RiskFactor'];
export type RiskScoring = Schemas['RiskScoring'];
export type RiskExpression = Schemas['RiskExpression'];
export type RiskOperand = Schemas['RiskOperand'];
export type RiskLevel = Schemas['RiskLevel'];
export type RiskContribution = Schemas['RiskContribution'];
export type RiskRuleFired = Schemas['RiskRuleFired'];
export type RiskCounterfactual = Schemas['RiskCounterfactual'];

/** What a model is applied to. */
export interface RiskInputs {
  readonly facts: Facts;
  /** The versions of the reference lists that count. A list that is not there has no values. */
  readonly lists: ReferenceLists;
  /** The day of the assessment, in São Paulo (YYYY-MM-DD): ages and durations are counted up to it. */
  readonly today: string;
}

/** The outcome of a model. */
export interface RiskOutcome {
  /** The score, from 0.0000 to 100.0000. */
  readonly score: string;
  /** The level by score and thresholds alone. */
  readonly baseLevel: RiskLevel;
  /** The level after the hard rules, which only raise it. */
  readonly level: RiskLevel;
  readonly contributions: readonly RiskContribution[];
  readonly hardRulesFired: readonly RiskRuleFired[];
  /** Whether a hard rule demands enhanced diligence. */
  readonly requireEnhanced: boolean;
  /** Paths of the facts whose absence had an effect, sorted. */
  readonly missingFacts: readonly string[];
}

/** The answer where the model's policy for missing data, or the absence of all data, leaves no score. */
export interface Unscorable {
  readonly unscorable: true;
  readonly missingFacts: readonly string[];
}
