/** Key of the company itself in its own graph. Every other company and person has the key of a party. */
export const ROOT = 'root';

/** One hundred percent. The engine counts in millionths of a percent, which are integers. */
export const WHOLE = 100_000_000;

/** Kind of a party. Companies, trusts and funds are looked through; a person or a government ends a chain. */
export type PartyKind = 'person' | 'company' | 'trust' | 'fund' | 'government' | 'listed_company' | 'unknown';

/** A person or an organisation that owns, controls or administers. The dates are those of its roles. */
export interface OwnershipParty {
  readonly key: string;
  readonly kind: PartyKind;
  /** Tells that nobody behind the party is sought, for example behind a regulated fund. */
  readonly terminal: boolean;
  readonly roles: readonly string[];
  readonly validFrom: string | null;
  readonly validTo: string | null;
  /** Key of the party in whose name this one holds its shares. */
  readonly nomineeFor: string | null;
  /** Tells that shares of this company belong to whoever has the paper. */
  readonly bearerShares: boolean;
}

/** A holding, in millionths of a percent; null where the percentage is unknown. */
export interface OwnershipEdge {
  readonly owner: string;
  readonly owned: string;
  readonly capital: number | null;
  readonly voting: number | null;
  readonly controlRight: string | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** Who owns the company, with the history that the dates of the edges tell. */
export interface OwnershipGraph {
  readonly parties: readonly OwnershipParty[];
  readonly edges: readonly OwnershipEdge[];
  /** Tells that shares of the company itself belong to whoever has the paper. */
  readonly bearerShares: boolean;
}

/**
 * Returns a percentage as an integer of millionths of a percent, or null if it has more than six decimals. A JSON
 * number is a double, so the integer is rounded and must give the same number again.
 */
export function millionthsOf(percent: number): number | null {
  const millionths = Math.round(percent * 1_000_000);
  return millionths / 1_000_000 === percent ? millionths : null;
}

/** Tells whether a period includes a day. Both ends are included, and a missing end is open. */
export function isInForce(
  { validFrom, validTo }: { readonly validFrom: string | null; readonly validTo: string | null },
  day: string,
): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
}

/** Returns the votes of a holding: one share has one vote unless the percentage of votes is stated. */
export function votesOf({ voting, capital }: Pick<OwnershipEdge, 'voting' | 'capital'>): number | null {
  return voting ?? capital;
}
