/**
 * Performs a screening: searches, applies earlier decisions, stores the result sealed, and publishes it. Called by
 * screen.ts. Locks allow-list entries first and the subject second.
 */
import type { KeyObject } from 'node:crypto';
import { canonicalJson } from '../../base/canonical-json.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { InsertOf, Transaction } from '../../database/index.ts';
import { areComparable } from '../../rules/comparable-names.ts';
import { ALGORITHM } from '../../screening/engine/screening-engine.ts';
import { judgedHash } from '../../screening/hashes.ts';
import { hashedSubject, lastUnseenChange, sealContextOfHit, sealContextOfSubject } from '../applications/index.ts';
import { publish } from '../subject-events/index.ts';
import { sealingKey, sealValue } from '../subject-keys/index.ts';
import { OWN_LIST } from '../watch-lists/index.ts';
import { dismissed } from './allowlist.ts';
import { entriesFor, subjectKeyOf } from './allowlist-store.ts';
import { type Lines } from './bands.ts';
import { type Carried, carryOver, diffOf, type NewHit } from './carry-over.ts';
import { decisionsAbout } from './decision-store.ts';
import { comparedHash } from './dismissals.ts';
import { isStale } from './lists.ts';
import type { LoadedLists } from './loaded-lists.ts';
import { type FoundHit } from './search-lists.ts';
import { resultOf } from './result-store.ts';
import { type ScreeningOrder, type Screener, searchFor } from './search-for-screening.ts';
import { insertScreening, lockNewestScreening, macOf, type screeningHit, type SearchedList } from './store.ts';

type Schemas = components['schemas'];

/** A stored hit. */
interface StoredHit extends Pick<NewHit, 'id' | 'entityMac'> {
  readonly status: Schemas['HitStatus'];
}

export interface Screened {
  readonly id: string;
  readonly result: Schemas['ScreeningResult'];
  readonly hitCount: number;
  readonly hits: readonly StoredHit[];
  /** The searched lists, and the lines of the profile that applied. */
  readonly searched: readonly SearchedList[];
  readonly lines: Lines;
}

/** Searches the lists and stores the hits, with the decisions that apply to them. */
export async function runScreening(screener: Screener, lists: LoadedLists, order: ScreeningOrder): Promise<Screened> {
  const { tx, tenantId, by, now, at } = screener;
  const { environment, applicationId, subject } = order;
  const search = await searchFor(screener, lists, order);
  const id = uuidv7();
  const subjectId = order.subjectId ?? id;
  const key = await sealingKey(
    tx,
    { type: applicationId === null ? 'screening' : 'application', id: subjectId },
    { environment, now: at },
  );
  // Entries of the allow-list are locked before subjects (decision 73).
  const entries =
    search.found.length === 0 ? [] : await entriesFor(tx, environment, subjectKeyOf(tx, subject, subjectId), at);
  const previous = order.subjectId === null ? null : await lockNewestScreening(tx, subjectId);
  const carried = await carryOver(
    tx,
    order,
    await newHits(tx, order, search.found),
    previous === null ? [] : await decisionsAbout(tx, subjectId, key),
  );
  const hits = await dismissed(tx, entries, carried, { environment, at, now });
  const comparable = areComparable(subject.names);
  const { result, openHitCount } = resultOf(
    hits.map(({ status }) => status),
    { isTruncated: search.truncated, isComparable: comparable },
  );
  insertScreening(
    tx,
    {
      tenantId,
      environment,
      id,
      applicationId,
      subjectId,
      previousScreeningId: previous?.record.id ?? null,
      diff: previous === null ? null : diffOf(previous.hits, hits),
      result,
      subject: sealValue(key, sealContextOfSubject(id), subject),
      criteria: search.criteria,
      lists: search.searched,
      staleLists: search.published.filter((version) => isStale(version, now)).map(({ listId }) => listId),
      hitCount: hits.length,
      openHitCount,
      truncated: search.truncated,
      comparable,
      algorithmVersion: ALGORITHM,
      profileVersion: search.profileVersion,
      lines: search.lines,
      durationMs: search.durationMs,
      createdAt: at,
      createdBy: by,
    },
    hits.map((hit, position) => ({
      tenantId,
      environment,
      screeningId: id,
      subjectId,
      position,
      ...hitRow(hit, key),
    })),
  );
  if (applicationId !== null)
    await publish(tx, {
      type: 'screening.completed',
      subject: { kind: 'application', id: applicationId },
      environment,
      screeningId: id,
      result,
      at,
      now,
    });
  return {
    id,
    result,
    hitCount: hits.length,
    searched: search.searched,
    lines: search.lines,
    hits,
  };
}

async function newHits(
  tx: Transaction,
  { applicationId, subject }: ScreeningOrder,
  found: readonly FoundHit[],
): Promise<(FoundHit & NewHit)[]> {
  const unseenAt = applicationId === null ? null : await lastUnseenChange(tx, applicationId);
  // Decisions about a subject end if a user changed the personal data without seeing it. Otherwise, a decision that
  // still applied would reveal that a guessed value is right.
  const subjectHash = macOf(
    tx,
    'subject',
    canonicalJson({ ...hashedSubject(subject), ...(unseenAt !== null && { unseenAt }) }),
  );
  return found.map((hit) => ({
    ...hit,
    id: uuidv7(),
    entityMac: macOf(tx, 'entity', hit.entity.key),
    formerMacs: hit.entity.references.map((key) => macOf(tx, 'entity', key)),
    entityHash: hashOf(tx, hit, hit.judgement.identifier?.isFurther === true),
    entityHashes: [false, true].map((isByFurther) => hashOf(tx, hit, isByFurther)),
    subjectHash,
    comparedHash: comparedHash(tx, subject, hit),
  }));
}

/**
 * Hash of the matched fields. For own-list entries it is an HMAC, so that reading the database does not reveal who is
 * on the list.
 */
function hashOf(tx: Transaction, { listId, entity }: FoundHit, isByFurther: boolean): Buffer {
  const hash = judgedHash(entity, isByFurther);
  return listId === OWN_LIST ? macOf(tx, 'entity', hash) : Buffer.from(hash, 'hex');
}

type JudgedHit = FoundHit & NewHit & Carried & { readonly allowlistEntryId: string | null };
type PlaceOfHit = 'tenantId' | 'environment' | 'screeningId' | 'subjectId' | 'position';

/** Returns the row of a hit without its place. Reveals the entity and the reasons only sealed. */
function hitRow(
  { entity, judgement, reopened, ...hit }: JudgedHit,
  key: KeyObject,
): Omit<InsertOf<typeof screeningHit>, PlaceOfHit> {
  const { id, listId, category, score, entityMac, entityHash, subjectHash } = hit;
  const { status, decisionId, allowlistEntryId } = hit;
  return {
    id,
    listId,
    category,
    score,
    entityMac,
    entityHash,
    subjectHash,
    status,
    decisionId,
    allowlistEntryId,
    content: sealValue(key, sealContextOfHit(id), {
      entityKey: entity.key,
      judgement,
      reopened,
      ...(listId === OWN_LIST && { entity }),
    }),
  };
}
