/**
 * Reads what the ledgers of this module hold about a subject, and presents decisions and requests to readers. Used,
 * through the index, by the modules of subjects. The texts are sealed: `openedRecords` needs the key of the subject.
 */
import type { KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { HIDDEN, shown } from '../../rules/mask.ts';
import type { Subject } from '../../rules/subject.ts';
import { openedRow } from '../subject-keys/index.ts';
import { attestation, type Attestation, listAttestations } from './attestation-store.ts';
import { type Decision, listDecisions, openedDecision } from './decision-store.ts';
import { type InformationRequest, informationRequest, listInformationRequests } from './information-store.ts';
import { listWaivers, waiver, type Waiver } from './waiver-store.ts';

type Schemas = components['schemas'];

/** All records about a subject, newest first. */
interface Records {
  readonly waivers: readonly Waiver[];
  readonly attestations: readonly Attestation[];
  readonly decisions: Awaited<ReturnType<typeof listDecisions>>;
  readonly informationRequests: readonly InformationRequest[];
}

/** Lists the records about a subject, still sealed. The statements are sent in one round trip. */
export async function listRecords(tx: Transaction, subject: Subject): Promise<Records> {
  const [waivers, attestations, decisions, informationRequests] = await Promise.all([
    listWaivers(tx, subject),
    listAttestations(tx, subject),
    listDecisions(tx, subject),
    listInformationRequests(tx, subject),
  ]);
  return {
    waivers,
    attestations,
    decisions,
    informationRequests,
  };
}

/** Returns whether there is no record, so that no key is needed. */
export function hasNoRecords({ waivers, attestations, decisions, informationRequests }: Records): boolean {
  return [waivers, attestations, decisions, informationRequests].every((records) => records.length === 0);
}

/** Opens the records with the key of their subject. */
export function openedRecords(
  { waivers, attestations, decisions, informationRequests }: Records,
  key: KeyObject | null,
): Omit<Records, 'decisions'> & { readonly decisions: readonly Decision[] } {
  return {
    waivers: waivers.map((row) => openedRow(waiver, row, key)),
    attestations: attestations.map((row) => openedRow(attestation, row, key)),
    decisions: decisions.map((row) => openedDecision(row, key)),
    informationRequests: informationRequests.map((row) => openedRow(informationRequest, row, key)),
  };
}

interface Reader {
  readonly principal: AnyPrincipal;
}

/** Presents a decision. A reader who sees personal data masked does not learn the personal reasons for a review. */
export function presentDecision(
  decision: Decision,
  reader: Reader,
  personalReasons: readonly string[] = [],
): Schemas['Decision'] {
  const isMasked = reader.principal.personalData === 'masked';
  return shown(
    'Decision',
    {
      ...decision,
      fourEyesReasons: decision.fourEyesReasons.filter((reason) => !isMasked || !personalReasons.includes(reason)),
    },
    reader,
  );
}

/** Hides the internal note from programs, because people write it for each other and a program may pass it on. */
export function presentInformationRequest(request: InformationRequest, reader: Reader): Schemas['InformationRequest'] {
  const { internalNote } = request;
  return shown(
    'InformationRequest',
    { ...request, internalNote: reader.principal.kind === 'user' ? internalNote : internalNote && HIDDEN },
    reader,
  );
}
