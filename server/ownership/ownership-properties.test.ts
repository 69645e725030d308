import { randomOf } from '../../test/support/random.ts';
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { assessOwnership } from './assess.ts';
import { fraction, type Fraction } from './fraction.ts';
import { ROOT, WHOLE, type OwnershipGraph, type OwnershipParty } from './graph.ts';
import { graphFaults } from './faults.ts';
import { ladder } from './testing/large-graphs.ts';
import { edge, party, randomGraph } from './testing/random-graphs.ts';

/** Graphs of a run, of which `make soak` tries more. */
const GRAPHS = process.env['SOAK'] === 'true' ? 10_000 : 500;
const THRESHOLD = { millionths: 25_000_000, comparator: 'gte' } as const;
const DAY = '2026-11-20';

const ZERO = fraction(0n, 1n);
const ONE = fraction(1n, 1n);
const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
const times = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.numerator, a.denominator * b.denominator);
const over = (a: Fraction, b: Fraction): Fraction => fraction(a.numerator * b.denominator, a.denominator * b.numerator);
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { ...b, numerator: -b.numerator });
const approximate = ({ numerator, denominator }: Fraction): number => Number(numerator) / Number(denominator);

const isOpen = ({ kind, terminal }: OwnershipParty): boolean =>
  !terminal && ['company', 'trust', 'fund'].includes(kind);

/**
 * Interest of one owner by eliminating one company after another in fractions: what goes to a company goes on to its
 * owners instead, and what it holds in itself is divided out. Nothing of this is shared with the service.
 */
function eliminated(graph: OwnershipGraph, person: string): Fraction {
  const companies = [ROOT, ...graph.parties.filter(isOpen).map(({ key }) => key)];
  const rows = new Map(
    companies.map((owned) => [
      owned,
      new Map(
        graph.edges.flatMap((held) =>
          held.owned === owned && held.capital !== null && held.capital > 0
            ? [[held.owner, fraction(BigInt(held.capital), BigInt(WHOLE))] as const]
            : [],
        ),
      ),
    ]),
  );
  for (const company of companies.toReversed()) {
    const row = rows.get(company)!;
    const own = minus(ONE, row.get(company) ?? ZERO);
    row.delete(company);
    for (const [owner, share] of row) row.set(owner, own.numerator === 0n ? ZERO : over(share, own));
    if (company === ROOT) break;
    for (const [other, held] of rows) {
      const share = held.get(company);
      if (share === undefined || other === company) continue;
      held.delete(company);
      for (const [owner, part] of row) held.set(owner, plus(held.get(owner) ?? ZERO, times(share, part)));
    }
  }
  return rows.get(ROOT)!.get(person) ?? ZERO;
}

/** Fills unknown percentages and undisclosed rests at random, as the truth could be. */
function filled(graph: OwnershipGraph, random: () => number): OwnershipGraph {
  const parties = [...graph.parties, party('stranger', 'person')];
  const anybody = parties.filter(({ kind }) => kind === 'person').map(({ key }) => key);
  const edges = graph.edges.map((held) => ({ ...held }));
  for (const owned of [ROOT, ...graph.parties.filter(isOpen).map(({ key }) => key)]) {
    const into = edges.filter((held) => held.owned === owned);
    const unknown = into.filter(({ capital }) => capital === null);
    let rest = WHOLE - into.reduce((sum, { capital }) => sum + (capital ?? 0), 0);
    for (const held of unknown) {
      const part = random() < 0.5 ? rest : Math.floor(random() * rest);
      Object.assign(held, { capital: part });
      rest -= part;
    }
    if (unknown.length > 0 || rest === 0) continue;
    const receiver = anybody[Math.floor(random() * anybody.length)]!;
    const held = into.find(({ owner }) => owner === receiver);
    if (held === undefined) edges.push(edge(receiver, owned, rest));
    else Object.assign(held, { capital: held.capital! + rest });
  }
  return { ...graph, parties, edges };
}

const graphs = Array.from({ length: GRAPHS }, (_, index) => {
  const random = randomOf(index + 1);
  return { index, random, graph: randomGraph(random) };
});

