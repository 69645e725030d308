/**
 * Compares what is declared of a company with what its registry says, and makes a draft of its owners of the partners
 * that the registry names, without input or output. Used by handlers and listeners of this module. A difference that is
 * missed here is never shown to a person.
 */
import type { components } from '../../contract/generated/types.ts';
import type { RegistryFinding, RegistryPartner } from '../../providers/business-registry/index.ts';
import { compareMaskedCpf } from '../../verification/ids/masked-cpf.ts';
import type { Business } from '../businesses/index.ts';
import { isMasked, type RecordedGraph, type RecordedParty } from '../ownership/index.ts';

type Schemas = components['schemas'];

/** A difference before it is stored. */
export type Difference = Pick<Schemas['RegistryDifference'], 'field' | 'severity' | 'declared' | 'registered'>;

type Declared = Pick<Business, 'legalName' | 'legalForm'>;

/** Returns everything that differs, the gravest first. Owners are compared once some are declared. */
export function differencesOf(declared: Declared, graph: RecordedGraph, finding: RegistryFinding): Difference[] {
  return [
    ...(finding.situation === 'active'
      ? []
      : [difference('situation', 'high', { declared: 'active', registered: finding.situation })]),
    ...(graph.parties.length === 0 ? [] : partyDifferences(graph, finding.partners)),
    ...(namesAgree(declared.legalName, finding.legalName)
      ? []
      : [difference('legal_name', 'medium', { declared: declared.legalName, registered: finding.legalName })]),
    ...(finding.legalForm === null || finding.legalForm === declared.legalForm
      ? []
      : [difference('legal_form', 'low', { declared: declared.legalForm, registered: finding.legalForm })]),
  ];
}

function difference(
  field: Difference['field'],
  severity: Difference['severity'],
  values: Pick<Difference, 'declared' | 'registered'>,
): Difference {
  return { field, severity, ...values };
}

/** Compares the partners with the parties that hold a share of the company itself or have a role in it. */
function partyDifferences({ parties, edges }: RecordedGraph, partners: readonly RegistryPartner[]): Difference[] {
  const owners = new Set(edges.filter(({ owned }) => owned === 'root').map(({ owner }) => owner));
  const direct = parties.filter(({ key, roles }) => owners.has(key) || roles.length > 0);
  const found = partners.map((partner) => ({ partner, party: direct.find((party) => isSame(party, partner)) }));
  return [
    ...found.flatMap(({ partner: { name }, party }) =>
      party === undefined ? [difference('partner_not_declared', 'high', { declared: null, registered: name })] : [],
    ),
    ...direct.flatMap((party) =>
      found.some((one) => one.party === party) || partners.length === 0
        ? []
        : [difference('owner_not_registered', 'high', { declared: party.name, registered: null })],
    ),
    ...found.flatMap(({ partner, party }) =>
      party === undefined || partner.role === null || partner.role === 'partner' || party.roles.includes(partner.role)
        ? []
        : [
            difference('role', 'medium', {
              declared: `${party.name}: ${party.roles.join(', ')}`,
              registered: `${partner.name}: ${partner.role}`,
            }),
          ],
    ),
  ];
}

/**
 * Two numbers decide if both are whole. A masked CPF is only probable, so it needs the same middle and the same name;
 * without a number the name decides.
 */
function isSame(party: RecordedParty, partner: RegistryPartner): boolean {
  const [own, theirs] = [party.taxId, partner.taxId];
  const agrees = namesAgree(party.name, partner.name);
  if (own === null || theirs === null) return agrees;
  if (!isMasked(own) && !isMasked(theirs)) return own === theirs;
  return agrees && compareMaskedCpf(own, theirs) === 'equal';
}

function namesAgree(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Returns the graph that the partners of a registry make, to be completed and accepted by a person. */
export function draftOf({ partners }: RegistryFinding): Schemas['OwnershipDraft'] {
  const keyed = partners.map((partner, index) => ({ partner, key: `partner-${index + 1}` }));
  return {
    parties: keyed.map(({ key, partner: { name, kind, taxId, country, role, since } }) => ({
      key,
      kind,
      name,
      taxId,
      country,
      dateOfBirth: null,
      terminal: false,
      terminalReason: null,
      roles: role === null ? [] : [role],
      validFrom: since,
      validTo: null,
      nomineeFor: null,
      bearerShares: false,
    })),
    // A director who is no partner holds nothing.
    edges: keyed
      .filter(({ partner: { role, capitalPercent } }) => role === 'partner' || role === null || capitalPercent !== null)
      .map(({ key, partner: { capitalPercent, since } }) => ({
        owner: key,
        owned: 'root',
        capitalPercent,
        votingPercent: null,
        controlRight: null,
        validFrom: since,
        validTo: null,
        source: 'registry',
        evidenceDocumentId: null,
      })),
    bearerShares: false,
  } as Schemas['OwnershipDraft'];
}
