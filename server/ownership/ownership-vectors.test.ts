import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Amount } from './amount.ts';
import { type OwnershipAssessment, assessOwnership } from './assess.ts';
import { graphFaults } from './faults.ts';
import { millionthsOf, type OwnershipEdge, type OwnershipGraph, type OwnershipParty } from './graph.ts';
import { policyThreshold, requestedThreshold, type Threshold } from './threshold.ts';

interface Exact {
  readonly exact: string;
  readonly rounded: string;
}
interface Case {
  readonly id: string;
  readonly title: string;
  readonly asOf: string;
  readonly threshold: { readonly percent: string; readonly comparator: 'gte' | 'gt' };
  readonly parties: readonly Partial<OwnershipParty>[];
  readonly edges: readonly (Partial<OwnershipEdge> & {
    readonly capitalPercent: string | null;
    readonly votingPercent: string | null;
  })[];
  readonly expect: {
    readonly refused?: { readonly codes: readonly string[] };
    readonly persons: Readonly<Record<string, object>>;
  };
}

const VECTORS = new URL('../../../shared/vectors/ownership/', import.meta.url);
const casesOf = <T>(file: string): readonly T[] =>
  (JSON.parse(readFileSync(new URL(`${file}.json`, VECTORS), 'utf8')) as { readonly cases: readonly T[] }).cases;

const share = (percent: string | null): number | null => (percent === null ? null : millionthsOf(Number(percent)));
const graphOf = ({ parties, edges }: Case): OwnershipGraph => ({
  bearerShares: false,
  parties: parties.map((party) => ({
    terminal: false,
    roles: [],
    validFrom: null,
    validTo: null,
    nomineeFor: null,
    bearerShares: false,
    ...(party as Pick<OwnershipParty, 'key' | 'kind'>),
  })),
  edges: edges.map(({ capitalPercent, votingPercent, ...edge }) => ({
    ...(edge as OwnershipEdge),
    capital: share(capitalPercent),
    voting: share(votingPercent),
  })),
});
const thresholdOf = ({ percent, comparator }: Case['threshold']): Threshold => ({
  millionths: share(percent)!,
  comparator,
});

/** Writes an amount as the vectors do: in percent, exact and rounded. */
const written = (amount: Amount): Exact => {
  const { numerator, denominator } = amount.exact();
  const [hundredfold, divisor] = [numerator * 100n, common(numerator * 100n, denominator)];
  return {
    exact: `${hundredfold / divisor}/${denominator / divisor}`,
    rounded: decimals(amount.millionths()),
  };
};
const common = (a: bigint, b: bigint): bigint => (b === 0n ? a : common(b, a % b));
const decimals = (millionths: number): string => (millionths / 1_000_000).toFixed(6);

const shown = ({ persons, terminals, ...answer }: OwnershipAssessment) => ({
  persons: Object.fromEntries(
    persons.map(({ key, economic, voting, control, controlWorstCase, isBeneficialOwner, basis, paths }) => [
      key,
      {
        economicPercent: { known: written(economic.known), worstCase: written(economic.worstCase) },
        votingPercent: written(voting),
        controlPercent: written(control),
        controlWorstCase: written(controlWorstCase),
        isBeneficialOwner,
        basis,
        paths: paths.map(({ nodes, percent }) => ({ nodes, percent: { rounded: decimals(percent) } })),
      },
    ]),
  ),
  terminals: Object.fromEntries(terminals.map(({ key, interest }) => [key, written(interest)])),
  unresolvedPercent: { rounded: decimals(answer.unresolved) },
  unnamedPersonWorstCase: written(answer.unnamedPersonWorstCase),
  unresolvableLoops: answer.unresolvableLoops,
  complete: answer.isComplete,
});

/** Drops the exact form of the members that the service only rounds. */
const withoutExact = (value: object, members: readonly string[]): unknown =>
  JSON.parse(
    JSON.stringify(value, (member, part: unknown) =>
      members.includes(member) ? { rounded: (part as Exact).rounded } : part,
    ),
  );

describe('the vectors of ownership', () => {
  it.each(casesOf<Case>('cases'))('$id: $title', (vector) => {
    const graph = graphOf(vector);
    const { refused, ...expected } = vector.expect;
    expect([...new Set(graphFaults(graph).map(({ code }) => code))]).toEqual(refused?.codes ?? []);
    if (refused !== undefined) return;
    const { thresholdUsed: _threshold, ...answer } = expected as typeof expected & { readonly thresholdUsed: object };
    const found = shown(assessOwnership(graph, vector.asOf, thresholdOf(vector.threshold)));
    expect(found).toEqual(withoutExact(answer, ['unresolvedPercent', 'percent']));
  });
});

interface ThresholdCase {
  readonly id: string;
  readonly policy: Case['threshold'] & { readonly lowerFor: readonly { riskLevel: string; percent: string }[] };
  readonly riskLevel: string | null;
  readonly request: { readonly thresholdPercent?: string; readonly comparator?: 'gte' | 'gt' };
  readonly why: string;
  readonly expect: { readonly thresholdUsed?: Case['threshold']; readonly refused?: object };
}

describe('the vectors of thresholds', () => {
  it.each(casesOf<ThresholdCase>('thresholds'))('$id: $why', ({ policy, riskLevel, request, expect: expected }) => {
    const lowerFor = policy.lowerFor.map((lower) => ({ ...lower, millionths: share(lower.percent)! }));
    const applied = policyThreshold({ ...thresholdOf(policy), lowerFor }, riskLevel);
    const { thresholdPercent, comparator } = request;
    const asked = {
      ...(thresholdPercent !== undefined && { millionths: share(thresholdPercent)! }),
      ...(comparator !== undefined && { comparator }),
    };
    const used = expected.thresholdUsed;
    expect(requestedThreshold(applied, asked)).toEqual(used === undefined ? null : thresholdOf(used));
  });
});
