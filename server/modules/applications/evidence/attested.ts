/** Rules by which a look-up that a person attests meets a requirement. */
import { canonicalJson } from '../../../base/canonical-json.ts';
import { type Attestation, attestedOutcome, type Outcome } from '../../decisions/index.ts';
import { type ApplicationRecord, latest } from '../record/application.ts';
import { newestAnswer, VERIFIED_BY } from './verified.ts';
import type { VerificationEvidence } from './verification-store.ts';

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

/** Evaluates the latest look-up. An adverse finding counts until a later look-up, however old it is. */
export function attested({ applicant, attestations, today }: Looked, key: string): Outcome {
  return attestedOutcome(key, { attestations, identity: attestedPerson(applicant), today });
}

/** Returns whether the newest statement about a requirement is a look-up by a person, and not a verification. */
export function countsLookUp(key: string, { attestations, verifications }: Basis): boolean {
  const lookUp = latest(
    attestations.filter(({ requirementKey }) => requirementKey === key),
    ({ lookedUpAt }) => lookedUpAt,
  );
  if (lookUp === undefined) return false;
  const wanted = Object.hasOwn(VERIFIED_BY, key) ? VERIFIED_BY[key as keyof typeof VERIFIED_BY] : null;
  const answer = wanted === null ? null : newestAnswer(wanted, verifications);
  return answer?.finishedAt == null || lookUp.lookedUpAt >= answer.finishedAt;
}
