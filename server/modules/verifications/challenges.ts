/**
 * Issues liveness challenges, and stores the frames that answer them. Called by the handlers. If a challenge could be
 * answered twice, an attacker would have more than its 120 seconds.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { addMilliseconds, type BusinessTime, type RealTime, SECOND_MILLISECONDS } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Body, Files, UploadedFile } from '../../contract/operation-types.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Access } from '../../request/lookup.ts';
import type { BusinessClocks } from '../../rules/brazilian-calendar.ts';
import { MOST_FRAMES, type Movement } from '../../verification/liveness.ts';
import type { Verdict } from '../documents/index.ts';
import { sealBytes, sealingKey } from '../subject-keys/index.ts';
import {
  type Challenge,
  consumeChallenge,
  contextOfFrame,
  countChallenges,
  insertChallenge,
  insertFrame,
} from './challenge-store.ts';
import { lookup } from './lookup.ts';
import { requiredBasis } from './start.ts';

const LIFETIME = 120 * SECOND_MILLISECONDS;
const MOVEMENTS: readonly Movement[] = ['look_left', 'look_right', 'look_ahead'];
const STEPS = 3;
const NONCE_BYTES = 16;
/** Most challenges of an application, because each may hold 15 MiB of frames. */
const MOST_CHALLENGES = 20;

interface Asking extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly now: RealTime;
}

/** Chooses movements at random, of which no two that follow each other are the same. */
export function randomMovements(): Movement[] {
  const chosen: Movement[] = [];
  while (chosen.length < STEPS) {
    const others = MOVEMENTS.filter((movement) => movement !== chosen.at(-1));
    chosen.push(others[randomInt(others.length)]!);
  }
  return chosen;
}

/** Issues a challenge for the applicant of an application. */
export async function issueChallenge(
  ctx: Asking & { readonly body: Body<'createLivenessChallenge'> },
): Promise<components['schemas']['LivenessChallenge']> {
  const { tx, principal, body } = ctx;
  const { id: applicationId, environment } = await lookup(ctx).application(body.applicationId).forChange();
  await requiredBasis(ctx, applicationId);
  if ((await countChallenges(tx, applicationId)) >= MOST_CHALLENGES) throw new Problem('attempt_limit');
  const at = ctx.timeIn(environment);
  const challenge: Challenge = {
    id: uuidv7(),
    environment,
    applicationId,
    nonce: randomBytes(NONCE_BYTES).toString('base64url'),
    actions: randomMovements(),
    frameCount: 0,
    expiresAt: addMilliseconds(at, LIFETIME).toISOString(),
    consumedAt: null,
    createdAt: at.toISOString(),
  };
  const { frameCount: _count, consumedAt: _consumed, ...row } = challenge;
  insertChallenge(tx, { ...row, tenantId: tx.tenantId!, createdBy: actorOf(principal) });
  return presentChallenge(challenge, at);
}

/** Presents a challenge at a time of its environment. */
export function presentChallenge(
  { consumedAt, ...own }: Challenge,
  at: BusinessTime,
): components['schemas']['LivenessChallenge'] {
  const unused = own.expiresAt <= at.toISOString() ? 'expired' : 'issued';
  return { ...own, status: consumedAt === null ? unused : 'consumed' };
}

type FrameFiles = Files<'uploadFrames'>;

/** Returns the frames of an upload in their order, as far as they have no gap. */
export function framesOf(files: FrameFiles): UploadedFile[] {
  const frames: UploadedFile[] = [];
  for (let number = 1; number <= MOST_FRAMES; number++) {
    const frame = files[`frame${number}` as keyof FrameFiles] as UploadedFile | undefined;
    if (frame === undefined) break;
    frames.push(frame);
  }
  return frames;
}

/** Rejects frames that are no JPEG pictures, damaged ones, and an upload in which a frame is missing between others. */
function assertFrames(files: FrameFiles, verdicts: readonly Verdict[]): void {
  if (Object.values(files).filter((file) => file !== undefined).length > verdicts.length)
    throw new Problem('validation_failed', {
      errors: [{ pointer: `/frame${verdicts.length + 1}`, code: 'required', message: 'is missing before a later one' }],
    });
  for (const verdict of verdicts) {
    if (verdict instanceof Problem) throw verdict;
    if (verdict.mimeType !== 'image/jpeg') throw new Problem('unsupported_file_type');
  }
}

interface Uploading extends Asking {
  readonly params: { readonly challengeId: string };
  readonly body: Pick<Body<'uploadFrames'>, 'nonce'>;
  readonly files: FrameFiles;
}

/** Stores the frames of a challenge, which is used by that. */
export async function storeFrames(ctx: Uploading, verdicts: readonly Verdict[]): Promise<Challenge> {
  const { tx, body, files, params } = ctx;
  const { applicationId } = await lookup(ctx).challenge(params.challengeId).forChangeWithoutLock();
  await lookup(ctx).application(applicationId).forChange();
  const challenge = await lookup(ctx).challenge(params.challengeId).forChangeWithoutLock();
  const { id, environment } = challenge;
  const at = ctx.timeIn(environment);
  if (challenge.consumedAt !== null || challenge.expiresAt <= at.toISOString()) throw new Problem('challenge_expired');
  if (body.nonce !== challenge.nonce)
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/nonce', code: 'nonce', message: 'must be the nonce of the challenge' }],
    });
  await requiredBasis(ctx, applicationId);
  assertFrames(files, verdicts);
  const key = await sealingKey(tx, { type: 'application', id: applicationId }, { environment, now: at });
  const frames = framesOf(files);
  for (const [index, { bytes, sha256 }] of frames.entries())
    insertFrame(tx, {
      challengeId: id,
      number: index + 1,
      applicationId,
      environment,
      sha256: Buffer.from(sha256, 'hex'),
      content: sealBytes(key, contextOfFrame(id, index + 1), bytes),
      createdAt: at,
    });
  consumeChallenge(tx, id, frames.length, at);
  return { ...challenge, frameCount: frames.length, consumedAt: at.toISOString() };
}
