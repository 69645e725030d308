/**
 * The task that runs a verification: it asks the provider and stores the answer or the error. Queued by start.ts. An
 * error must never become an outcome.
 */
import type { KeyObject } from 'node:crypto';
import { appendAudit } from '../../audit/chain.ts';
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS, SECOND_MILLISECONDS } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import {
  type ProviderAnswer,
  ProviderError,
  type ProviderErrorCode,
  providerFor,
  type VerificationJob,
} from '../../providers/verification/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { TaskStep, WorkKind } from '../../tasks/task.ts';
import { type ApplicationRecord, lockApplication, reviewAgainBySystem } from '../applications/index.ts';
import { publish } from '../subject-events/index.ts';
import { findChallenge, frameHashes } from './challenge-store.ts';
import { statedPerson } from './person.ts';
import {
  beginVerification,
  countOf,
  type Ending,
  endVerification,
  findVerification,
  isReadable,
  keyOf,
  opened,
  type Result,
  type VerificationRecord,
} from './store.ts';

/** Time that a provider has for an answer. */
const DEADLINE = 20 * SECOND_MILLISECONDS;
/** Time for which a result counts. */
const VALIDITY = 90 * DAY_MILLISECONDS;

export const ACTOR = {
  type: 'system',
  id: 'verifications.run',
  display: 'Verifications',
  impersonatorId: null,
} as const;

/** What the work of a verification found: an answer with the name of its provider, or an error. */
export type Outcome =
  | { readonly answer: ProviderAnswer; readonly provider: string; readonly version: string }
  | { readonly error: ProviderErrorCode };

/**
 * Runs one verification: reads what is checked, asks the provider without a database connection, and stores the answer.
 * If the process ends meanwhile, the verification is run again and has used no attempt.
 */
export const verificationTask: WorkKind<unknown, VerificationJob, Outcome> = {
  name: 'verifications.run',
  async claim(step) {
    const locked = await lockUnended(step);
    if (locked === null) return null;
    const { tx, subjectId } = step;
    const { record, application, at } = locked;
    beginVerification(tx, subjectId, at);
    const [{ errors }, challenge] = await Promise.all([countOf(tx, record), challengeOf(tx, record)]);
    return {
      environment: record.environment,
      type: record.type,
      registrySource: record.registrySource,
      person: statedPerson(application),
      wantedOutcome: record.wantedOutcome,
      mrzLines: record.mrzLines,
      challenge,
      earlierErrors: errors,
      today: calendarDate(at),
    };
  },
  work: (job, { signal }) => ask(job, signal),
  async finish(step, outcome) {
    const locked = await lockUnended(step);
    if (locked !== null) await store(step, locked, endingOf(outcome, locked.at));
  },
  async giveUp(step) {
    const locked = await lockUnended(step);
    if (locked !== null) await store(step, locked, endingOf({ error: 'provider_unavailable' }, locked.at));
  },
};

interface Locked {
  readonly record: VerificationRecord;
  readonly application: ApplicationRecord;
  readonly key: KeyObject;
  readonly at: BusinessTime;
}

/** Locks the application of a verification that has not ended. Returns null if it has, or if either is gone. */
async function lockUnended({ tx, subjectId, now }: TaskStep): Promise<Locked | null> {
  const found = await findVerification(tx, subjectId);
  if (found === null) return null;
  const application = await lockApplication(tx, { tenantId: tx.tenantId!, id: found.applicationId });
  // The verification may have been cancelled while the lock was awaited.
  const row = await findVerification(tx, subjectId);
  if (application === null || application.erasedAt !== null || row === null || !isReadable(row)) return null;
  if (row.status !== 'queued' && row.status !== 'processing') return null;
  return {
    record: opened(tx, row),
    application,
    key: keyOf(tx, row),
    at: await timeIn(tx, row.environment, now),
  };
}

async function challengeOf(
  tx: Transaction,
  { challengeId }: Pick<VerificationRecord, 'challengeId'>,
): Promise<VerificationJob['challenge']> {
  if (challengeId === null) return null;
  const [challenge, frames] = await Promise.all([findChallenge(tx, challengeId), frameHashes(tx, challengeId)]);
  return challenge === null ? null : { actions: challenge.actions, frames };
}

/** Asks the provider. An error of the provider, or its silence until the deadline, is no outcome. */
export async function ask(
  job: VerificationJob,
  stop: AbortSignal,
  {
    provider = providerFor(job),
    deadline = DEADLINE,
  }: { provider?: ReturnType<typeof providerFor>; deadline?: number } = {},
): Promise<Outcome> {
  // The configuration has changed since the verification was queued.
  if ('gap' in provider) return { error: 'provider_unavailable' };
  const late = AbortSignal.timeout(deadline);
  const { promise, reject } = Promise.withResolvers<never>();
  const onLate = (): void => reject(new ProviderError('provider_timeout'));
  late.addEventListener('abort', onLate, { once: true });
  try {
    const answer = await Promise.race([provider.verify(job, AbortSignal.any([stop, late])), promise]);
    return { answer, provider: provider.id, version: provider.version };
  } catch (error) {
    if (error instanceof ProviderError) return { error: error.code };
    // Programs that are told to stop fail in many ways.
    if (late.aborted && !stop.aborted) return { error: 'provider_timeout' };
    throw error;
  } finally {
    late.removeEventListener('abort', onLate);
  }
}

function endingOf(outcome: Outcome, at: BusinessTime): Ending {
  if ('error' in outcome)
    return {
      status: 'error',
      result: null,
      errorCode: outcome.error,
      expiresAt: null,
    };
  const { answer, provider, version } = outcome;
  return {
    status: answer.status,
    result: {
      confidence: answer.confidence,
      checks: answer.checks.map((check) => ({ ...check })),
      extracted: answer.extracted === null ? null : { ...NOTHING_READ, ...answer.extracted },
      provider,
      providerVersion: version,
    } as Result,
    errorCode: null,
    expiresAt: addMilliseconds(at, VALIDITY),
  };
}

const NOTHING_READ = {
  mrzType: null,
  documentNumber: null,
  firstNames: null,
  lastName: null,
  fullName: null,
  dateOfBirth: null,
  dateOfExpiry: null,
  nationality: null,
  sex: null,
  issuingCountry: null,
  personalNumber: null,
  taxId: null,
};

/** Stores how a verification has ended. A decision that waits for a second review is invalidated by new evidence. */
async function store(
  { tx, now }: TaskStep,
  { record: { id, environment, type }, application, key, at }: Locked,
  ending: Ending,
): Promise<void> {
  const { status } = ending;
  endVerification(tx, id, ending, { key, at });
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    actor: ACTOR,
    outcome: 'success',
    action: 'verification.finished',
    resource: { type: 'verification', id },
    // The outcome is left out, because it is personal data and the log cannot forget it.
    changes: [
      { op: 'add', path: '/applicationId', value: application.id },
      { op: 'add', path: '/type', value: type },
    ],
  });
  await reviewAgainBySystem(tx, application, { at, now, actor: ACTOR });
  await publish(tx, {
    type: 'verification.final',
    subject: { kind: 'application', id: application.id },
    environment,
    verificationId: id,
    verificationType: type,
    status,
    at,
    now,
  });
}
