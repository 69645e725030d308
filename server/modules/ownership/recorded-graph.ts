import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { FieldError } from '../../contract/problem.ts';
import { graphFaults } from '../../ownership/faults.ts';
import { millionthsOf, type OwnershipGraph } from '../../ownership/graph.ts';
import { isTaxNumber, normaliseTaxNumber } from '../../rules/tax-id.ts';

type Schemas = components['schemas'];
type Sent = Schemas['OwnershipReplace'];

/** A party with every member, as it is stored and shown. */
export type RecordedParty = Required<Schemas['OwnershipParty']>;
/** A graph as it is stored and shown. */
export interface RecordedGraph {
  readonly parties: RecordedParty[];
  readonly edges: Required<Schemas['OwnershipEdge']>[];
  readonly bearerShares: boolean;
}

/** Graph of a company of which no owners are recorded. */
export const NO_OWNERS: RecordedGraph = { parties: [], edges: [], bearerShares: false };

const MESSAGES: Readonly<Record<ReturnType<typeof graphFaults>[number]['code'], string>> = {
  unknown_party: 'must be the key of a party, or root where that is allowed',
  duplicate_party: 'must be a key that no other party has; root is the company itself',
  person_cannot_be_owned: 'is a person, whom nobody owns',
  validity_inverted: 'must not be before the first day',
  duplicate_edge: 'repeats a holding of the same owner on a day that both have in common',
  ownership_exceeds_100: 'is one of the holdings that add up to more than 100 % on a day',
  disconnected_party: 'has neither a way to the company nor a role in it',
};

/** Returns a graph of a request with every member, and with numbers as they are stored. */
export function recordedGraph({ parties, edges, bearerShares = false }: Sent): RecordedGraph {
  return {
    parties: parties.map(({ taxId = null, ...party }) => ({
      country: null,
      dateOfBirth: null,
      terminal: false,
      terminalReason: null,
      roles: [],
      validFrom: null,
      validTo: null,
      nomineeFor: null,
      bearerShares: false,
      ...party,
      taxId: taxId === null || isMasked(taxId) ? taxId : normaliseTaxNumber(taxId),
    })),
    edges: edges.map((edge) => ({
      capitalPercent: null,
      votingPercent: null,
      controlRight: null,
      validFrom: null,
      validTo: null,
      evidenceDocumentId: null,
      ...edge,
    })),
    bearerShares,
  };
}

/** Returns everything for which a graph is refused, in the order of its members. */
export function recordedGraphFaults(graph: RecordedGraph, environment: Environment): FieldError[] {
  const decimals = graph.edges.flatMap((edge, index) =>
    (['capitalPercent', 'votingPercent'] as const).flatMap((member) => {
      const percent = edge[member];
      return percent === null || millionthsOf(percent) !== null
        ? []
        : [{ pointer: `/edges/${index}/${member}`, code: 'too_many_decimals', message: 'has more than six decimals' }];
    }),
  );
  return [
    ...graph.parties.flatMap((party, index) => numberFaults(party, `/parties/${index}/taxId`, environment)),
    ...decimals,
    ...graphFaults(engineGraph(graph)).map(({ code, pointer }) => ({ pointer, code, message: MESSAGES[code] })),
  ];
}

/** A number without a country is one of Brazil. Numbers that represent personas are refused in live. */
function numberFaults(
  { kind, taxId, country }: RecordedParty,
  pointer: string,
  environment: Environment,
): FieldError[] {
  if (taxId === null || kind === 'unknown') return [];
  if (isMasked(taxId))
    return kind === 'person' && isBrazilian(country)
      ? []
      : [{ pointer, code: 'masked', message: 'is a masked CPF, which only a person of Brazil has' }];
  if (!isBrazilian(country))
    return taxId === '' ? [{ pointer, code: 'too_short', message: 'has no digit or letter' }] : [];
  const type = kind === 'person' ? 'cpf' : 'cnpj';
  return isTaxNumber(type, taxId, environment)
    ? []
    : [{ pointer, code: 'check_digits', message: `is not a ${type.toUpperCase()}, as its check digits show` }];
}

const isBrazilian = (country: string | null): boolean => country === null || country === 'BR';

/** Tells whether a number is the middle of a CPF, as the public register shows it. */
export function isMasked(taxId: string): boolean {
  return taxId.includes('*');
}

/**
 * Returns a graph in the terms of the engine. A percentage with too many decimals is rounded; it is refused elsewhere.
 */
export function engineGraph({ parties, edges, bearerShares }: RecordedGraph): OwnershipGraph {
  const share = (percent: number | null): number | null => (percent === null ? null : Math.round(percent * 1_000_000));
  return {
    bearerShares,
    parties: parties.map(({ key, kind, terminal, roles, validFrom, validTo, nomineeFor, bearerShares: bearer }) => ({
      key,
      kind,
      terminal,
      roles,
      validFrom,
      validTo,
      nomineeFor,
      bearerShares: bearer,
    })),
    edges: edges.map(({ owner, owned, capitalPercent, votingPercent, controlRight, validFrom, validTo }) => ({
      owner,
      owned,
      capital: share(capitalPercent),
      voting: share(votingPercent),
      controlRight,
      validFrom,
      validTo,
    })),
  };
}
