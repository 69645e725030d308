/**
 * Checks a request for a verification and queues it. Called by the handlers. What is refused here has used no attempt.
 */
import type { RealTime } from '../../base/time.ts';
import { type Uuid, uuidv7 } from '../../base/uuid.ts';
import type { Body } from '../../contract/operation-types.ts';
import { type Acting, actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Access } from '../../request/lookup.ts';
import { type InstalledProviders, providersFor, type VerificationType } from '../../providers/verification/index.ts';
import type { BusinessClocks } from '../../rules/brazilian-calendar.ts';
import { enqueueTask } from '../../tasks/task.ts';
import { type ApplicationRecord, basisForBiometrics, verifiedPerson } from '../applications/index.ts';
import { listDocuments } from '../documents/index.ts';
import { sealingKey } from '../subject-keys/index.ts';
import { isChallengeUsed } from './challenge-use-store.ts';
import { assertDocuments, inputFaults } from './inputs.ts';
import { lookup } from './lookup.ts';
import { statedPerson } from './person.ts';
import { routeOf } from './routes.ts';
import { verificationTask } from './run.ts';
import { countOf, insertVerification } from './store.ts';

/** Types that process biometric data (LGPD, art. 11). */
export const BIOMETRIC_TYPES: readonly VerificationType[] = ['face_match', 'liveness'];
const ATTEMPTS = 5;

interface Starting extends Access, BusinessClocks {
  readonly principal: Acting;
  readonly body: Body<'createVerification'>;
  readonly now: RealTime;
}

/**
 * Stores a verification and queues its task. The lock on the application makes simultaneous attempts see each other.
 */
export async function startVerification(ctx: Starting, installed: InstalledProviders): Promise<{ readonly id: Uuid }> {
  const { tx, principal, body, now } = ctx;
  const { type, registrySource = null, inputs = {}, sandbox } = body;
  const faults = inputFaults(body);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  const application = await lookup(ctx)
    .application(body.applicationId as Uuid)
    .forChange();
  const { id: applicationId, environment } = application;
  if (sandbox !== undefined && environment === 'live')
    throw new Problem('sandbox_only_field', {
      errors: [{ pointer: '/sandbox', code: 'sandbox_only', message: 'is for the sandbox only' }],
    });
  if (type === 'registry') assertHasCpf(application);
  const proves =
    inputs.documentIds === undefined
      ? 'identity'
      : assertDocuments({ ...inputs, type }, await listDocuments(tx, { kind: 'application', id: applicationId }));
  const basis = BIOMETRIC_TYPES.includes(type) ? await requiredBasis(ctx, applicationId) : null;
  if (inputs.challengeId !== undefined) await assertUsable(ctx, inputs.challengeId, applicationId);
  const mrzLines = inputs.mrzLines ?? null;
  const wantedOutcome = sandbox?.outcome ?? null;
  const wanted = {
    environment,
    type,
    person: statedPerson(application),
    wantedOutcome,
    mrzLines,
    hasDocuments: inputs.documentIds !== undefined,
  };
  const providers = providersFor(wanted, await routeOf(tx, type), installed);
  if ('gap' in providers) throw new Problem('provider_not_configured', { detail: providers.gap });
  const { used } = await countOf(tx, {
    applicationId,
    type,
    registrySource,
    proves,
  });
  if (used >= ATTEMPTS) throw new Problem('attempt_limit');
  const at = ctx.timeIn(environment);
  const id = uuidv7();
  const key = await sealingKey(tx, { type: 'application', id: applicationId }, { environment, now: at });
  insertVerification(
    tx,
    {
      id,
      environment,
      applicationId,
      type,
      registrySource,
      proves,
      documentIds: inputs.documentIds ?? [],
      selfieDocumentId: inputs.selfieDocumentId ?? null,
      challengeId: inputs.challengeId ?? null,
      mrzLines,
      subject: verifiedPerson(application.applicant),
      wantedOutcome,
      legalBasisConsentId: basis,
      attempt: used + 1,
      createdAt: at,
      createdBy: actorOf(principal),
    },
    key,
  );
  enqueueTask(tx, verificationTask, id, now);
  return { id };
}

function assertHasCpf(application: ApplicationRecord): void {
  if (statedPerson(application).cpf !== null) return;
  throw new Problem('validation_failed', {
    errors: [{ pointer: '/applicationId', code: 'no_cpf', message: 'must be an application of a person with a CPF' }],
  });
}

/** Returns the consent or other basis for biometric data that stands; rejects the request if there is none. */
export async function requiredBasis({ tx }: Pick<Access, 'tx'>, applicationId: Uuid): Promise<Uuid> {
  const basis = await basisForBiometrics(tx, applicationId);
  if (basis === null) throw new Problem('biometric_basis_missing');
  return basis;
}

/** Rejects a challenge of another application, one without frames, and one that another verification has used. */
async function assertUsable(ctx: Access, challengeId: string, applicationId: Uuid): Promise<void> {
  const challenge = await lookup(ctx)
    .challenge(challengeId)
    .forReading()
    .catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return null;
      throw error;
    });
  const isUsable =
    challenge !== null &&
    challenge.applicationId === applicationId &&
    challenge.consumedAt !== null &&
    !(await isChallengeUsed(ctx.tx, challengeId));
  if (isUsable) return;
  throw new Problem('challenge_expired', {
    errors: [
      {
        pointer: '/inputs/challengeId',
        code: 'challenge',
        message: 'must be a challenge of this application whose frames are uploaded and not used yet',
      },
    ],
  });
}
