import type { components } from '../../contract/generated/types.ts';
import { type OwnershipAssessment, assessOwnership, type PersonInterest } from '../../ownership/assess.ts';
import { TooIntricate } from '../../ownership/exact.ts';
import { isInForce, type OwnershipGraph, type OwnershipParty } from '../../ownership/graph.ts';
import type { Threshold } from '../../ownership/threshold.ts';
import { engineGraph, isMasked, type RecordedGraph, type RecordedParty } from './recorded-graph.ts';

type Schemas = components['schemas'];
export type Assessment = Schemas['OwnershipAssessment'];

/**
 * Assesses a graph on a day, and returns the answer as it is stored and shown. Returns null if the exact solution would
 * take longer than a request may wait.
 */
export function assessmentOf(recorded: RecordedGraph, day: string, threshold: Threshold): Assessment | null {
  const persons = personsOf(recorded.parties);
  try {
    const answer = assessOwnership(withoutTwins(engineGraph(recorded), persons, day), day, threshold);
    return shownAnswer(answer, {
      recorded,
      persons,
      day,
      threshold,
    });
  } catch (error) {
    if (error instanceof TooIntricate) return null;
    throw error;
  }
}

/**
 * Assesses a graph whose assessment for some day and threshold is known. If the threshold is the same and the same
 * holdings and roles are in force, only the day of the answer changes, and nothing is computed.
 */
export function reassessed(
  { graph, assessment }: { readonly graph: RecordedGraph; readonly assessment: Assessment },
  day: string,
  threshold: Threshold,
): Assessment | null {
  const { asOf, threshold: used } = assessment;
  const isSameThreshold =
    Math.round(used.percent * PERCENT) === threshold.millionths && used.comparator === threshold.comparator;
  const isSame =
    isSameThreshold &&
    [...graph.parties, ...graph.edges].every((dated) => isInForce(dated, asOf) === isInForce(dated, day));
  return isSame ? { ...assessment, asOf: day } : assessmentOf(graph, day, threshold);
}

/** Counts the beneficial owners whom the graph does not identify, under any of their keys. */
export function unidentifiedOwners(
  { parties }: Pick<RecordedGraph, 'parties'>,
  { items }: Pick<Assessment, 'items'>,
): number {
  const identified = new Set(parties.filter(isIdentified).map(({ key }) => key));
  return items.filter(
    ({ isBeneficialOwner, partyKey, otherKeys }) =>
      isBeneficialOwner === 'yes' && ![partyKey, ...otherKeys].some((key) => identified.has(key)),
  ).length;
}

/** Returns the beneficial owners, each with all keys of the person. */
export function ownerKeys({ items }: Pick<Assessment, 'items'>): string[][] {
  return items
    .filter(({ isBeneficialOwner }) => isBeneficialOwner === 'yes')
    .map(({ partyKey, otherKeys }) => [partyKey, ...otherKeys]);
}

const REPRESENTATIVES: readonly string[] = ['administrator', 'director', 'president', 'attorney'];

/** Returns the persons who represent the company on a day, each with all keys of the person. */
export function representativeKeys({ parties }: Pick<RecordedGraph, 'parties'>, day: string): string[][] {
  return [...personsOf(parties).values()]
    .filter((group) =>
      group.some((party) => isInForce(party, day) && party.roles.some((role) => REPRESENTATIVES.includes(role))),
    )
    .map((group) => group.map(({ key }) => key));
}

/** A person is identified by the whole number; one who lives abroad also by the date of birth. */
function isIdentified({ taxId, dateOfBirth, country }: RecordedParty): boolean {
  return taxId === null || isMasked(taxId) ? dateOfBirth !== null && country !== null && country !== 'BR' : true;
}

/** Parties that are one person, by the key that stands for all of them. */
type Persons = ReadonlyMap<string, readonly RecordedParty[]>;

