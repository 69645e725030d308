/**
 * The task that runs a verification: it asks the provider and stores the answer or the error. Queued by start.ts. An
 * error must never become an outcome.
 */
import type { KeyObject } from 'node:crypto';
import { appendAudit } from '../../audit/chain.ts';
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS } from '../../base/time.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import {
  type Gap,
  type InstalledProviders,
  type ProviderAnswer,
  ProviderError,
  type ProviderErrorCode,
  providersFor,
  type VerificationJob,
  type VerificationProvider,
} from '../../providers/verification/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { TaskStep, WorkKind } from '../../tasks/task.ts';
import { type ApplicationRecord, lockApplication, reviewAgainBySystem } from '../applications/index.ts';
import { publish } from '../subject-events/index.ts';
import { claimJob, type ClaimedJob, loadedJob } from './job.ts';
import {
  beginVerification,
  type Ending,
  endVerification,
  findVerification,
  isReadable,
  keyOf,
  opened,
  type Result,
  type VerificationRecord,
} from './store.ts';

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

/** What the task needs of the service. */
interface Services {
  readonly files: FileStorage;
  readonly verificationProviders: InstalledProviders;
}

/**
 * Runs one verification: reads what is checked, asks the provider without a database connection, and stores the answer.
 * If the process ends meanwhile, the verification is run again and has used no attempt.
 */
export const verificationTask: WorkKind<Services, ClaimedJob, Outcome> = {
  name: 'verifications.run',
  async claim(step) {
    const locked = await lockUnended(step);
    if (locked === null) return null;
    beginVerification(step.tx, step.subjectId, locked.at);
    return claimJob(step.tx, locked);
  },
  async work(claimed, { signal, services: { files, verificationProviders } }) {
    const job = await loadedJob(claimed, files, signal);
    // A file of the verification is gone, so that nobody can be asked about it.
    if (job === null) return { error: 'provider_unavailable' };
    const wanted = { ...job, hasDocuments: job.documents.length > 0 };
    return ask(job, signal, { providers: providersFor(wanted, claimed.route, verificationProviders) });
  },
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

interface Asked {
  readonly providers: readonly VerificationProvider[] | Gap;
  /** Milliseconds that each provider has, instead of its own limit. */
  readonly deadline?: number;
}

/**
 * Asks the providers, the second only if the first gave an error. An error of a provider, or its silence until the
 * deadline, is no outcome.
 */
export async function ask(job: VerificationJob, stop: AbortSignal, { providers, deadline }: Asked): Promise<Outcome> {
  // The configuration may have changed since the verification was queued.
  let outcome: Outcome = { error: 'provider_unavailable' };
  for (const provider of 'gap' in providers ? [] : providers) {
    outcome = await askOne(job, stop, { provider, deadline: deadline ?? provider.within });
    if (!('error' in outcome)) break;
  }
  return outcome;
}

async function askOne(
  job: VerificationJob,
  stop: AbortSignal,
  { provider, deadline }: { readonly provider: VerificationProvider; readonly deadline: number },
): Promise<Outcome> {
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
