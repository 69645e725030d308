/** Rules by which a look-up that a person attests meets a requirement. */
import { canonicalJson } from '../../../base/canonical-json.ts';
import { type Attestation, isOutdated } from '../../decisions/index.ts';
import { type ApplicationRecord, latest } from '../record/application.ts';
import { newestAnswer, type Outcome, VERIFIED_BY } from './verified.ts';
import type { VerificationEvidence } from './verification-store.ts';

/** Reason of a look-up that found something against the applicant. */
export const ATTESTED_ADVERSE = 'attested_adverse';

interface Basis {
  readonly attestations: readonly Pick<Attestation, 'requirementKey' | 'outcome' | 'lookedUpAt' | 'subject'>[];
  readonly verifications: readonly VerificationEvidence[];
}

interface Looked extends Pick<Basis, 'attestations'> {
  readonly applicant: ApplicationRecord['applicant'];
  /** YYYY-MM-DD */
  readonly today: string;
}

/**
 * Returns the identifying data of the person who was looked up. An attestation does not count once these data change.
 */
export function attestedPerson({ fullName, socialName, dateOfBirth, taxId }: ApplicationRecord['applicant']): string {
  return canonicalJson({
    fullName,
    socialName,
    dateOfBirth,
    taxId,
  });
}

function newestLookUp(key: string, attestations: Basis['attestations']): Basis['attestations'][number] | undefined {
  return latest(
    attestations.filter(({ requirementKey }) => requirementKey === key),
    ({ lookedUpAt }) => lookedUpAt,
  );
}

/** Evaluates the latest look-up. An adverse finding counts until a later look-up, however old it is. */
export function attested({ applicant, attestations, today }: Looked, key: string): Outcome {
  const last = newestLookUp(key, attestations);
  if (last === undefined) return { status: 'missing', reasonCode: 'not_established' };
  if (last.outcome === 'fail') return { status: 'failed', reasonCode: ATTESTED_ADVERSE };
  if (last.subject !== attestedPerson(applicant)) return { status: 'missing', reasonCode: 'attestation_of_other_data' };
  return isOutdated(last.lookedUpAt, today)
    ? { status: 'missing', reasonCode: 'attestation_outdated' }
    : { status: 'verified', reasonCode: null };
}

/** Returns whether the newest statement about a requirement is a look-up by a person, and not a verification. */
export function countsLookUp(key: string, { attestations, verifications }: Basis): boolean {
  const lookUp = newestLookUp(key, attestations);
  if (lookUp === undefined) return false;
  const wanted = Object.hasOwn(VERIFIED_BY, key) ? VERIFIED_BY[key as keyof typeof VERIFIED_BY] : null;
  const answer = wanted === null ? null : newestAnswer(wanted, verifications);
  return answer?.finishedAt == null || lookUp.lookedUpAt >= answer.finishedAt;
}
