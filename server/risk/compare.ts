/** Compares two models over what was known about many subjects: for backtests, and for a draft that scores silently. */
import type { FactCatalogue, Facts, ReferenceLists } from './facts.ts';
import type { RiskLevel, RiskModel, RiskOutcome } from './model.ts';
import { factsOf } from './reads.ts';
import { assessRisk, LEVELS } from './score.ts';

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
      /** Keys of up to three factors whose points changed most, the largest change first. */
      readonly topFactors: readonly string[];
    };

type ByLevel<T> = Readonly<Record<(typeof LEVELS)[number], T>>;

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
    /** Approved, and high or prohibited by the model after. */
    readonly approvedNowHigh: number;
  };
}

/** Applies two models to a snapshot. A model that reads a fact which was not captured then cannot score it. */
export function compareModels(
  before: PinnedModel,
  after: PinnedModel,
  snapshot: Snapshot,
  catalogue: FactCatalogue,
): Compared {
  const from = outcomeOf(before, snapshot, catalogue);
  const to = outcomeOf(after, snapshot, catalogue);
  if (from === null || to === null) return { unscorable: true };
  return {
    unscorable: false,
    from: from.level,
    to: to.level,
    decided: snapshot.decided,
    topFactors: topFactors(from, to),
  };
}

function outcomeOf({ model, lists }: PinnedModel, { facts, today }: Snapshot, catalogue: FactCatalogue) {
  const wasCaptured = readsOf(model).every((path) => {
    const fact = catalogue.get(path);
    return fact !== undefined && fact.availableSince <= today;
  });
  if (!wasCaptured) return null;
  const outcome = assessRisk(model, { facts, lists, today });
  return 'unscorable' in outcome ? null : outcome;
}

const reads = new WeakMap<RiskModel, readonly string[]>();

/** Returns the facts that a model reads. They are collected once for all snapshots. */
function readsOf(model: RiskModel): readonly string[] {
  const known = reads.get(model) ?? factsOf(model);
  reads.set(model, known);
  return known;
}

const MOST_FACTORS = 3;

function topFactors(from: RiskOutcome, to: RiskOutcome): string[] {
  const pointsOf = ({ contributions }: RiskOutcome) =>
    new Map(contributions.map(({ factorKey, points }) => [factorKey, Number(points)]));
  const [before, after] = [pointsOf(from), pointsOf(to)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((key) => ({ key, change: Math.abs((after.get(key) ?? 0) - (before.get(key) ?? 0)) }))
    .filter(({ change }) => change > 0)
    .sort((one, other) => other.change - one.change)
    .slice(0, MOST_FACTORS)
    .map(({ key }) => key);
}

/** Returns sums over nothing. */
export function noComparison(): ComparisonTotals {
  return {
    scored: 0,
    unscorable: 0,
    matrix: byLevel(() => byLevel(() => 0)),
    agreement: {
      rejected: 0,
      rejectedCaughtBefore: 0,
      rejectedCaughtAfter: 0,
      approved: 0,
      approvedNowHigh: 0,
    },
  };
}

function byLevel<T>(value: (level: (typeof LEVELS)[number]) => T): ByLevel<T> {
  return {
    low: value('low'),
    medium: value('medium'),
    high: value('high'),
    prohibited: value('prohibited'),
  };
}

const isHigh = (level: RiskLevel): number => Number(level === 'high' || level === 'prohibited');

/** Adds a compared snapshot to the sums. */
export function addCompared(totals: ComparisonTotals, compared: Compared): ComparisonTotals {
  if (compared.unscorable) return { ...totals, unscorable: totals.unscorable + 1 };
  const { from, to, decided } = compared;
  const [rejected, approved] = [Number(decided === 'rejected'), Number(decided === 'approved')];
  const { agreement, matrix } = totals;
  return {
    scored: totals.scored + 1,
    unscorable: totals.unscorable,
    matrix: { ...matrix, [from]: { ...matrix[from], [to]: matrix[from][to] + 1 } },
    agreement: {
      rejected: agreement.rejected + rejected,
      rejectedCaughtBefore: agreement.rejectedCaughtBefore + rejected * isHigh(from),
      rejectedCaughtAfter: agreement.rejectedCaughtAfter + rejected * isHigh(to),
      approved: agreement.approved + approved,
      approvedNowHigh: agreement.approvedNowHigh + approved * isHigh(to),
    },
  };
}

/** Returns how many subjects have each level before and after. */
export function levelCounts({ matrix }: ComparisonTotals): { before: ByLevel<number>; after: ByLevel<number> } {
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  return {
    before: byLevel((level) => total(Object.values(matrix[level]))),
    after: byLevel((level) => total(LEVELS.map((from) => matrix[from][level]))),
  };
}
