/**
 * The manifest of the evidence of an application, whose digest a decision must name. Used by decisions, presentation
 * and the evidence pack. Every kind of evidence must be in the manifest: what is missing here may change unnoticed
 * between reading and deciding.
 */
import { type EvidenceItem, evidenceItem, type EvidenceManifest, evidenceManifest } from '../../../rules/evidence.ts';
import { type RecordedEvidence, recordedItems } from '../../decisions/index.ts';
import { type ApplicationRecord, subjectOf } from '../record/application.ts';
import type { Consent } from './consent-store.ts';
import type { Risk } from './risk-store.ts';
import { hashedSubject, type ScreeningEvidence } from './screening-store.ts';
import type { VerificationEvidence } from './verification-store.ts';

type Application = Pick<ApplicationRecord, 'id' | 'environment' | 'applicant'>;

/** Evidence of an application beside its own row. */
export interface HeldEvidence extends RecordedEvidence {
  readonly consents: readonly Consent[];
  readonly verifications: readonly VerificationEvidence[];
  readonly screening: ScreeningEvidence | null;
  readonly risk: Risk;
}

/** Returns the manifest of the current evidence, on which a decision made now would rest. */
export function manifestOf(application: Application, held: HeldEvidence): EvidenceManifest {
  const { id, environment, applicant } = application;
  return evidenceManifest(subjectOf(application), environment, [
    evidenceItem('applicant', id, applicant),
    ...held.consents.map(({ id: consentId, ...said }) => evidenceItem('consent', consentId, said)),
    // Without `proves` of an identity, a verification has the digest that it had before there were proofs of address.
    ...held.verifications.map(({ id: verificationId, createdAt: _at, finishedAt: _end, proves, ...found }) =>
      evidenceItem('verification', verificationId, { ...found, ...(proves === 'address' && { proves }) }),
    ),
    ...screeningItems(held.screening),
    ...riskItems(id, held.risk),
    ...recordedItems(held),
  ]);
}

function screeningItems(screening: ScreeningEvidence | null): EvidenceItem[] {
  if (screening === null) return [];
  const { id, result, subject, hitCount, openHitCount, truncated, confirmed, lists, staleLists } = screening;
  return [
    evidenceItem('screening', id, {
      result,
      subject: hashedSubject(subject),
      hitCount,
      openHitCount,
      lists,
      staleLists,
      ...(truncated && { truncated }),
      ...(confirmed.length > 0 && { confirmed }),
    }),
  ];
}

/**
 * Returns the level of risk as evidence. The item is keyed by the subject, so an assessment that repeats the level
 * does not invalidate a decision that waits. The score is left out: it follows screenings, which are items themselves.
 */
export function riskItems(subjectId: string, risk: Risk): EvidenceItem[] {
  if (risk === null) return [];
  const { level, effectiveLevel, modelChecksum, isOverridden, requiresEnhanced } = risk;
  return [
    evidenceItem('risk_assessment', subjectId, {
      level,
      effectiveLevel,
      modelChecksum,
      isOverridden,
      requiresEnhanced,
    }),
  ];
}
