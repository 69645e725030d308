import { addMilliseconds, DAY_MILLISECONDS, HOUR_SECONDS } from '../../base/time.ts';
import { appendAudit } from '../../audit/chain.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import type { Due } from '../../tasks/due.ts';
import { type Definition, refusalOf } from '../definitions/index.ts';
import type { When } from '../subject-events/index.ts';
import { type Assessable, subjectOf } from './assessable.ts';
import { factCatalogue } from './catalogue.ts';
import { compareSubject } from './compare-subject.ts';
import { insertCompared } from './compared-store.ts';
import {
  type Comparison,
  dueShadows,
  insertComparison,
  lockComparison,
  moveComparison,
  runningShadow,
} from './comparison-store.ts';
import { shadowResults } from './results.ts';
import type { Snapshot } from './snapshot.ts';
import { activeLists, activeModel, findVersion, type Pinned, pinned } from './versions.ts';

const DEFAULT_DAYS = 30;
const ACTOR = {
  type: 'system',
  id: 'risk.shadow',
  display: 'Shadow runs',
  impersonatorId: null,
} as const;

/** Lets a draft score new assessments beside the active model. Its results are those of a comparison. */
export async function startShadow(ctx: Context<'startRiskShadow'>, draft: Definition): Promise<Comparison> {
  const { tx, principal, body, now, timeIn } = ctx;
  const { environment, key } = draft;
  if (draft.status !== 'draft') throw refusalOf(draft);
  const subjectType = key as Comparison['subjectType'];
  if ((await runningShadow(tx, environment, subjectType)) !== null) throw new Problem('shadow_running');
  const [baseline, lists] = await Promise.all([
    activeModel(tx, environment, subjectType),
    activeLists(tx, environment),
  ]);
  const row = {
    id: uuidv7(),
    environment,
    kind: 'shadow',
    subjectType,
    modelId: draft.id,
    modelNumber: draft.number,
    modelChecksum: draft.checksum,
    baselineId: baseline.id,
    baselineNumber: baseline.number,
    baselineChecksum: baseline.checksum,
    lists: listsOfBoth(pinned(draft, lists).listVersions, pinned(baseline, lists).listVersions),
    population: null,
    status: 'running',
    taskId: null,
    endsAt: addMilliseconds(timeIn(environment), (body.days ?? DEFAULT_DAYS) * DAY_MILLISECONDS).toISOString(),
    createdBy: actorOf(principal),
    createdAt: now,
    startedAt: now,
  } as const;
  insertComparison(tx, row);
  return (await lockComparison(tx, row.id))!;
}

/** Returns the versions of the lists that either of two models uses. */
export function listsOfBoth(one: Comparison['lists'], other: Comparison['lists']): Comparison['lists'] {
  return [...new Map([...one, ...other].map((version) => [version.listId, version])).values()];
}

/** Ends a shadow run, with its results. */
export async function endShadow(tx: Transaction, shadow: Comparison, now: When['now']): Promise<void> {
  const { results, total } = await shadowResults(tx, shadow.id);
  moveComparison(tx, shadow, {
    status: 'completed',
    total,
    done: total,
    results,
    completedAt: now,
  });
}

interface AssessedSubject {
  readonly assessable: Assessable;
  /** The active model, which the subject is assessed by. */
  readonly baseline: Pinned;
  readonly snapshot: Snapshot;
  readonly lists: ReadonlyMap<string, Definition>;
}

/** Scores a subject by the draft that runs as a shadow, if there is one, beside the active model. */
export async function followShadow(
  tx: Transaction,
  { assessable, baseline, snapshot, lists }: AssessedSubject,
  { at }: Pick<When, 'at'>,
): Promise<void> {
  const subjectType = assessable.kind === 'business' ? 'business' : 'individual';
  const shadow = await runningShadow(tx, assessable.record.environment, subjectType);
  if (shadow === null || new Date(shadow.endsAt!) <= at) return;
  const draft = await findVersion(tx, 'risk_model', shadow.modelId);
  if (draft === null) return;
  const catalogue = await factCatalogue(tx, shadow.subjectType);
  const compared = compareSubject(baseline, pinned(draft, lists), { ...snapshot, decided: null }, catalogue);
  if (compared !== null)
    insertCompared(tx, subjectOf(assessable), {
      environment: shadow.environment,
      comparisonId: shadow.id,
      ...compared,
    });
}

/** Ends shadow runs whose time is over. */
export const shadowDue: Due = {
  name: ACTOR.id,
  everySeconds: HOUR_SECONDS,
  atOnce: 10,
  run: async (tx, { environment, businessTime, now }) => {
    const ids = await dueShadows(tx, environment, businessTime, 10);
    for (const id of ids) {
      await endShadow(tx, (await lockComparison(tx, id))!, now);
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment,
        action: 'risk_shadow.ended',
        outcome: 'success',
        actor: ACTOR,
        resource: { type: 'risk_backtest', id },
      });
    }
    return ids.map((id) => ({ resource: { type: 'risk_backtest', id }, change: 'shadow_ended' }));
  },
};
