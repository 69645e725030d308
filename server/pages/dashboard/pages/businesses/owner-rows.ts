/**
 * The owners of a company as rows of a form, and back. Used by edit-owners.tsx. Members that the form does not show
 * stay as they are recorded.
 */
import type { Schemas } from '../../core/api.ts';
import { textOrNull } from '../../ui/text-or-null.ts';

type Party = Schemas['OwnershipParty'];
type Edge = Schemas['OwnershipEdge'];
type Graph = Pick<Schemas['Ownership'], 'parties' | 'edges'>;

/** Key of the company in its own graph. */
export const ROOT = 'root';

/** A person or an organisation. The key of a new one is empty until it gets one. */
export interface PartyRow {
  readonly key: string;
  readonly name: string;
  readonly kind: Party['kind'];
  readonly taxId: string;
  readonly roles: readonly Schemas['OwnershipRole'][];
  /** Key of the party in whose name this one holds its shares; empty for none. */
  readonly nomineeFor: string;
  readonly recorded: Party | null;
}

/** A holding of one party in another or in the company. */
export interface EdgeRow {
  readonly owner: string;
  readonly owned: string;
  readonly capitalPercent: string;
  readonly votingPercent: string;
  readonly controlRight: Schemas['OwnershipControlRight'] | '';
  readonly source: Edge['source'];
  readonly validFrom: string;
  readonly validTo: string;
  readonly recorded: Edge | null;
}

export const BLANK_PARTY: PartyRow = {
  key: '',
  name: '',
  kind: 'person',
  taxId: '',
  roles: [],
  nomineeFor: '',
  recorded: null,
};

export const BLANK_EDGE: EdgeRow = {
  owner: '',
  owned: ROOT,
  capitalPercent: '',
  votingPercent: '',
  controlRight: '',
  source: 'declared',
  validFrom: '',
  validTo: '',
  recorded: null,
};

const percentText = (percent: number | null | undefined): string => (percent == null ? '' : `${percent}`);

/** Returns a graph as rows. */
export function rowsOf({ parties, edges }: Graph): { parties: PartyRow[]; edges: EdgeRow[] } {
  return {
    parties: parties.map((recorded) => ({
      key: recorded.key,
      name: recorded.name,
      kind: recorded.kind,
      taxId: recorded.taxId ?? '',
      roles: recorded.roles ?? [],
      nomineeFor: recorded.nomineeFor ?? '',
      recorded,
    })),
    edges: edges.map((recorded) => ({
      owner: recorded.owner,
      owned: recorded.owned,
      capitalPercent: percentText(recorded.capitalPercent),
      votingPercent: percentText(recorded.votingPercent),
      controlRight: recorded.controlRight ?? '',
      source: recorded.source,
      validFrom: recorded.validFrom ?? '',
      validTo: recorded.validTo ?? '',
      recorded,
    })),
  };
}

/** Returns a typed share, or null if there is none. The form refuses texts that are not numbers before it is sent. */
function shareOf(text: string): number | null {
  const share = text.trim().replace(',', '.');
  return share === '' ? null : Number(share);
}

/** Returns the graph that rows describe. */
export function graphOf({
  parties,
  edges,
}: {
  readonly parties: readonly PartyRow[];
  readonly edges: readonly EdgeRow[];
}): Graph {
  return {
    parties: parties.map(({ recorded, name, taxId, nomineeFor, roles, ...row }) => ({
      ...recorded,
      ...row,
      name: name.trim(),
      taxId: textOrNull(taxId),
      roles: [...roles],
      nomineeFor: textOrNull(nomineeFor),
    })),
    edges: edges.map(({ recorded, owner, owned, source, controlRight, ...row }) => ({
      ...recorded,
      owner,
      owned,
      source,
      capitalPercent: shareOf(row.capitalPercent),
      votingPercent: shareOf(row.votingPercent),
      controlRight: controlRight === '' ? null : controlRight,
      validFrom: textOrNull(row.validFrom),
      validTo: textOrNull(row.validTo),
    })),
  };
}

/** Gives every new party a key that no other one has. */
export function withKeys(parties: readonly PartyRow[]): PartyRow[] {
  const taken = new Set(parties.map(({ key }) => key));
  let number = 0;
  return parties.map((party) => {
    if (party.key !== '') return party;
    do number += 1;
    while (taken.has(`p${number}`));
    taken.add(`p${number}`);
    return { ...party, key: `p${number}` };
  });
}

/** Returns the parties without references to parties that were removed. */
export function withoutLostNominees(parties: readonly PartyRow[]): PartyRow[] {
  const keys = new Set(parties.map(({ key }) => key));
  return parties.map((party) => (keys.has(party.nomineeFor) ? party : { ...party, nomineeFor: '' }));
}

/** Returns the holdings without those of parties that are not there any more. */
export function edgesAmong(parties: readonly PartyRow[], edges: readonly EdgeRow[]): EdgeRow[] {
  const keys = new Set([ROOT, '', ...parties.map(({ key }) => key)]);
  return edges.filter(({ owner, owned }) => keys.has(owner) && keys.has(owned));
}
