/**
 * Decides which earlier decisions apply to the hits of a new screening. Used by run-screening.ts, the allow-list and
 * decisions. A decision applies only if subject and entity are compared as before; anything else leaves the hit open
 * and says what has changed.
 */
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { isSameScore } from '../../screening/engine/judgement.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import type { HitDecision } from './decision-store.ts';
import { holdsFor, type Judged } from './dismissals.ts';
import { entitiesOf, type OfApplication } from './simulated-entry-store.ts';
import { findScreening, type HitContent, type ScreenedSubject } from './store.ts';

type Schemas = components['schemas'];

/** Hit before it is stored: the entity, and the data by which entity and subject were compared. */
export interface NewHit extends Judged {
  readonly id: Uuid;
  readonly listId: HitDecision['listId'];
  readonly entity: ListedEntity;
  readonly entityMac: Buffer;
  /** MACs of the publisher's former keys of the same entity. */
  readonly formerMacs: readonly Buffer[];
  readonly entityHash: Buffer;
  /** The hashes that the same entity may have for a subject, one of which is `entityHash`. */
  readonly entityHashes: readonly Buffer[];
  readonly subjectHash: Buffer;
  /** Hash of the members of the subject that were compared with this entity. */
  readonly comparedHash: Buffer;
}

export interface Carried {
  readonly status: Schemas['HitStatus'];
  readonly decisionId: string | null;
  readonly reopened: HitContent['reopened'];
}

const OPEN: Carried = { status: 'open', decisionId: null, reopened: null };

/** Members by which names are judged (server/screening/hashes.ts). A decision rests only on these. */
const OF_ENTITY = [
  'type',
  'category',
  'names',
  'birthDates',
  'gender',
  'countries',
  'identifiers',
  'furtherIdentifiers',
] as const satisfies readonly (keyof ListedEntity)[];
const OF_SUBJECT = [
  'type',
  'names',
  'dateOfBirth',
  'yearOfBirth',
  'gender',
  'countries',
  'taxId',
  'identifiers',
] as const satisfies readonly (keyof ScreenedSubject)[];

/** The subject of a screening, of an application or on its own. */
interface SubjectOfScreening extends OfApplication {
  readonly subject: ScreenedSubject;
}

/**
 * Applies earlier decisions to new hits. A decision applies if subject and entity are compared as before, and a
 * dismissal only within its bounds. Otherwise the hit is open and lists what has changed.
 */
export async function carryOver<Hit extends NewHit>(
  tx: Transaction,
  of: SubjectOfScreening,
  hits: readonly Hit[],
  decisions: readonly HitDecision[],
): Promise<(Hit & Carried)[]> {
  const carried: (Hit & Carried)[] = [];
  for (const hit of hits) carried.push({ ...hit, ...(await carriedTo(tx, of, hit, lastAbout(hit, decisions))) });
  return carried;
}

async function carriedTo(
  tx: Transaction,
  of: SubjectOfScreening,
  hit: NewHit,
  decision: HitDecision | undefined,
): Promise<Carried> {
  if (decision === undefined) return OPEN;
  const { id: decisionId, status } = decision;
  if (isSame(decision, hit) && holdsFor(decision, hit)) return { status, decisionId, reopened: null };
  return { ...OPEN, reopened: { decisionId, changes: await changesSince(tx, of, hit, decision) } };
}

/**
 * Returns the last effective decision about the same subject and entity, whatever data they were compared by.
 * Publishers sometimes give an entity another key, and say which key it had.
 */
function lastAbout(
  { entityMac, formerMacs, listId }: NewHit,
  decisions: readonly HitDecision[],
): HitDecision | undefined {
  const about = (macs: readonly Buffer[]) =>
    decisions.findLast(
      (decision) =>
        decision.state === 'effective' &&
        decision.listId === listId &&
        macs.some((mac) => mac.equals(decision.entityMac)),
    );
  return about([entityMac]) ?? about(formerMacs);
}

export function isSame(
  a: Pick<HitDecision, 'entityHash' | 'subjectHash'>,
  b: Pick<HitDecision, 'entityHash' | 'subjectHash'>,
): boolean {
  return a.entityHash.equals(b.entityHash) && a.subjectHash.equals(b.subjectHash);
}

async function changesSince(
  tx: Transaction,
  of: SubjectOfScreening,
  hit: NewHit,
  decision: HitDecision,
): Promise<Schemas['HitChange'][]> {
  const { listId, entity, score } = hit;
  const keys = [entity.key, ...entity.references];
  const [then, screened] = await Promise.all([
    entitiesOf(
      tx,
      of,
      keys.map((key) => ({ listId, key, sequence: decision.listSequence })),
    ),
    findScreening(tx, decision.screeningId),
  ]);
  const decided =
    screened === null || screened === 'erased' ? undefined : screened.hits.find(({ id }) => id === decision.hitId);
  const listed = then.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key))[0]?.document ?? decided?.entity;
  return [
    ...(listed === undefined ? [] : changesOf('/entity', OF_ENTITY, listed, entity)),
    ...(screened === null || screened === 'erased'
      ? []
      : changesOf('/subject', OF_SUBJECT, screened.record.subject, of.subject)),
    // If neither subject nor entity has changed, the score exceeds the bound of the decision.
    ...(decided === undefined || !isSame(decision, hit) || isSameScore(decided.score, score)
      ? []
      : [{ path: '/score', before: canonicalJson(decided.score), after: canonicalJson(score) }]),
  ];
}

function changesOf<T>(
  place: string,
  members: readonly (keyof T & string)[],
  before: T,
  after: T,
): Schemas['HitChange'][] {
  return members
    .map((member) => ({
      path: `${place}/${member}`,
      before: canonicalJson((before[member] ?? null) as Json),
      after: canonicalJson((after[member] ?? null) as Json),
    }))
    .filter((change) => change.before !== change.after)
    .map((change) => ({ ...change, before: change.before.slice(0, 20_000), after: change.after.slice(0, 20_000) }));
}

type Known = Pick<NewHit, 'id' | 'listId' | 'entityMac' | 'entityHash' | 'score'>;

/** Returns the name of an entity on a list. */
const nameOf = ({ listId, entityMac }: Pick<Known, 'listId' | 'entityMac'>): string =>
  `${listId} ${entityMac.toString('hex')}`;

/** Returns the difference between two screenings of a subject, by the ids of their hits. */
export function diffOf(
  before: readonly Known[],
  after: readonly (Known & Pick<Carried, 'decisionId'>)[],
): Schemas['ScreeningDiff'] {
  const [was, is] = [new Map(before.map((hit) => [nameOf(hit), hit])), new Set(after.map(nameOf))];
  return {
    added: after.filter((hit) => !was.has(nameOf(hit))).map(({ id }) => id),
    removed: before.filter((hit) => !is.has(nameOf(hit))).map(({ id }) => id),
    changed: after
      .filter((hit) => {
        const earlier = was.get(nameOf(hit));
        return (
          earlier !== undefined &&
          (!isSameScore(earlier.score, hit.score) || !earlier.entityHash.equals(hit.entityHash))
        );
      })
      .map(({ id }) => id),
    carried: after.filter(({ decisionId }) => decisionId !== null).map(({ id }) => id),
  };
}
