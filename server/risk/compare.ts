import type { FactCatalogue, Facts, ReferenceLists } from './facts.ts';
import type { RiskLevel, RiskModel } from './model.ts';

/** A model with the versions of the reference lists that it is scored with. */
export interface PinnedModel {
  readonly model: RiskModel;
  readonly lists: ReferenceLists;
}

/** What was known about a subject on a day. */
export interface Snapshot {
  readonly facts: Facts;
  /** The day, in São Paulo (YYYY-MM-DD). */
  readonly today: string;
  /** How the subject was decided about, if at all. */
  readonly decided: 'approved' | 'rejected' | null;
}

/** Two models applied to one snapshot. */
export type Compared =
  | { readonly unscorable: true }
  | {
      readonly unscorable: false;
      readonly from: RiskLevel;
      readonly to: RiskLevel;
      readonly decided: Snapshot['decided'];
      /** Keys of up to three factors whose points changed most. */
      readonly topFactors: readonly string[];
    };

type ByLevel<T> = Readonly<Record<'low' | 'medium' | 'high' | 'prohibited', T>>;

/** Sums over all snapshots so far: plain JSON, which a task keeps between its steps. */
export interface ComparisonTotals {
  readonly scored: number;
  readonly unscorable: number;
  /** Counts by the level before and the level after. */
  readonly matrix: ByLevel<ByLevel<number>>;
  /** How often decision and level agree. `caught`: rejected, and the level is high or prohibited. */
  readonly agreement: {
    readonly rejected: number;
    readonly rejectedCaughtBefore: number;
    readonly rejectedCaughtAfter: number;
    readonly approved: number;
    readonly approvedNowHigh: number;
  };
}

/** Applies two models to a snapshot. A model that reads a fact which was not captured then cannot score it. */
export declare function compareModels(
  before: PinnedModel,
  after: PinnedModel,
  snapshot: Snapshot,
  catalogue: FactCatalogue,
): Compared;

/** Returns sums over nothing. */
export declare function noComparison(): ComparisonTotals;

/** Adds a compared snapshot to the sums. */
export declare function addCompared(totals: ComparisonTotals, compared: Compared): ComparisonTotals;

/** Returns how many subjects have each level before and after. */
export declare function levelCounts(totals: ComparisonTotals): { before: ByLevel<number>; after: ByLevel<number> };
