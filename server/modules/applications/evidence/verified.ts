/** Rules by which verifications, and attestations of the same matter, meet a requirement. */
import type { components } from '../../../contract/generated/types.ts';
import type { Document } from '../../documents/index.ts';
import type { VerificationEvidence } from './verification-store.ts';

type Source = components['schemas']['RequirementSource'];
/** Whether a requirement is met, and why not. */
export interface Outcome {
  readonly status: 'missing' | 'verified' | 'failed';
  readonly reasonCode: string | null;
}

/** Verifications that meet a requirement, by their type and, of a register, its source. */
export interface Wanted {
  readonly type: VerificationEvidence['type'];
  readonly registrySource: VerificationEvidence['registrySource'];
}

/** Requirements that a verification meets. */
export const VERIFIED_BY = {
  document_ocr_passed: { type: 'document_ocr', registrySource: null },
  liveness_passed: { type: 'liveness', registrySource: null },
  face_match_passed: { type: 'face_match', registrySource: null },
  cpf_status_ok: { type: 'registry', registrySource: 'receita_cpf' },
  account_protection_clear: { type: 'registry', registrySource: 'bc_protege' },
} as const satisfies Readonly<Record<string, Wanted>>;

/** A verification that found something against the applicant. */
export const VERIFICATION_FAILED = 'verification_failed';

/** Returns the source of a requirement that a verification meets. */
export function verificationSource({ type, registrySource }: Wanted): Source {
  return {
    kind: 'verification',
    verificationType: type,
    ...(registrySource !== null && { registrySource }),
  };
}

/** A proof of address is read for the people who accept it, and says nothing about an identity. */
const isOf =
  ({ type, registrySource }: Wanted) =>
  (one: VerificationEvidence): boolean =>
    one.type === type && one.registrySource === registrySource && one.proves === 'identity';

/** Result that counts: that of a person, else that of the machine. */
export function resultOf({ status, overriddenTo }: VerificationEvidence): VerificationEvidence['status'] {
  return overriddenTo ?? status;
}

const isAnswer = (one: VerificationEvidence): boolean => ['passed', 'failed', 'inconclusive'].includes(resultOf(one));

/**
 * Returns the newest verification that has an answer, with the documents that it used; null without one. An error of a
 * provider says nothing, so it hides no earlier answer.
 */
export function newestAnswer(
  wanted: Wanted,
  verifications: readonly VerificationEvidence[],
): VerificationEvidence | null {
  return verifications.filter(isOf(wanted)).find(isAnswer) ?? null;
}

interface Basis {
  readonly verifications: readonly VerificationEvidence[];
  readonly documents: readonly Pick<Document, 'id' | 'status'>[];
  /** Identifying data of the applicant now. */
  readonly subject: string;
  /** YYYY-MM-DD */
  readonly today: string;
}

/**
 * Evaluates the newest answer. A failure counts until a later answer or a person replaces it. A pass counts for the
 * data and the documents that were checked, and until it expires.
 */
export function verifiedBy(wanted: Wanted, { verifications, documents, subject, today }: Basis): Outcome {
  const last = newestAnswer(wanted, verifications);
  if (last === null) return { status: 'missing', reasonCode: withoutAnswer(wanted, verifications) };
  const result = resultOf(last);
  if (result === 'failed') return { status: 'failed', reasonCode: VERIFICATION_FAILED };
  if (result === 'inconclusive') return { status: 'missing', reasonCode: 'verification_inconclusive' };
  if (last.subject !== subject || !areCurrent(last, documents))
    return { status: 'missing', reasonCode: 'verification_of_other_data' };
  return last.expiresAt !== null && last.expiresAt.slice(0, 10) <= today
    ? { status: 'missing', reasonCode: 'verification_outdated' }
    : { status: 'verified', reasonCode: null };
}

function withoutAnswer(wanted: Wanted, verifications: readonly VerificationEvidence[]): string {
  const status = verifications.find(isOf(wanted))?.status;
  if (status === 'queued' || status === 'processing') return 'verification_pending';
  return status === 'error' ? 'verification_error' : 'not_established';
}

/** A document that was replaced or rejected, or is gone, is no longer the one that was checked. */
function areCurrent({ documentIds, selfieDocumentId }: VerificationEvidence, documents: Basis['documents']): boolean {
  const used = selfieDocumentId === null ? documentIds : [...documentIds, selfieDocumentId];
  return used.every((id) =>
    documents.some((document) => document.id === id && ['uploaded', 'accepted'].includes(document.status)),
  );
}
