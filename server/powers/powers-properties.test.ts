import { randomOf } from '../../test/support/random.ts';
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { evaluateSigning } from './evaluate.ts';
import type { Act, Formula, PowersOnFile } from './powers.ts';
import { actOf, GROUPS, KEYS, randomFile } from './testing/random-powers.ts';

/** Formulas of a run, of which `make soak` tries more. */
const FORMULAS = process.env['SOAK'] === 'true' ? 10_000 : 500;

/**
 * Tells whether persons satisfy a formula by trying every assignment: each slot takes somebody, whom no other slot
 * gets. Nothing of this is shared with the service.
 */
function satisfies(formula: Formula, { parties, instruments: [articles] }: PowersOnFile, persons: string[]): boolean {
  const personOf = (key: string): string => {
    const { taxId } = parties.find((party) => party.key === key)!;
    return taxId ?? key;
  };
  const may = (leaf: Formula, person: string): boolean => {
    if ('party' in leaf) return personOf(leaf.party) === person;
    const keys =
      'group' in leaf
        ? articles!.groups.find(({ key }) => key === leaf.group)!.members.map(({ partyKey }) => partyKey)
        : parties.filter(({ roles }) => roles.includes('director')).map(({ key }) => key);
    return keys.some((key) => personOf(key) === person);
  };
  const everybody = [...new Set(persons.map(personOf))];
  /** Every set of persons that the formula could use of those who are free. A set is a number with a bit for each. */
  const uses = (part: Formula, free: number): number[] => {
    if ('party' in part || 'group' in part || 'role' in part)
      return everybody.flatMap((person, bit) => ((free & (1 << bit)) !== 0 && may(part, person) ? [1 << bit] : []));
    if ('any' in part) return [...new Set(part.any.flatMap((child) => uses(child, free)))];
    const [parts, count] = 'all' in part ? [part.all, part.all.length] : [part.of, part.atLeast];
    // The sets that some number of parts could have used.
    let states = new Map<number, Set<number>>([[0, new Set([0])]]);
    for (const child of parts) {
      const grown = new Map([...states].map(([done, sets]) => [done, new Set(sets)]));
      for (const [done, sets] of states)
        for (const used of sets)
          for (const more of uses(child, free & ~used))
            grown.set(done + 1, (grown.get(done + 1) ?? new Set()).add(used | more));
      states = grown;
    }
    return [...states].flatMap(([done, sets]) => (done >= count ? [...sets] : []));
  };
  return uses(formula, 2 ** everybody.length - 1).length > 0;
}

/** Value of a set of signers, by brute force: 2 yes, 1 unknown, 0 no. */
function bruteForce(file: PowersOnFile, act: Act, signers: readonly string[]): number {
  const [articles] = file.instruments;
  const persons = (isCertain: boolean): string[] =>
    signers.filter((key) => {
      const { taxId } = file.parties.find((party) => party.key === key)!;
      const verified = file.parties.filter((party) => party.key === key || (taxId !== null && party.taxId === taxId));
      return !isCertain || verified.some(({ identityVerified }) => identityVerified);
    });
  return Math.max(
    ...articles!.rules.map(({ formula, maxAmount }) => {
      const limit = maxAmount === null || (act.amount !== null && act.amount.amount <= maxAmount.amount) ? 2 : 0;
      const worth = Math.min(limit === 0 && act.amount === null ? 1 : limit, articles!.status === 'draft' ? 1 : 2);
      const signed = satisfies(formula, file, persons(true)) ? 2 : Number(satisfies(formula, file, persons(false)));
      return Math.min(worth, signed);
    }),
  );
}

const subsetsOf = (keys: readonly string[]): string[][] =>
  keys.reduce<string[][]>((sets, key) => [...sets, ...sets.map((set) => [...set, key])], [[]]);

const RESULTS = ['not_authorized', 'indeterminate', 'authorized'];

describe('random formulas', () => {
  const cases = Array.from({ length: FORMULAS }, (_, index) => {
    const random = randomOf(index + 1);
    return {
      index,
      file: randomFile(random),
      act: actOf(random),
      random,
    };
  });

  it('are satisfied by exactly the signers that trying every assignment finds', () => {
    for (const { index, file, act } of each(cases)) {
      // A quarter of the sets of each file, another one each time.
      for (const signers of each(subsetsOf(KEYS).filter((_, number) => number % 4 === index % 4))) {
        const { result, coverage } = evaluateSigning(
          file,
          act,
          signers.map((partyKey) => ({ partyKey })),
        );
        const value = bruteForce(file, act, signers);
        expect([index, signers, coverage === 'complete' ? result : 'indeterminate']).toEqual([
          index,
          signers,
          coverage === 'complete' ? RESULTS[value] : 'indeterminate',
        ]);
        expect(file.instruments[0]!.status === 'draft' && result === 'authorized').toBe(false);
      }
    }
  });

  it('have the minimal sets that trying every set of persons finds', () => {
    for (const { index, file, act } of each(cases)) {
      const { minimalSets, isTruncated } = evaluateSigning(file, act, null);
      const shared = file.parties[0]!.taxId === null ? KEYS : KEYS.filter((key) => key !== 'b');
      const best = bruteForce(file, act, KEYS);
      const reaching = subsetsOf(shared).filter((set) => best > 0 && bruteForce(file, act, set) === best);
      const minimal = reaching
        .filter(
          (set) => !reaching.some((other) => other.length < set.length && other.every((key) => set.includes(key))),
        )
        .sort((a, b) => a.length - b.length || (a.join(' ') < b.join(' ') ? -1 : 1));
      expect([index, isTruncated ? minimal.slice(0, 10) : minimal]).toEqual([index, minimalSets]);
    }
  });
});

describe('the largest formula', () => {
  it('of ten groups of two in which everybody is a member is decided in a moment', () => {
    const members = Array.from({ length: 40 }, (_, index) => `p${index}`);
    const parties = members.map((key) => ({ ...randomFile(randomOf(1)).parties[4]!, key, identityVerified: true }));
    const slot = (): Formula => ({ all: [{ group: 'g' }, { group: 'h' }] });
    const { instruments, business } = randomFile(randomOf(1));
    const groups = GROUPS.map((key) => ({
      key,
      members: members.map((partyKey) => ({ partyKey, termFrom: null, termUntil: null })),
    }));
    const rule = { ...instruments[0]!.rules[0]!, maxAmount: null };
    const formula: Formula = { atLeast: 5, of: Array.from({ length: 10 }, slot) };
    const file = { business, parties, instruments: [{ ...instruments[0]!, groups, rules: [{ ...rule, formula }] }] };
    const before = process.cpuUsage();
    const { minimalSets, isTruncated } = evaluateSigning(file, actOf(randomOf(1)), null);
    const { user } = process.cpuUsage(before);
    expect(minimalSets).toHaveLength(10);
    expect(minimalSets[0]).toHaveLength(10);
    expect(isTruncated).toBe(true);
    expect(user / 1000).toBeLessThan(5000);
  });
});
