import { Amount } from './amount.ts';
import { bestOf } from './best.ts';
import { ExactSystem, type Work } from './exact.ts';
import { type Flow, flowOf, type Receiver, type System } from './flow.ts';
import type { Fraction } from './fraction.ts';
import type { Holdings, Owners } from './holdings.ts';

/** Whose interest in the company is sought. */
export interface Asked {
  /** Position of the person; null for a person whom the graph does not name. */
  readonly person: number | null;
  /** Companies that count as wholly hers. */
  readonly controlled: ReadonlySet<number>;
  /** Tells that unknown percentages are filled in her favour. */
  readonly isWorst: boolean;
}

const ZERO: Fraction = { numerator: 0n, denominator: 1n };

/**
 * Interests in the company by capital or by votes. Persons who are asked about under the same conditions share one
 * solution.
 */
export class Interests {
  readonly #holdings: Holdings;
  /** Owners of each position, and at the end those of the company in question once more. */
  readonly #owners: readonly Owners[];
  readonly #work: Work;
  readonly #flows = new Map<string, { readonly system: System; readonly flow: Flow; exact: ExactSystem | null }>();

  constructor(holdings: Holdings, owners: readonly Owners[], work: Work) {
    this.#holdings = holdings;
    this.#owners = [...owners, owners[0]!];
    this.#work = work;
  }

  /** Returns the interest of a person. */
  of(asked: Asked): Amount {
    const { person, controlled, isWorst } = asked;
    const { isUnknown, isLookedThrough } = this.#holdings;
    const isHers = (owner: number): boolean =>
      owner === person || controlled.has(owner) || (isWorst && isUnknown[owner] === true);
    const isOpen = [...isLookedThrough.map((is, position) => is && !controlled.has(position)), true];
    const choices = this.#owners.map((owners) => (isWorst ? candidates(owners, isHers, isOpen) : ['nobody' as const]));
    if (choices.some((receivers, position) => receivers.length > 1 && isOpen[position]))
      return bestOf({
        owners: this.#owners,
        isOpen,
        choices,
        isHers,
        work: this.#work,
      });
    const receivers = choices.map(([receiver]) => receiver!);
    return this.#amount({ owners: this.#owners, isOpen, receivers }, isHers);
  }

  /** Returns how much of the company ends with the parties at some positions, as far as percentages are known. */
  known(positions: ReadonlySet<number>): Amount {
    const receivers = this.#owners.map((): Receiver => 'nobody');
    const isOpen = [...this.#holdings.isLookedThrough, true];
    return this.#amount({ owners: this.#owners, isOpen, receivers }, (owner) => positions.has(owner));
  }

  #amount(system: System, isHers: (owner: number) => boolean): Amount {
    const { isOpen, receivers } = system;
    const key = `${isOpen.map(Number).join('')} ${receivers.join(' ')}`;
    const solved = this.#flows.get(key) ?? { system, flow: flowOf(system), exact: null };
    this.#flows.set(key, solved);
    const { ended, restOfHers, error } = solved.flow;
    let near = restOfHers;
    for (const [position, amount] of ended.entries()) if (!isOpen[position]! && isHers(position)) near += amount;
    return new Amount(near, error, () => {
      const start = isOpen.length - 1;
      solved.exact ??= new ExactSystem(solved.system, [start], this.#work);
      return solved.exact.solve(isHers, [start]).get(start) ?? ZERO;
    });
  }
}

/** Returns who could receive the rest of a company, of whom only the one who passes most of it on to her matters. */
function candidates(
  { unknown, rest }: Owners,
  isHers: (owner: number) => boolean,
  isOpen: readonly boolean[],
): readonly Receiver[] {
  if (rest === 0) return ['nobody'];
  if (unknown.length === 0 || unknown.some(isHers)) return ['her'];
  const companies = unknown.filter((owner) => isOpen[owner]);
  return companies.length === 0 ? ['nobody'] : companies;
}