/** Returns the persons of a graph. Two parties are one person if both have the same full CPF, and only then. */
function personsOf(parties: readonly RecordedParty[]): Persons {
  const persons = parties.filter(({ kind }) => kind === 'person');
  const groups = Map.groupBy(persons, ({ key, taxId, country }) =>
    taxId === null || isMasked(taxId) || (country !== null && country !== 'BR') ? `key ${key}` : `number ${taxId}`,
  );
  return new Map([...groups.values()].map((group) => [group.map(({ key }) => key).sort()[0]!, group]));
}

/** Puts one party in the place of several that are one person. It has the roles of all that have one on the day. */
function withoutTwins(graph: OwnershipGraph, persons: Persons, day: string): OwnershipGraph {
  const standsFor = new Map([...persons].flatMap(([key, group]) => group.map((party) => [party.key, key] as const)));
  const keyOf = (key: string): string => standsFor.get(key) ?? key;
  return {
    ...graph,
    parties: graph.parties.flatMap((party): OwnershipParty[] => {
      if (keyOf(party.key) !== party.key) return [];
      const group = persons.get(party.key);
      const nomineeFor = party.nomineeFor === null ? null : keyOf(party.nomineeFor);
      if (group === undefined || group.length === 1) return [{ ...party, nomineeFor }];
      const roles = group.filter((twin) => isInForce(twin, day)).flatMap((twin) => twin.roles);
      return [
        {
          ...party,
          nomineeFor: principalOf(group, keyOf),
          roles: [...new Set(roles)],
          validFrom: null,
          validTo: null,
        },
      ];
    }),
    edges: graph.edges.map((edge) => ({ ...edge, owner: keyOf(edge.owner) })),
  };
}

function principalOf(group: readonly RecordedParty[], keyOf: (key: string) => string): string | null {
  const principal = group.find(({ nomineeFor }) => nomineeFor !== null)?.nomineeFor ?? null;
  return principal === null ? null : keyOf(principal);
}

interface Asked {
  readonly recorded: RecordedGraph;
  readonly persons: Persons;
  readonly day: string;
  readonly threshold: Threshold;
}

const PERCENT = 1_000_000;
const RANK = { yes: 0, possible: 1, no: 2 };
/** Keys that the chains of one person may have together, beside those of the first chain. */
const MOST_NODES = 200;

function shownAnswer(answer: OwnershipAssessment, { recorded, persons, day, threshold }: Asked): Assessment {
  const names = new Map(recorded.parties.map(({ key, name }) => [key, name]));
  return {
    asOf: day,
    threshold: { percent: threshold.millionths / PERCENT, comparator: threshold.comparator },
    complete: answer.isComplete,
    unresolvedPercent: answer.unresolved / PERCENT,
    unnamedPersonWorstCasePercent: answer.unnamedPersonWorstCase.millionths() / PERCENT,
    unresolvableLoops: answer.unresolvableLoops.map((loop) => [...loop]),
    items: answer.persons
      .map((person) => shownPerson(person, names.get(person.key)!, persons.get(person.key)!))
      .sort(
        (one, other) =>
          RANK[one.isBeneficialOwner] - RANK[other.isBeneficialOwner] ||
          other.economicPercent.worstCase - one.economicPercent.worstCase ||
          (one.partyKey < other.partyKey ? -1 : 1),
      ),
  };
}

function shownPerson(
  { key, economic, voting, control, controlWorstCase, isBeneficialOwner, basis, paths }: PersonInterest,
  name: string,
  group: readonly RecordedParty[],
): Schemas['BeneficialOwner'] {
  let nodes = 0;
  return {
    partyKey: key,
    otherKeys: group
      .map((party) => party.key)
      .filter((other) => other !== key)
      .sort(),
    name,
    isBeneficialOwner,
    basis: [...basis],
    economicPercent: {
      known: economic.known.millionths() / PERCENT,
      worstCase: economic.worstCase.millionths() / PERCENT,
    },
    votingPercent: voting.millionths() / PERCENT,
    controlPercent: control.millionths() / PERCENT,
    controlWorstCasePercent: controlWorstCase.millionths() / PERCENT,
    paths: paths
      .filter((path, index) => index === 0 || (nodes += path.nodes.length) <= MOST_NODES)
      .map((path) => ({ nodes: [...path.nodes], percent: path.percent / PERCENT })),
  };
}