describe('random graphs', () => {
  it('have the interests that elimination in fractions finds', () => {
    for (const { index, graph } of each(graphs)) {
      expect(graphFaults(graph), `graph ${index}`).toEqual([]);
      for (const { key, economic } of assessOwnership(graph, DAY, THRESHOLD).persons) {
        const exact = economic.known.exact();
        const expected = eliminated(graph, key);
        expect([exact.numerator, exact.denominator], `${key} of graph ${index}`).toEqual([
          expected.numerator,
          expected.denominator,
        ]);
        const rounded = Math.abs(economic.known.millionths() - approximate(exact) * WHOLE);
        expect(rounded).toBeLessThanOrEqual(0.5 + 1e-6);
      }
    }
  });

  it('give the whole to persons, to resolved ends and to what is unresolved', () => {
    for (const { index, graph } of each(graphs)) {
      const { persons, terminals, unresolved } = assessOwnership(graph, DAY, THRESHOLD);
      const ended = [...persons.map(({ economic }) => economic.known), ...terminals.map(({ interest }) => interest)];
      const sum = ended.map((amount) => amount.exact()).reduce(plus, ZERO);
      expect(Math.abs(approximate(sum) * WHOLE + unresolved - WHOLE), `graph ${index}`).toBeLessThanOrEqual(0.51);
    }
  });

  it('bound the truth, however what is unknown is filled', () => {
    for (const { index, random, graph } of each(graphs)) {
      const bounds = assessOwnership(graph, DAY, THRESHOLD).persons;
      for (const _filling of each(['first', 'second', 'third'])) {
        const truth = assessOwnership(filled(graph, random), DAY, THRESHOLD).persons;
        for (const { key, economic, control, controlWorstCase } of each(bounds)) {
          const actual = truth.find((person) => person.key === key)!;
          const place = `${key} of graph ${index}`;
          expect(economic.known.exceeds(actual.economic.known), place).toBe(false);
          expect(actual.economic.known.exceeds(economic.worstCase), place).toBe(false);
          expect(actual.control.exceeds(controlWorstCase), place).toBe(false);
          expect(control.exceeds(controlWorstCase), place).toBe(false);
        }
      }
    }
  });
});

/** A graph of companies that hold each other, with as many persons. */
function largeGraph(companies: number, holders: (index: number) => readonly number[], percent: number): OwnershipGraph {
  const keys = Array.from({ length: companies }, (_, index) => index);
  return {
    bearerShares: false,
    parties: keys.flatMap((index) => [party(`h${index}`, 'company'), party(`p${index}`, 'person')]),
    edges: [
      edge('h0', ROOT, 60_000_000),
      ...keys.flatMap((index) => [
        edge(`p${index}`, `h${index}`, 10_000_000),
        ...holders(index).map((holder) => edge(`h${holder}`, `h${index}`, percent)),
      ]),
    ],
  };
}

const cost = (graph: OwnershipGraph): number => {
  const before = process.cpuUsage();
  expect(assessOwnership(graph, DAY, THRESHOLD).persons.length).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

describe('large graphs', () => {
  const next = (size: number) => (index: number) => (index + 1 < size ? [index + 1] : []);
  const ring = (size: number) => (index: number) => [(index + 1) % size];
  const dense = (size: number) => (index: number) =>
    [1, 7, 31, 83, 101, 131].map((step) => (index * 3 + step) % size).filter((holder) => holder !== index);
  const measured = (build: (size: number) => (index: number) => readonly number[], size: number, percent: number) =>
    cost(largeGraph(size, (index) => [...new Set(build(size)(index))], percent));

  it('cost at most eight times as much when they are twice as large', () => {
    for (const [build, percent] of [
      [next, 90_000_000],
      [ring, 89_000_000],
      [dense, 10_000_000],
    ] as const) {
      measured(build, 60, percent);
      const [small, large] = [measured(build, 60, percent), measured(build, 120, percent)];
      expect(large).toBeLessThan(8 * Math.max(small, 20));
    }
  });

  it('are decided exactly at a threshold inside a loop of sixty companies', () => {
    const size = 60;
    const graph = largeGraph(size, ring(size), 50_000_000);
    const [first] = assessOwnership(graph, DAY, THRESHOLD).persons;
    const { numerator, denominator } = first!.economic.known.exact();
    // What p0 has of h0 comes round the loop again and again: 0.1 / (1 - 0.5^60), of which the company has 60 %.
    expect(numerator * 100n * (2n ** 60n - 1n)).toBe(denominator * 6n * 2n ** 60n);
  });

  it('show the greatest chain of everybody, also where a million chains are equal or one has 250 companies', () => {
    const inLadder = assessOwnership(ladder(20, 450), DAY, THRESHOLD).persons;
    expect(inLadder).toHaveLength(450);
    for (const { paths } of each(inLadder)) expect([paths.length, paths[0]!.nodes.length]).toEqual([20, 22]);
    const inChain = assessOwnership(largeGraph(250, next(250), 89_000_000), DAY, THRESHOLD).persons;
    for (const [index, { paths }] of each([...inChain.entries()])) expect(paths[0]!.nodes).toHaveLength(index + 3);
  });
});
