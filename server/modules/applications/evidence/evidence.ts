import { type EvidenceItem, evidenceItem, type EvidenceManifest, evidenceManifest } from '../../../rules/evidence.ts';
import type { Document } from '../../documents/index.ts';
import type { DecisionPolicy } from '../../tenant-settings/index.ts';
import type { ApplicationRecord } from '../record/application.ts';
import { type Attestation, wireOf } from './attestation-store.ts';
import type { Consent } from './consent-store.ts';
import type { InformationRequest } from './information-store.ts';
import type { ScreeningEvidence } from './screening-store.ts';
import type { Waiver } from './waiver-store.ts';

type Application = Pick<ApplicationRecord, 'id' | 'environment' | 'applicant'>;

/** Evidence of an application beside its own row. */
export interface HeldEvidence {
  readonly documents: readonly Document[];
  readonly consents: readonly Consent[];
  readonly waivers: readonly Waiver[];
  readonly attestations: readonly Attestation[];
  readonly informationRequests: readonly InformationRequest[];
  readonly screening: ScreeningEvidence | null;
  readonly policy: DecisionPolicy;
}

/** Returns the items that one kind of evidence adds to the manifest. */
type Contributor = (application: Application, held: HeldEvidence) => readonly EvidenceItem[];

/** Cache of evidence items by policy, because many applications are read with the same policy. */
const policyItems = new WeakMap<DecisionPolicy, EvidenceItem>();

function policyItem(policy: DecisionPolicy): EvidenceItem {
  const item = policyItems.get(policy) ?? evidenceItem('policy', 'decisionPolicy', policy.rules, policy.version);
  policyItems.set(policy, item);
  return item;
}

/**
 * Kinds of evidence. Who assigned, noted or read something is not evidence, because it does not bear on the decision.
 */
const CONTRIBUTORS: readonly Contributor[] = [
  ({ id, applicant }) => [evidenceItem('applicant', id, applicant)],
  (_, { documents }) =>
    documents.map(({ id, sha256, type, side, country, expiresOn, status }) =>
      evidenceItem('document', id, {
        sha256,
        type,
        side,
        country,
        expiresOn,
        status,
      }),
    ),
  (_, { consents }) => consents.map(({ id, ...said }) => evidenceItem('consent', id, said)),
  (_, { waivers }) => waivers.map(({ id, createdBy: _by, ...said }) => evidenceItem('waiver', id, said)),
  (_, { attestations }) =>
    attestations.map(wireOf).map(({ id, createdBy: _by, ...said }) => evidenceItem('check', id, said)),
  (_, { informationRequests }) =>
    informationRequests.map(({ id, status, items, dueAt, answeredAt }) =>
      evidenceItem('information_request', id, {
        status,
        items,
        dueAt,
        answeredAt,
      }),
    ),
  (_, { screening }) => {
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
  },
  (_, { policy }) => [policyItem(policy)],
];

/** Returns the manifest of the current evidence, on which a decision made now would rest. */
export function manifestOf(application: Application, held: HeldEvidence): EvidenceManifest {
  const { id, environment } = application;
  return evidenceManifest(
    { kind: 'application', id },
    environment,
    CONTRIBUTORS.flatMap((contribute) => contribute(application, held)),
  );
}
