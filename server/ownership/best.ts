import { Amount } from './amount.ts';
import { ExactSystem, type Work } from './exact.ts';
import { groupsOf, type Receiver, type System } from './flow.ts';
import { compareFractions, type Fraction } from './fraction.ts';
import { WHOLE } from './graph.ts';
import type { Owners } from './holdings.ts';

/** Companies whose rest could go to several others, from which the person might get different amounts. */
export interface Choices {
  readonly owners: readonly Owners[];
  readonly isOpen: readonly boolean[];
  readonly choices: readonly (readonly Receiver[])[];
  readonly isHers: (owner: number) => boolean;
  readonly work: Work;
}

const MOST_PASSES = 200;
/** Work of a pass for each owner and each receiver, in multiplications of an exact solution. */
const PASS_WEIGHT = 6;
const ZERO: Fraction = { numerator: 0n, denominator: 1n };

/**
 * Returns the most that a person could have of the company, over all receivers of the rests. The values of all
 * companies rise from zero until they settle; the most steps that any way out takes bound the error, and where there
 * is no bound or it does not suffice, receivers are exchanged until nothing is better, by exact values (policy
 * iteration).
 */
export function bestOf(about: Choices): Amount {
  const { isOpen } = about;
  const order = ownersFirst(about);
  const start = isOpen.length - 1;
  const chosen = about.choices.map(([receiver]) => receiver!);
  const values = new Float64Array(isOpen.length);
  const steps = new Float64Array(isOpen.length);
  const visited = order.reduce((sum, at) => sum + about.owners[at]!.known.length + about.choices[at]!.length + 1, 0);
  const spend = (): void => about.work.spend(visited * PASS_WEIGHT);
  settle(order, values, (position) => valueOf(about, values, position, chosen), spend);
  settle(order, steps, (position) => stepsFrom(about, steps, position), spend);
  const areSteps = order.every((position) => steps[position]! >= 0.5 + (stepsFrom(about, steps, position) - 1));
  const slack = (Math.max(...about.owners.map(({ known }) => known.length)) + 8) * 2 ** -52;
  let furthest = 0;
  for (const position of order)
    furthest = Math.max(furthest, Math.abs(valueOf(about, values, position, null) - values[position]!) + slack);
  // More steps than that would let roundings count in the check of the steps itself.
  const isProven = areSteps && order.every((position) => steps[position]! < 1e6);
  const error = isProven ? 2 * furthest * steps[start]! : Infinity;
  return new Amount(values[start]!, error, () => exactBest(about, chosen, order));
}

/** Returns the positions that could be reached, those of owners before those of the companies that they own. */
function ownersFirst({ owners, isOpen, choices }: Choices): number[] {
  const all: System = {
    isOpen,
    owners: owners.map(({ known }, position) => ({
      known: [
        ...known,
        ...choices[position]!.flatMap((owner) => (typeof owner === 'number' ? [{ owner, share: 1 }] : [])),
      ],
      unknown: [],
      rest: 0,
    })),
    receivers: owners.map(() => 'nobody'),
  };
  return groupsOf(all, [isOpen.length - 1])
    .flat()
    .reverse();
}

function settle(
  order: readonly number[],
  values: Float64Array,
  valueAt: (position: number) => number,
  spend: () => void,
): void {
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    spend();
    let isSettled = true;
    for (const position of order) {
      const value = valueAt(position);
      if (value > values[position]! * (1 + 2 ** -52)) {
        values[position] = value;
        isSettled = false;
      }
    }
    if (isSettled) return;
  }
}

/**
 * Returns the value of a company by the values of its owners, and notes the best receiver. Another one is noted only if
 * it is better by more than roundings, because two companies that own each other must not choose each other for the
 * value that one has from the other.
 */
function valueOf(
  { owners, isOpen, choices, isHers }: Choices,
  values: Float64Array,
  position: number,
  chosen: Receiver[] | null,
): number {
  const of = (receiver: Receiver): number => {
    if (typeof receiver === 'string') return Number(receiver === 'her');
    return isOpen[receiver]! ? values[receiver]! : Number(isHers(receiver));
  };
  const { known, rest } = owners[position]!;
  let sum = 0;
  for (const { owner, share } of known) sum += share * of(owner);
  let best = 0;
  for (const receiver of choices[position]!) best = Math.max(best, of(receiver));
  if (chosen !== null) {
    if (best > of(chosen[position]!) + 1e-12)
      chosen[position] = choices[position]!.find((receiver) => of(receiver) === best)!;
  }
  return (sum + rest * best) / WHOLE;
}

/** Returns the most companies that a share could go through before it ends. */
function stepsFrom({ owners, isOpen, choices }: Choices, steps: Float64Array, position: number): number {
  const { known, rest } = owners[position]!;
  let sum = 0;
  for (const { owner, share } of known) if (isOpen[owner]!) sum += share * steps[owner]!;
  let most = 0;
  for (const receiver of choices[position]!)
    if (typeof receiver === 'number' && isOpen[receiver]!) most = Math.max(most, steps[receiver]!);
  return 1 + (sum + rest * most) / WHOLE;
}

/** Exchanges receivers while another one has a greater exact value. */
function exactBest(
  { owners, isOpen, choices, isHers, work }: Choices,
  first: readonly Receiver[],
  order: readonly number[],
): Fraction {
  const start = isOpen.length - 1;
  const receivers = [...first];
  for (;;) {
    const values = new ExactSystem({ owners, isOpen, receivers }, order, work).solve(isHers, order);
    let isBest = true;
    for (const position of order) {
      if (choices[position]!.length < 2) continue;
      for (const receiver of choices[position]!) {
        const held = values.get(receivers[position] as number) ?? ZERO;
        if (compareFractions(values.get(receiver as number) ?? ZERO, held) <= 0) continue;
        receivers[position] = receiver;
        isBest = false;
      }
    }
    if (isBest) return values.get(start) ?? ZERO;
  }
}
