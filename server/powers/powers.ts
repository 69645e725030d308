/** A value of three: `no` is less than `unknown`, which is less than `yes` (Kleene). */
export const NO = 0;
export const UNKNOWN = 1;
export const YES = 2;
export type Certainty = typeof NO | typeof UNKNOWN | typeof YES;

/** Who must sign: a person, any member of a group, anybody with a role, or several of these. */
export type Formula =
  | { readonly party: string }
  | { readonly group: string }
  | { readonly role: string }
  | { readonly all: readonly Formula[] }
  | { readonly any: readonly Formula[] }
  | { readonly atLeast: number; readonly of: readonly Formula[] };

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** A rule of an instrument: which acts, up to which amount, where, and who must sign. */
export interface PowerRule {
  readonly key: string;
  /** Types of acts, or `*` for all. */
  readonly actTypes: readonly string[];
  readonly excludeActTypes: readonly string[];
  readonly maxAmount: Money | null;
  readonly formula: Formula;
  readonly conditions: readonly { readonly kind: string }[];
  readonly canDelegate: boolean;
  readonly territory: string | null;
}

/** A document that gives powers. Days are those of São Paulo, and both ends of a period are included. */
export interface PowerInstrument {
  readonly id: string;
  readonly type: string;
  readonly status: 'draft' | 'active' | 'suspended' | 'expired' | 'revoked' | 'superseded';
  readonly registeredOn: string | null;
  readonly validFrom: string;
  readonly validUntil: string | null;
  /** Instant of the revocation, and its day in São Paulo. */
  readonly revoked: { readonly at: string; readonly on: string } | null;
  readonly supersedes: string | null;
  /** Instrument from which a power of attorney is drawn, who granted it, and when. */
  readonly grantorInstrumentId: string | null;
  readonly grantedBy: readonly string[];
  readonly grantedOn: string | null;
  readonly groups: readonly {
    readonly key: string;
    readonly members: readonly {
      readonly partyKey: string;
      readonly termFrom: string | null;
      readonly termUntil: string | null;
    }[];
  }[];
  readonly rules: readonly PowerRule[];
}

/** A party of the company, with what checks have found. The dates are those of its roles. */
export interface PowerParty {
  readonly key: string;
  readonly roles: readonly string[];
  /** Full number, or its mask. */
  readonly taxId: string | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly identityVerified: boolean;
  readonly sanctioned: boolean;
  readonly protectionActive: boolean;
}

export interface Place {
  readonly state: string | null;
  readonly city: string | null;
}

/** What somebody wants to do in the name of the company. */
export interface Act {
  readonly type: string;
  readonly amount: Money | null;
  readonly at: string;
  /** Day of the act in São Paulo. */
  readonly on: string;
  readonly counterparty: string | null;
  readonly conditionsMet: readonly { readonly kind: string; readonly documentId: string }[];
  /** Where the act takes place, if that is not the establishment. */
  readonly place: Place | null;
}

/** The company, as far as its powers depend on it. */
export interface PowerBusiness {
  readonly legalForm: string;
  /** Situation at the registry; null if nobody has looked it up. */
  readonly situation: string | null;
  readonly protectionActive: boolean;
  readonly establishment: Place;
}

/** Everything that an evaluation depends on. */
export interface PowersOnFile {
  readonly business: PowerBusiness;
  readonly parties: readonly PowerParty[];
  readonly instruments: readonly PowerInstrument[];
}

/** Somebody who signs, by key or by full tax number. */
export interface Signer {
  readonly partyKey?: string | undefined;
  readonly taxId?: string | undefined;
}

/** A time at which a rule is applied. A day on which a power was granted has no instant. */
export interface Moment {
  readonly on: string;
  readonly at: string | null;
}

/** Returns the least of several certainties. */
export function least(...certainties: readonly Certainty[]): Certainty {
  return Math.min(YES, ...certainties) as Certainty;
}

/** Returns the greatest of several certainties, `no` if there are none. */
export function greatest(certainties: readonly Certainty[]): Certainty {
  return Math.max(NO, ...certainties) as Certainty;
}

/** Returns `yes` or `no`. */
export function certain(is: boolean): Certainty {
  return is ? YES : NO;
}

/** Tells whether a period includes a day. */
export function includesDay(from: string | null, until: string | null, day: string): boolean {
  return (from === null || from <= day) && (until === null || day <= until);
}
