import type { Amount } from './amount.ts';
import { controlledBy } from './control.ts';
import { Work } from './exact.ts';
import { groupsOf, isClosed } from './flow.ts';
import { isInForce, type OwnershipGraph, type OwnershipParty, WHOLE } from './graph.ts';
import { type Holdings, holdingsOn } from './holdings.ts';
import { Interests } from './interest.ts';
import { type OwnershipPath, pathsFrom } from './paths.ts';
import { reaches, type Threshold } from './threshold.ts';

/** Why a person is a beneficial owner. */
export type Basis = 'ownership' | 'control' | 'senior_managing_official';

/** What is known about the interest of a person in the company. */
export interface PersonInterest {
  readonly key: string;
  readonly economic: { readonly known: Amount; readonly worstCase: Amount };
  readonly voting: Amount;
  readonly control: Amount;
  readonly controlWorstCase: Amount;
  readonly isBeneficialOwner: 'yes' | 'no' | 'possible';
  readonly basis: readonly Basis[];
  readonly paths: readonly OwnershipPath[];
}

/** Who owns and controls a company on a day. Numbers are in millionths of a percent where they are not amounts. */
export interface OwnershipAssessment {
  readonly persons: readonly PersonInterest[];
  /** Interests of organisations behind which nobody is sought. */
  readonly terminals: readonly { readonly key: string; readonly interest: Amount }[];
  readonly unresolved: number;
  readonly unnamedPersonWorstCase: Amount;
  readonly unresolvableLoops: readonly (readonly string[])[];
  readonly isComplete: boolean;
}

/** Work that the solutions of one graph may take, counted in multiplications: about one second at worst. */
const MOST_WORK = 1.25e8;
const OFFICIALS = ['administrator', 'director', 'president'];

/**
 * Determines who owns and controls a company on a day, by the rules of Circular BCB 3.978/2020 and FATF recommendation
 * 24: interests multiply along a chain and add up across chains, control counts beside ownership, and what is not known
 * is bounded instead of guessed.
 */
export function assessOwnership(graph: OwnershipGraph, day: string, threshold: Threshold): OwnershipAssessment {
  const holdings = holdingsOn(graph, day);
  const work = new Work(MOST_WORK);
  const capital = new Interests(holdings, holdings.capital, work);
  const votes = new Interests(holdings, holdings.votes, work);
  const nobody: ReadonlySet<number> = new Set();
  const personCount = graph.parties.filter(({ kind }) => kind === 'person').length;
  const assessed = graph.parties.flatMap((party, index) =>
    party.kind === 'person' ? [assessPerson(party, index + 1)] : [],
  );

  function assessPerson(party: OwnershipParty, person: number) {
    const known = capital.of({ person, controlled: nobody, isWorst: false });
    const worstCase = capital.of({ person, controlled: nobody, isWorst: true });
    const voting = votes.of({ person, controlled: nobody, isWorst: false });
    const controlled = controlledBy(holdings, person, false);
    const control = controlled.size === 0 ? voting : votes.of({ person, controlled, isWorst: false });
    const possiblyControlled = controlledBy(holdings, person, true);
    const controlWorstCase = votes.of({ person, controlled: possiblyControlled, isWorst: true });
    const basis: Basis[] = [
      ...(reaches(known, threshold) || reaches(voting, threshold) ? ['ownership' as const] : []),
      ...(controlled.has(0) || (control !== voting && reaches(control, threshold) && control.exceeds(voting))
        ? ['control' as const]
        : []),
    ];
    const couldBe = possiblyControlled.has(0) || reaches(worstCase, threshold) || reaches(controlWorstCase, threshold);
    return {
      party,
      couldBe: couldBe || isHidden(graph, party.key),
      basis,
      interest: {
        key: party.key,
        economic: { known, worstCase },
        voting,
        control,
        controlWorstCase,
        paths: pathsFrom(holdings, person, personCount),
      },
    };
  }

  const isFound = assessed.some(({ basis }) => basis.length > 0);
  const persons = assessed.map(({ party, couldBe, basis, interest }): PersonInterest => {
    const standsIn = !isFound && isInForce(party, day) && party.roles.some((role) => OFFICIALS.includes(role));
    const all: readonly Basis[] = standsIn ? ['senior_managing_official'] : basis;
    if (all.length > 0) return { ...interest, basis: all, isBeneficialOwner: 'yes' };
    return { ...interest, basis: all, isBeneficialOwner: couldBe ? 'possible' : 'no' };
  });
  const resolved = graph.parties.flatMap(({ kind, terminal }, index) =>
    kind !== 'person' && (terminal || kind === 'government' || kind === 'listed_company') ? [index + 1] : [],
  );
  const named = new Set([...graph.parties.keys()].filter((index) => graph.parties[index]!.kind === 'person'));
  const ends = new Set([...[...named].map((index) => index + 1), ...resolved]);
  const unnamed = capital.of({ person: null, controlled: nobody, isWorst: true });
  const loops = closedLoops(holdings);
  return {
    persons,
    terminals: resolved.map((position) => ({
      key: holdings.keys[position]!,
      interest: capital.known(new Set([position])),
    })),
    unresolved: WHOLE - capital.known(ends).millionths(),
    unnamedPersonWorstCase: unnamed,
    unresolvableLoops: loops,
    isComplete:
      loops.length === 0 &&
      assessed.every(({ basis, couldBe }) => basis.length > 0 || !couldBe) &&
      !reaches(unnamed, threshold) &&
      persons.some(({ isBeneficialOwner }) => isBeneficialOwner === 'yes'),
  };
}

/**
 * Tells whether shares in another name, or shares of whoever has the paper, could belong to a person, so that she
 * cannot be ruled out.
 */
function isHidden({ parties, bearerShares }: OwnershipGraph, key: string): boolean {
  return bearerShares || parties.some((party) => party.bearerShares || party.nomineeFor === key);
}

/** Returns the groups of companies that wholly own one another, behind which there is nobody. */
function closedLoops({ keys, isLookedThrough, capital }: Holdings): string[][] {
  const system = {
    owners: capital,
    isOpen: isLookedThrough,
    receivers: capital.map(() => 'nobody' as const),
  };
  return groupsOf(
    system,
    [...keys.keys()].filter((position) => isLookedThrough[position]),
  )
    .filter((group) => isClosed(system, group))
    .map((group) => group.map((position) => keys[position]!).sort())
    .sort(([a], [b]) => (a! < b! ? -1 : 1));
}
