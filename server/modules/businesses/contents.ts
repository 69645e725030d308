/**
 * Reads what belongs to a business, and presents a business to its reader. Used by all operations on one business. For
 * a change, the caller takes the lock first. What bypasses the presentation shows notes to callers who must not see
 * them.
 */
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { type BusinessClocks, calendarDate } from '../../rules/brazilian-calendar.ts';
import {
  evidenceDigest,
  type EvidenceItem,
  evidenceItem,
  type EvidenceManifest,
  evidenceManifest,
} from '../../rules/evidence.ts';
import { shown } from '../../rules/mask.ts';
import { currentRisk, presentRisk, type Risk, riskItems } from '../applications/index.ts';
import {
  type Decision,
  hasNoRecords,
  listRecords,
  openedRecords,
  presentDecision,
  presentInformationRequest,
  type RecordedEvidence,
  recordedItems,
  wireOf,
} from '../decisions/index.ts';
import { listDocuments } from '../documents/index.ts';
import { openingKey } from '../subject-keys/index.ts';
import { readDecisionPolicy } from '../tenant-settings/index.ts';
import { subjectOf } from './record.ts';
import { type Assessed, requirementsOf } from './requirements.ts';
import type { Business } from './store.ts';
import { readStructure, type StructureEvidence } from './structure-store.ts';

/** What belongs to a business: its evidence and its decisions. */
export interface Contents extends RecordedEvidence, StructureEvidence {
  readonly decisions: readonly Decision[];
  readonly risk: Risk;
}

export async function readContents(tx: Transaction, id: string): Promise<Contents> {
  const subject = subjectOf({ id });
  const [documents, policy, records, structure, risk] = await Promise.all([
    listDocuments(tx, subject),
    readDecisionPolicy(tx, tx.tenantId!),
    listRecords(tx, subject),
    readStructure(tx, id),
    currentRisk(tx, subject),
  ]);
  const opening = hasNoRecords(records) ? null : await openingKey(tx, { type: 'business', id });
  return {
    documents,
    policy,
    risk,
    ...structure,
    ...openedRecords(records, opening),
  };
}

/** Returns the manifest of the current evidence, on which a decision made now would rest. */
export function manifestOf(business: Business, contents: Contents): EvidenceManifest {
  const { id, environment, legalName, tradeName, registration, legalForm, level, monthlyRevenue } = business;
  return evidenceManifest(subjectOf(business), environment, [
    evidenceItem('business', id, {
      legalName,
      tradeName,
      registration,
      legalForm,
      level,
      monthlyRevenue,
    }),
    ...structureItems(contents),
    ...riskItems(id, contents.risk),
    ...recordedItems(contents),
  ]);
}

/**
 * A person is evidence by the application and its newest screening, owners by the digest of their graph, and powers by
 * that of what their confirmation stated.
 */
function structureItems({ ownership, powers, registry, parties }: StructureEvidence): EvidenceItem[] {
  return [
    ...parties.map(({ partyKey, ...said }) => evidenceItem('screening', partyKey, said)),
    ...(registry === null ? [] : [registry]).map(({ id, ...said }) => evidenceItem('registry', id, said)),
    ...(ownership === null ? [] : [ownership]).map(({ id, version, ...said }) =>
      evidenceItem('ownership', id, said, version),
    ),
    ...powers.map(({ id, version, ...said }) => evidenceItem('power', id, said, version)),
  ];
}

export function assessedOf(business: Business, contents: Contents, { timeIn }: BusinessClocks): Assessed {
  const { policy } = contents;
  return {
    business,
    ...contents,
    checks: policy.rules.requiredChecksOfBusinesses[business.level],
    today: calendarDate(timeIn(business.environment)),
  };
}

interface Reader extends BusinessClocks {
  readonly principal: AnyPrincipal;
}

/** Presents a business as its reader may see it, with what belongs to it, newest first. */
export function present(business: Business, contents: Contents, reader: Reader): components['schemas']['Business'] {
  const { documents, waivers, attestations, decisions, informationRequests } = contents;
  return shown(
    'Business',
    {
      ...business,
      ...presentRisk(contents.risk),
      requirements: requirementsOf(assessedOf(business, contents, reader)),
      evidenceDigest: evidenceDigest(manifestOf(business, contents)),
      documents: [...documents],
      waivers: [...waivers],
      attestations: attestations.map(wireOf),
      decisions: decisions.map((decision) => presentDecision(decision, reader)),
      informationRequests: informationRequests.map((request) => presentInformationRequest(request, reader)),
    },
    reader,
  );
}
