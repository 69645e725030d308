import { type EvidenceItem, evidenceItem, type EvidenceManifest, evidenceManifest } from '../../../rules/evidence.ts';
import { type RecordedEvidence, recordedItems } from '../../decisions/index.ts';
import { type ApplicationRecord, subjectOf } from '../record/application.ts';
import type { Consent } from './consent-store.ts';
import type { ScreeningEvidence } from './screening-store.ts';
import type { VerificationEvidence } from './verification-store.ts';

type Application = Pick<ApplicationRecord, 'id' | 'environment' | 'applicant'>;

/** Evidence of an application beside its own row. */
export interface HeldEvidence extends RecordedEvidence {
  readonly consents: readonly Consent[];
  readonly verifications: readonly VerificationEvidence[];
  readonly screening: ScreeningEvidence | null;
}

/** Returns the manifest of the current evidence, on which a decision made now would rest. */
export function manifestOf(application: Application, held: HeldEvidence): EvidenceManifest {
  const { id, environment, applicant } = application;
  return evidenceManifest(subjectOf(application), environment, [
    evidenceItem('applicant', id, applicant),
    ...held.consents.map(({ id: consentId, ...said }) => evidenceItem('consent', consentId, said)),
    ...held.verifications.map(({ id: verificationId, createdAt: _at, finishedAt: _end, ...found }) =>
      evidenceItem('verification', verificationId, found),
    ),
    ...screeningItems(held.screening),
    ...recordedItems(held),
  ]);
}

function screeningItems(screening: ScreeningEvidence | null): EvidenceItem[] {
  if (screening === null) return [];
  const { id, result, subject, hitCount, openHitCount, truncated, confirmed, lists, staleLists } = screening;
  return [
    evidenceItem('screening', id, {
      result,
      subject,
      hitCount,
      openHitCount,
      lists,
      staleLists,
      ...(truncated && { truncated }),
      ...(confirmed.length > 0 && { confirmed }),
    }),
  ];
}
