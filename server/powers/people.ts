import {
  type Act,
  type Certainty,
  includesDay,
  NO,
  type PowerInstrument,
  type PowerParty,
  UNKNOWN,
  YES,
} from './powers.ts';
import type { Candidates } from './formula.ts';

/** Somebody who may sign: one person, under however many keys. */
export interface Person {
  /** Least of the keys, by which answers name the person. */
  readonly key: string;
  readonly parties: readonly PowerParty[];
}

/** The persons of a company, and who they are by key and by number. */
export class People {
  readonly all: ReadonlyMap<string, Person>;
  readonly #personOf = new Map<string, string>();
  readonly #keyOf = new Map<string, string>();

  constructor(parties: readonly PowerParty[]) {
    const groups = Map.groupBy(parties, ({ key, taxId }) => (isFull(taxId) ? `number ${taxId}` : `key ${key}`));
    const all = new Map<string, Person>();
    for (const group of groups.values()) {
      const key = group.map((party) => party.key).sort()[0]!;
      all.set(key, { key, parties: group });
      for (const party of group) this.#personOf.set(party.key, key);
      const [{ taxId }] = group as [PowerParty, ...PowerParty[]];
      if (isFull(taxId)) this.#keyOf.set(taxId, key);
    }
    this.all = all;
  }

  /** Returns the person with a key or with a full number. */
  find(signer: { readonly partyKey?: string | undefined; readonly taxId?: string | undefined }): string | null {
    if (signer.partyKey !== undefined) return this.#personOf.get(signer.partyKey) ?? null;
    return (signer.taxId !== undefined && this.#keyOf.get(signer.taxId)) || null;
  }

  /**
   * Returns who may fill the slots of an instrument on a day: the named person, members of its groups in their term, or
   * persons with a role. Without a day, terms do not count.
   */
  candidates(instrument: Pick<PowerInstrument, 'groups'>, day: string | null): Candidates {
    const known = new Map<string, ReadonlySet<string>>();
    return (leaf) => {
      const name = JSON.stringify(leaf);
      const found =
        known.get(name) ?? new Set(this.#keys(leaf, instrument, day).flatMap((key) => this.#personOf.get(key) ?? []));
      known.set(name, found);
      return found;
    };
  }

  #keys(leaf: Parameters<Candidates>[0], { groups }: Pick<PowerInstrument, 'groups'>, day: string | null): string[] {
    if ('party' in leaf) return [leaf.party];
    if ('group' in leaf)
      return groups.flatMap(({ key, members }) =>
        key === leaf.group
          ? members.flatMap(({ partyKey, termFrom, termUntil }) =>
              day === null || includesDay(termFrom, termUntil, day) ? [partyKey] : [],
            )
          : [],
      );
    return [...this.all.values()].flatMap(({ parties }) =>
      parties.flatMap(({ key, roles, validFrom, validTo }) =>
        roles.includes(leaf.role) && (day === null || includesDay(validFrom, validTo, day)) ? [key] : [],
      ),
    );
  }

  /** Returns what the signature of a person counts: nothing of a sanctioned person or of the other side. */
  signature(person: string, { counterparty }: Act): Certainty {
    const { parties } = this.all.get(person)!;
    if (this.isSanctioned(person) || this.isOtherSide(person, counterparty)) return NO;
    return parties.some(({ identityVerified }) => identityVerified) ? YES : UNKNOWN;
  }

  isSanctioned(person: string): boolean {
    return this.all.get(person)!.parties.some(({ sanctioned }) => sanctioned);
  }

  isProtected(person: string): boolean {
    return this.all.get(person)!.parties.some(({ protectionActive }) => protectionActive);
  }

  /** Tells whether a person is the other side of an act, by key or by number. */
  isOtherSide(person: string, counterparty: string | null): boolean {
    return (
      counterparty !== null &&
      this.all.get(person)!.parties.some(({ key, taxId }) => counterparty === key || counterparty === taxId)
    );
  }
}

/** Tells whether a number is that of one person. A mask may be that of several. */
function isFull(taxId: string | null): taxId is string {
  return taxId !== null && !taxId.includes('*');
}
