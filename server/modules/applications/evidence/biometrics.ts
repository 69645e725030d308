/**
 * Rules of biometric documents (selfies and videos), which may be used only until the applicant withdraws the consent.
 * Used by documents, consents and the retention of biometric files. A withdrawn picture stays rejected even after a new
 * consent; accepting it again would break the withdrawal.
 */
import type { BusinessTime } from '../../../base/time.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Transaction } from '../../../database/index.ts';
import { type Document, rejectDocuments } from '../../documents/index.ts';
import type { Uuid } from '../../../base/uuid.ts';
import { type Consent, listConsents, recordInForce } from './consent-store.ts';

/** Document types with biometric data, which may be used until the consent is withdrawn. */
export const BIOMETRIC: readonly Document['type'][] = ['selfie', 'selfie_video'];
const PURPOSE = 'biometric_processing';
const CONSENT_WITHDRAWN = 'consent_withdrawn';

export function isBiometric(type: Document['type']): boolean {
  return BIOMETRIC.includes(type);
}

/** Returns whether a record withdraws the consent to the processing of biometric data. */
export function endsBiometrics({ action, purpose }: Pick<Consent, 'action' | 'purpose'>): boolean {
  return action === 'withdrawn' && purpose === PURPOSE;
}

/**
 * Returns the id of the consent, or of the record of another basis, on which biometric data may be processed; null if
 * there is none.
 */
export async function basisForBiometrics(tx: Transaction, applicationId: Uuid): Promise<Uuid | null> {
  const last = recordInForce(await listConsents(tx, { tenantId: tx.tenantId!, applicationId }), PURPOSE);
  return last?.action === 'granted' ? (last.id as Uuid) : null;
}

function refused(message: string): Problem {
  return new Problem('consent_withdrawn', { errors: [{ pointer: '/type', code: CONSENT_WITHDRAWN, message }] });
}

/**
 * Rejects biometric documents after a withdrawal until the processing is granted again: by another consent or on
 * another legal basis, such as the prevention of fraud (LGPD, art. 11, II, g). A picture that a withdrawal has rejected
 * remains rejected even then.
 */
export function assertNotTakenBack(
  type: Document['type'],
  consents: readonly Consent[],
  known: readonly Pick<Document, 'rejectionCode'>[],
): void {
  const last = recordInForce(consents, PURPOSE);
  if (isBiometric(type) && last !== undefined && endsBiometrics(last))
    throw refused(`is not taken in until ${PURPOSE} is granted again, by a consent or on another legal basis`);
  if (known.some(({ rejectionCode }) => rejectionCode === CONSENT_WITHDRAWN))
    throw refused(`must be another picture: this one was taken back with ${PURPOSE}`);
}

/**
 * Rejects the biometric documents of an application. They remain stored, as evidence of what was done with them, and no
 * check may use them any more.
 */
export function rejectBiometrics(
  tx: Transaction,
  applicationId: string,
  at: BusinessTime,
): Promise<Pick<Document, 'id' | 'type' | 'rejectionCode'>[]> {
  return tx.run(rejectDocuments, {
    tenantId: tx.tenantId!,
    applicationId,
    types: BIOMETRIC,
    rejectionCode: CONSENT_WITHDRAWN,
    at,
  });
}
