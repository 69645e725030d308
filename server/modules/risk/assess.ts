import { createHmac, type KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import type { Facts, SubjectType } from '../../risk/facts.ts';
import type { RiskLevel, RiskOutcome } from '../../risk/model.ts';
import { assessRisk } from '../../risk/score.ts';
import { subjectNamedBy } from '../../rules/subject.ts';
import { subjectMembers } from '../../rules/subject-rows.ts';
import { publish, type When } from '../subject-events/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { type Assessable, subjectOf } from './assessable.ts';
import {
  type Assessment,
  assessment,
  currentAssessment,
  insertAssessment,
  noteRecalculated,
} from './assessment-store.ts';
import { currentOverride, type RiskOverride } from './override-store.ts';
import { queueCompaniesOf } from './queue.ts';
import { followShadow } from './shadow.ts';
import { type Snapshot, snapshotOf, unitsOf } from './snapshot.ts';
import { activeLists, activeModel, type Pinned, pinned } from './versions.ts';

/** Stored explanation of an assessment. */
export type Explanation = Pick<RiskOutcome, 'contributions' | 'hardRulesFired' | 'missingFacts'>;

/** The model by which a kind of subject is assessed. */
export const MODEL_OF = { application: 'individual', business: 'business' } as const satisfies Readonly<
  Record<Assessable['kind'], SubjectType>
>;

/** Result of an assessment that was asked for. */
export type Assessed =
  | { readonly is: 'new' | 'unchanged'; readonly assessment: Assessment }
  | { readonly is: 'unscorable'; readonly missingFacts: readonly string[] };

/**
 * Assesses a subject by the active model. If model, lists and facts are those of the current assessment and the
 * result is the same, no new one is made. The caller holds the lock on the subject, and writes the audit event.
 */
export async function assess(
  tx: Transaction,
  assessable: Assessable,
  trigger: components['schemas']['RiskTrigger'],
  when: When,
): Promise<Assessed> {
  const subject = subjectOf(assessable);
  const { environment } = assessable.record;
  const [definition, lists, snapshot, current, override, key] = await Promise.all([
    activeModel(tx, environment, MODEL_OF[assessable.kind]),
    activeLists(tx, environment),
    snapshotOf(tx, assessable, when),
    currentAssessment(tx, subject),
    currentOverride(tx, subject),
    sealingKey(tx, { type: subject.kind, id: subject.id }, { environment, now: when.at }),
  ]);
  const model = pinned(definition, lists);
  const outcome = assessRisk(model.model, { ...snapshot, lists: model.lists });
  if ('unscorable' in outcome) return { is: 'unscorable', missingFacts: outcome.missingFacts };
  await followShadow(
    tx,
    {
      assessable,
      baseline: model,
      snapshot,
      lists,
    },
    when,
  );
  const inputsChecksum = checksumOfFacts(key, snapshot.facts);
  const computed = { ...resultOf(model, outcome), inputsChecksum };
  if (current !== null && isSame(current, computed)) {
    noteRecalculated(tx, current.id, when.at);
    return { is: 'unchanged', assessment: { ...current, lastRecalculatedAt: when.at.toISOString() } };
  }
  const effective = effectiveLevel(computed.level, override);
  const at = when.at.toISOString();
  const row = {
    id: uuidv7(),
    environment,
    ...subjectMembers(subject),
    trigger,
    ...computed,
    ...sealedContent(outcome, snapshot),
    ...effective,
    createdAt: at,
    lastRecalculatedAt: at,
    levelChangedAt: current?.effectiveLevel === effective.effectiveLevel ? current.levelChangedAt : at,
  };
  insertAssessment(tx, subject, sealedRow(assessment, row, key));
  const made = { ...row, supersededById: null, erasedAt: null } as Assessment;
  await publishChange(tx, current?.effectiveLevel ?? null, made, when);
  return { is: 'new', assessment: made };
}

/**
 * Publishes that the level of a subject has changed, if it has. The companies of a person are assessed again, because
 * their risk depends on that of their people.
 */
export async function publishChange(
  tx: Transaction,
  fromLevel: RiskLevel | null,
  changed: Assessment,
  when: When,
): Promise<void> {
  const { id, environment, effectiveLevel: toLevel } = changed;
  if (fromLevel === toLevel) return;
  await queueCompaniesOf(tx, subjectNamedBy(changed), when.now);
  await publish(tx, {
    type: 'assessment.changed',
    subject: subjectNamedBy(changed),
    environment,
    assessmentId: id,
    fromLevel,
    toLevel,
    ...when,
  });
}

/** Returns the level that counts: that of an override, unless the model prohibits the subject. */
export function effectiveLevel(
  level: RiskLevel,
  override: Pick<RiskOverride, 'level' | 'expiresAt'> | null,
): Pick<Assessment, 'effectiveLevel' | 'overriddenUntil'> {
  if (override === null || level === 'prohibited') return { effectiveLevel: level, overriddenUntil: null };
  return { effectiveLevel: override.level, overriddenUntil: override.expiresAt };
}

function resultOf({ definition, listVersions }: Pinned, outcome: RiskOutcome) {
  return {
    modelId: definition.id,
    modelNumber: definition.number,
    modelChecksum: definition.checksum,
    lists: listVersions,
    score: unitsOf(outcome.score),
    baseLevel: outcome.baseLevel,
    level: outcome.level,
    requiresEnhanced: outcome.requireEnhanced,
  };
}

function sealedContent(
  { contributions, hardRulesFired, missingFacts }: RiskOutcome,
  snapshot: Snapshot,
): { readonly result: string; readonly snapshot: string } {
  const explanation: Explanation = { contributions, hardRulesFired, missingFacts };
  return { result: JSON.stringify(explanation), snapshot: JSON.stringify(snapshot) };
}

function isSame(current: Assessment, computed: Partial<Assessment>): boolean {
  return Object.entries(computed).every(([member, value]) =>
    isDeepStrictEqual(current[member as keyof Assessment], value),
  );
}

/**
 * Returns a digest that identifies the facts. It is keyed by the subject, so that nobody finds out facts by trying, and
 * nothing is left of them after an erasure.
 */
function checksumOfFacts(key: KeyObject, facts: Facts): string {
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return createHmac('sha256', key)
    .update(`risk inputs ${canonicalJson(known as Json)}`)
    .digest('hex');
}
