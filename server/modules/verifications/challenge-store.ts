/**
 * The tables of liveness challenges and their frames, with the statements that issue, use and empty them. Used by
 * challenges.ts and end-biometrics.ts. The caller holds the lock on the application.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  codes,
  digest,
  type InsertOf,
  integer,
  json,
  knex,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Movement } from '../../verification/liveness.ts';
import type { Sealed } from '../subject-keys/index.ts';
import { wrappedKey } from '../subject-keys/index.ts';

const USED = 'the frames of the challenge are uploaded';

/** Challenges. A challenge is used once: the database refuses a second use. */
export const livenessChallenge = table(
  'liveness_challenge',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid(),
    nonce: text().impersonal('a random value'),
    actions: codes<Movement>(),
    frameCount: integer().defaulted().changes(USED),
    expiresAt: businessTimestamp(),
    consumedAt: businessTimestamp().nullable().defaulted().changes(USED),
    createdAt: businessTimestamp(),
    createdBy: actor(),
  },
  {
    owner: 'application',
    timeline: { 'challenge.issued': null, 'challenge.consumed': null },
    sandboxReset: { emptiedBefore: 'application' },
    insertedBy: 'app',
    example: { nonce: 'a'.repeat(22), actions: ['look_left', 'look_right', 'look_ahead'] },
  },
);

/** Frames of challenges, sealed under the key of the application, until the retention of biometric data ends. */
export const livenessFrame = table(
  'liveness_frame',
  {
    tenantId: uuid(),
    challengeId: uuid(),
    number: integer(),
    applicationId: uuid(),
    environment: code<Environment>(),
    sha256: digest(),
    content: json<Sealed>().nullable().sealed().changes('the retention period of biometric data has ended'),
    createdAt: businessTimestamp(),
  },
  {
    owner: 'application',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { number: 1 },
  },
);

const columns = livenessChallenge.except('tenantId', 'createdBy');
const challengeColumns = sql`${columns},
  ${wrappedKey('application', sql`liveness_challenge.tenant_id`, sql`liveness_challenge.application_id`)} AS wrapped`;
export type Challenge = RowOf<typeof columns>;
export type ChallengeRow = Challenge & { readonly wrapped: Buffer | null };

type Key = { tenantId: string; id: string };

const find = statement<Key, ChallengeRow>(
  'liveness_challenge.find',
  (p) => sql`
  SELECT ${challengeColumns} FROM liveness_challenge
  WHERE ${livenessChallenge.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const insert = statement<InsertOf<typeof livenessChallenge>>('liveness_challenge.insert', (p) =>
  livenessChallenge.insert(p),
);

const count = statement<{ tenantId: string; applicationId: string }, { made: number }>(
  'liveness_challenge.count',
  (p) => sql`
  SELECT count(*)::integer AS made FROM liveness_challenge
  WHERE ${livenessChallenge.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}`,
);

const consume = statement<Key & { frameCount: number; at: BusinessTime }>(
  'liveness_challenge.consume',
  (p) => sql`
  UPDATE liveness_challenge SET ${livenessChallenge.assign({ frameCount: p.frameCount, consumedAt: p.at })}
  WHERE ${livenessChallenge.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const insertOne = statement<InsertOf<typeof livenessFrame>>('liveness_frame.insert', (p) => livenessFrame.insert(p));

const listHashes = statement<{ tenantId: string; challengeId: string }, { sha256: Buffer }>(
  'liveness_frame.hashes',
  (p) => sql`
  SELECT ${livenessFrame.select('sha256')} FROM liveness_frame
  WHERE ${livenessFrame.equal({ tenantId: p.tenantId, challengeId: p.challengeId })} ORDER BY number`,
);

const findContent = statement<{ tenantId: string; challengeId: string; number: number }, { content: Sealed | null }>(
  'liveness_frame.content',
  (p) => sql`
  SELECT ${livenessFrame.select('content')} FROM liveness_frame
  WHERE ${livenessFrame.equal({ tenantId: p.tenantId, challengeId: p.challengeId, number: p.number })}`,
);

/** Statuses of an application in which no reviewer needs pictures of the applicant any more. */
const ENDED = knex.raw(`('approved', 'rejected', 'withdrawn', 'expired')`);
export const ERASED_AT_ONCE = 100;

type Due = { tenantId: string; environment: Environment; endedBefore: BusinessTime };

const eraseEnded = statement<Due, { challengeId: string; number: number }>(
  'liveness_frame.eraseEnded',
  (p) => sql`
  WITH due AS MATERIALIZED (
    SELECT f.challenge_id, f.number FROM liveness_frame f
      JOIN application a ON a.tenant_id = f.tenant_id AND a.id = f.application_id
    WHERE f.tenant_id = ${p.tenantId} AND f.environment = ${p.environment} AND f.content IS NOT NULL
      AND a.status IN ${ENDED} AND coalesce(a.decided_at, a.updated_at) <= ${p.endedBefore}
    ORDER BY f.challenge_id, f.number LIMIT ${ERASED_AT_ONCE} FOR UPDATE OF f SKIP LOCKED)
  UPDATE liveness_frame SET content = NULL
  WHERE ${livenessFrame.equal({ tenantId: p.tenantId })}
    AND (challenge_id, number) IN (SELECT challenge_id, number FROM due)
  RETURNING ${livenessFrame.select('challengeId', 'number')}`,
);

export async function findChallenge(tx: Transaction, id: string): Promise<ChallengeRow | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Returns how many challenges were issued for an application. */
export async function countChallenges(tx: Transaction, applicationId: string): Promise<number> {
  return (await tx.run(count, { tenantId: tx.tenantId!, applicationId }))[0]!.made;
}

export function insertChallenge(tx: Transaction, row: InsertOf<typeof livenessChallenge>): void {
  void tx.run(insert, row);
}

/** Marks a challenge as used. The caller holds the lock on the application. */
export function consumeChallenge(tx: Transaction, id: string, frameCount: number, at: BusinessTime): void {
  void tx.run(consume, {
    tenantId: tx.tenantId!,
    id,
    frameCount,
    at,
  });
}

export function insertFrame(tx: Transaction, row: Omit<InsertOf<typeof livenessFrame>, 'tenantId'>): void {
  void tx.run(insertOne, { ...row, tenantId: tx.tenantId! });
}

/** Returns the hashes of the frames of a challenge, in their order. They remain when the frames are erased. */
export async function frameHashes(tx: Transaction, challengeId: string): Promise<string[]> {
  const rows = await tx.run(listHashes, { tenantId: tx.tenantId!, challengeId });
  return rows.map(({ sha256 }) => sha256.toString('hex'));
}

/** Returns the sealing context of a frame. */
export const contextOfFrame = (challengeId: string, number: number): string =>
  `liveness_frame content ${challengeId} ${number}`;

/** Returns a sealed frame; null if there is none or it was erased. */
export async function findFrame(tx: Transaction, challengeId: string, number: number): Promise<Sealed | null> {
  const [row] = await tx.run(findContent, { tenantId: tx.tenantId!, challengeId, number });
  return row?.content ?? null;
}

/** Erases frames of applications that ended before a time. Returns what it erased, at most one batch. */
export function eraseFrames(
  tx: Transaction,
  environment: Environment,
  endedBefore: BusinessTime,
): Promise<{ readonly challengeId: string; readonly number: number }[]> {
  return tx.run(eraseEnded, { tenantId: tx.tenantId!, environment, endedBefore });
}
