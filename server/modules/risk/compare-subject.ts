import { type Snapshot as DecidedSnapshot, compareModels } from '../../risk/compare.ts';
import type { FactCatalogue } from '../../risk/facts.ts';
import { factsOf } from '../../risk/check-model.ts';
import { assessRisk } from '../../risk/score.ts';
import type { Compared } from './compared-store.ts';
import { unitsOf } from './snapshot.ts';
import type { Pinned } from './versions.ts';

/** Levels and scores of a subject by two models. */
export type ComparedSubject = Omit<Compared, 'id' | 'applicationId' | 'businessId'>;

/**
 * Applies two models to stored facts. Returns null if one of them cannot score the subject, for example because it
 * reads a fact that was not stored then.
 */
export function compareSubject(
  before: Pinned,
  after: Pinned,
  snapshot: DecidedSnapshot,
  catalogue: FactCatalogue,
): ComparedSubject | null {
  const { facts, today } = snapshot;
  const wereStored = [before, after].every(({ model }) => readsOf(model).every((path) => Object.hasOwn(facts, path)));
  if (!wereStored) return null;
  const compared = compareModels(before, after, snapshot, catalogue);
  if (compared.unscorable) return null;
  const scoreBy = ({ model, lists }: Pinned): number => {
    const outcome = assessRisk(model, { facts, lists, today });
    return 'unscorable' in outcome ? 0 : unitsOf(outcome.score);
  };
  return {
    fromLevel: compared.from,
    toLevel: compared.to,
    scoreBefore: scoreBy(before),
    scoreAfter: scoreBy(after),
    topFactors: [...compared.topFactors],
  };
}

/** Cache of the facts that a model reads, because a backtest needs them for each subject. */
const reads = new WeakMap<Pinned['model'], readonly string[]>();

function readsOf(model: Pinned['model']): readonly string[] {
  const known = reads.get(model) ?? factsOf(model);
  reads.set(model, known);
  return known;
}
