import { setImmediate as otherWork } from 'node:timers/promises';
import { DAY_MILLISECONDS } from '../../base/time.ts';
import { appendAudit } from '../../audit/chain.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { addCompared, type ComparisonTotals, noComparison } from '../../risk/compare.ts';
import type { FactCatalogue } from '../../risk/facts.ts';
import type { Subject } from '../../rules/subject.ts';
import type { WorkKind } from '../../tasks/task.ts';
import { openedRow, unwrapped } from '../subject-keys/index.ts';
import { assessment } from './assessment-store.ts';
import { factCatalogue } from './catalogue.ts';
import { type ComparedSubject, compareSubject } from './compare-subject.ts';
import { insertCompared, removeCompared } from './compared-store.ts';
import { advanceComparison, type Comparison, lockComparison, moveComparison } from './comparison-store.ts';
import { type Candidate, candidates, kindOf, populationOf } from './population-store.ts';
import { decidedOf, resultsOf } from './results.ts';
import type { Snapshot } from './snapshot.ts';
import { findVersion, modelOf, type Pinned, recordedLists } from './versions.ts';

/** Batch size: so many subjects are read and stored in one transaction. */
const AT_ONCE = 500;
/** Number of subjects that are scored before requests of the process have their turn. */
const BETWEEN = 10;

const ACTOR = {
  type: 'system',
  id: 'risk.backtest',
  display: 'Backtests of risk models',
  impersonatorId: null,
} as const;

interface Input {
  readonly tenantId: string;
  readonly comparison: Comparison;
  readonly before: Pinned;
  readonly after: Pinned;
  readonly catalogue: FactCatalogue;
  readonly ids: readonly string[];
}

interface Tally {
  totals: ComparisonTotals;
  erased: number;
  first: string | null;
  last: string | null;
}

/** Scores the stored facts of a population by two models, in the background. */
export const backtestTask: WorkKind<{ readonly database: Database }, Input, Tally> = {
  name: ACTOR.id,

  claim: async ({ tx, subjectId, now }) => {
    const comparison = await lockComparison(tx, subjectId);
    // A reset of the sandbox has removed it, or it was cancelled.
    if (comparison === null || (comparison.status !== 'queued' && comparison.status !== 'running')) return null;
    const { environment, modelId, baselineId, lists: versions, subjectType, population } = comparison;
    const [model, baseline, lists, catalogue, ids] = await Promise.all([
      findVersion(tx, 'risk_model', modelId),
      findVersion(tx, 'risk_model', baselineId),
      recordedLists(tx, environment, versions),
      factCatalogue(tx, subjectType),
      populationOf(tx, { environment, kind: kindOf(subjectType) }, population ?? {}),
    ]);
    removeCompared(tx, comparison.id);
    moveComparison(tx, comparison, {
      status: 'running',
      total: ids.length,
      done: 0,
      startedAt: now,
    });
    const pin = (definition: NonNullable<typeof model>): Pinned => ({
      definition,
      model: modelOf(definition),
      lists,
      listVersions: versions,
    });
    return {
      tenantId: tx.tenantId!,
      comparison,
      before: pin(baseline!),
      after: pin(model!),
      catalogue,
      ids,
    };
  },

  work: async (input, { signal, services: { database } }) => {
    const tally: Tally = {
      totals: noComparison(),
      erased: 0,
      first: null,
      last: null,
    };
    const kind = kindOf(input.comparison.subjectType);
    for (let from = 0; from < input.ids.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const ids = input.ids.slice(from, from + AT_ONCE);
      const read = await database.transaction({ tenantId: input.tenantId }, async (tx) =>
        (await candidates(tx, kind, ids)).map((candidate) => ({ candidate, snapshot: opened(tx, kind, candidate) })),
      );
      const movers: { readonly id: string; readonly mover: ComparedSubject }[] = [];
      for (const [at, one] of read.entries()) {
        if (at % BETWEEN === 0) await otherWork();
        const mover = score(tally, input, one);
        if (mover !== null) movers.push({ id: one.candidate.id, mover });
      }
      const { id: comparisonId, environment } = input.comparison;
      await database.transaction({ tenantId: input.tenantId }, async (tx) => {
        // A cancelled backtest stores nothing more, even before this worker notices.
        if ((await lockComparison(tx, comparisonId))?.status !== 'running') return;
        for (const { id, mover } of movers) insertCompared(tx, { kind, id }, { ...mover, environment, comparisonId });
        advanceComparison(tx, comparisonId, from + ids.length);
      });
    }
    return tally;
  },

  finish: async ({ tx, subjectId, now }, { totals, erased, first, last }) => {
    const comparison = await lockComparison(tx, subjectId);
    if (comparison === null || comparison.status !== 'running') return;
    const span = first === null ? 0 : new Date(last!).getTime() - new Date(first).getTime();
    const results = resultsOf(totals, { erased, days: Math.max(1, Math.ceil(span / DAY_MILLISECONDS)) });
    moveComparison(tx, comparison, {
      status: 'completed',
      done: comparison.total,
      results,
      completedAt: now,
    });
    audit(tx, comparison, 'backtest.completed', now);
  },

  giveUp: async ({ tx, subjectId, now }) => {
    const comparison = await lockComparison(tx, subjectId);
    if (comparison === null || (comparison.status !== 'queued' && comparison.status !== 'running')) return;
    moveComparison(tx, comparison, { status: 'failed', completedAt: now });
    audit(tx, comparison, 'backtest.failed', now);
  },
};

function audit(
  tx: Transaction,
  { id, environment, modelId }: Comparison,
  action: 'backtest.completed' | 'backtest.failed',
  now: Date,
): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    action,
    outcome: action === 'backtest.completed' ? 'success' : 'failed',
    actor: ACTOR,
    resource: { type: 'risk_backtest', id },
    changes: [{ op: 'add', path: '/modelId', value: modelId }],
  });
}

function opened(
  tx: Transaction,
  kind: Subject['kind'],
  { id, assessmentId, isErased, snapshot, wrapped }: Candidate,
): Snapshot | null {
  if (isErased || wrapped === null) return null;
  const key = unwrapped(tx, { type: kind, id }, wrapped);
  return JSON.parse(openedRow(assessment, { id: assessmentId, snapshot }, key).snapshot) as Snapshot;
}

/** Adds a subject to the sums. Returns how its level moved, null if it did not. */
function score(
  tally: Tally,
  { before, after, catalogue }: Input,
  { candidate, snapshot }: { readonly candidate: Candidate; readonly snapshot: Snapshot | null },
): ComparedSubject | null {
  if (snapshot === null) {
    tally.erased++;
    return null;
  }
  const { status, createdAt } = candidate;
  if (tally.first === null || createdAt < tally.first) tally.first = createdAt;
  if (tally.last === null || createdAt > tally.last) tally.last = createdAt;
  const decided = decidedOf(status);
  const compared = compareSubject(before, after, { ...snapshot, decided }, catalogue);
  tally.totals = addCompared(
    tally.totals,
    compared === null
      ? { unscorable: true }
      : {
          unscorable: false,
          from: compared.fromLevel,
          to: compared.toLevel,
          decided,
          topFactors: compared.topFactors,
        },
  );
  return compared === null || compared.fromLevel === compared.toLevel ? null : compared;
}
