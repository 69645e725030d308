import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { type Document, rejectDocuments } from '../documents/index.ts';
import { type Consent, recordInForce } from './consent-store.ts';

/** What shows the body of the person, and may be used while nobody has withdrawn that. */
export const BIOMETRIC: readonly Document['type'][] = ['selfie', 'selfie_video'];
const PURPOSE = 'biometric_processing';
const CONSENT_WITHDRAWN = 'consent_withdrawn';

export function isBiometric(type: Document['type']): boolean {
  return BIOMETRIC.includes(type);
}

/** Whether a record takes back that the body may be looked at. */
export function endsBiometrics({ action, purpose }: Pick<Consent, 'action' | 'purpose'>): boolean {
  return action === 'withdrawn' && purpose === PURPOSE;
}

function refused(message: string): Problem {
  return new Problem('consent_withdrawn', { errors: [{ pointer: '/type', code: CONSENT_WITHDRAWN, message }] });
}

/**
 * Nothing is taken in after a withdrawal until it is granted anew: by another consent, or on another legal basis, as for the prevention of fraud (LGPD, art. 11, II, g). What was taken back is
 * not taken in again by that.
 */
export function assertNotTakenBack(type: Document['type'], consents: readonly Consent[], known: readonly Pick<Document, 'rejectionCode'>[]): void {
  const last = recordInForce(consents, PURPOSE);
  if (isBiometric(type) && last !== undefined && endsBiometrics(last)) throw refused(`is not taken in until ${PURPOSE} is granted again, by a consent or on another legal basis`);
  if (known.some(({ rejectionCode }) => rejectionCode === CONSENT_WITHDRAWN)) throw refused(`must be another picture: this one was taken back with ${PURPOSE}`);
}

/** What was taken in before stays, as evidence of what was done with it, and no check may use it any more. */
export function rejectBiometrics(tx: Transaction, applicationId: string, now: Date): Promise<Pick<Document, 'id' | 'type' | 'rejectionCode'>[]> {
  return tx.run(rejectDocuments, { tenantId: tx.tenantId!, applicationId, types: BIOMETRIC, rejectionCode: CONSENT_WITHDRAWN, now });
}
