/**
 * Puts documents, waivers, attestations, answers and policy into the manifest of evidence. Used, through the index, by
 * the module of the subject, which adds its own evidence. A member that is missing here can change without making a
 * decision stale; one too many makes decisions stale for nothing.
 */
import { type EvidenceItem, evidenceItem } from '../../rules/evidence.ts';
import type { Document } from '../documents/index.ts';
import type { DecisionPolicy } from '../tenant-settings/index.ts';
import { type Attestation, wireOf } from './attestation-store.ts';
import type { InformationRequest } from './information-store.ts';
import type { Waiver } from './waiver-store.ts';

/** Evidence that a subject of any kind may have, beside what only its module knows. */
export interface RecordedEvidence {
  readonly documents: readonly Document[];
  readonly waivers: readonly Waiver[];
  readonly attestations: readonly Attestation[];
  readonly informationRequests: readonly InformationRequest[];
  readonly policy: DecisionPolicy;
}

/** Cache of evidence items by policy, because many subjects are read with the same policy. */
const policyItems = new WeakMap<DecisionPolicy, EvidenceItem>();

function policyItem(policy: DecisionPolicy): EvidenceItem {
  const item = policyItems.get(policy) ?? evidenceItem('policy', 'decisionPolicy', policy.rules, policy.version);
  policyItems.set(policy, item);
  return item;
}

/** Returns the items of the manifest. Who assigned, noted or read something does not bear on the decision. */
export function recordedItems({
  documents,
  waivers,
  attestations,
  informationRequests,
  policy,
}: RecordedEvidence): EvidenceItem[] {
  return [
    ...documents.map(({ id, sha256, type, side, country, expiresOn, status }) =>
      evidenceItem('document', id, {
        sha256,
        type,
        side,
        country,
        expiresOn,
        status,
      }),
    ),
    ...waivers.map(({ id, createdBy: _by, ...said }) => evidenceItem('waiver', id, said)),
    ...attestations.map(wireOf).map(({ id, createdBy: _by, ...said }) => evidenceItem('check', id, said)),
    ...informationRequests.map(({ id, status, items, dueAt, answeredAt }) =>
      evidenceItem('information_request', id, {
        status,
        items,
        dueAt,
        answeredAt,
      }),
    ),
    policyItem(policy),
  ];
}
