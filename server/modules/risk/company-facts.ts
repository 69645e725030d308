/**
 * The facts about a company: from its record, the answer of its registry, the graph of its owners, its powers and the
 * applications of its people. Called by the snapshot. What nobody has recorded is missing and never a favourable value.
 */
import type { Transaction } from '../../database/index.ts';
import type { RegistryFinding } from '../../providers/business-registry/index.ts';
import { metadataFacts } from '../../risk/catalogue.ts';
import type { Facts } from '../../risk/facts.ts';
import type { FactsOfCompany } from '../../risk/facts-of-businesses.ts';
import { withRatios } from '../../risk/ratios.ts';
import { LEVELS } from '../../risk/score.ts';
import type { Business } from '../businesses/index.ts';
import { latestAnswer, registryAnswer } from '../company-registry/index.ts';
import { latestVersion, type OpenedOwnership, openedVersion } from '../ownership/index.ts';
import { coverageOf, type PowersCoverage } from '../powers/index.ts';
import { openedRow, openingKey } from '../subject-keys/index.ts';
import { ownFacts } from './catalogue.ts';
import { type PeopleOfCompany, peopleOfCompany } from './company-store.ts';

const CENTAVOS = 100;
const YEAR_MONTHS = 12;

/** Everything that facts about a company are computed from. */
export interface KnownCompany {
  readonly record: Pick<Business, 'registration' | 'legalForm' | 'level' | 'monthlyRevenue'>;
  /** The latest answer of the registry; null if nobody has asked it. */
  readonly finding: RegistryFinding | null;
  /** The latest version of the owners; null if none are recorded. */
  readonly ownership: Pick<OpenedOwnership, 'graph' | 'assessment'> | null;
  /** How far the confirmed powers say who may sign. */
  readonly coverage: PowersCoverage;
  readonly people: PeopleOfCompany;
  /** The day of the assessment in São Paulo. */
  readonly today: string;
}

/** Reads the facts about a company as they are now. */
export async function readCompanyFacts(tx: Transaction, record: Business, today: string): Promise<Facts> {
  const { id } = record;
  const [answer, version, people, coverage, own] = await Promise.all([
    latestAnswer(tx, id),
    latestVersion(tx, id),
    peopleOfCompany(tx, id),
    coverageOf(tx, record, today),
    ownFacts(tx),
  ]);
  const key = answer === null && version === null ? null : await openingKey(tx, { type: 'business', id });
  const facts = factsOfCompany({
    record,
    finding: answer === null ? null : (JSON.parse(openedRow(registryAnswer, answer, key).finding) as RegistryFinding),
    ownership: version === null ? null : openedVersion(version, key),
    coverage,
    people,
    today,
  });
  // Companies have no metadata, so the tenant's own facts are missing.
  return withRatios({ ...facts, ...metadataFacts(own, {}) });
}

export function factsOfCompany({ record, finding, ownership, coverage, people, today }: KnownCompany): FactsOfCompany {
  const { registration, legalForm, level, monthlyRevenue } = record;
  return {
    channel: null,
    purpose: null,
    level,
    'product.codes': null,
    'screening.state': 'none',
    'screening.truncated': false,
    'screening.maxSanctionScore': 0,
    'screening.maxPepScore': 0,
    'screening.maxWatchlistScore': 0,
    'screening.sanctionConfirmed': false,
    'screening.pepConfirmed': false,
    'screening.otherConfirmed': false,
    'business.ageMonths':
      finding === null || finding.openedOn === null ? null : completedMonths(finding.openedOn, today),
    'business.cnae': finding?.mainActivity ?? null,
    'business.secondaryCnaes': finding?.furtherActivities ?? null,
    'business.country': registration.country,
    'business.state': finding?.state ?? null,
    'business.monthlyRevenue': monthlyRevenue?.currency === 'BRL' ? monthlyRevenue.amount / CENTAVOS : null,
    'business.isListed': legalForm === 'sa_open',
    ...ownershipFacts(ownership),
    'ownership.pepConfirmed': people.isPepConfirmed,
    'powers.coverage': coverage,
    'parties.maxLevel': LEVELS.findLast((one) => people.levels.includes(one)) ?? null,
    'parties.sanctionConfirmed': people.isSanctionConfirmed,
  };
}

type OfOwnership = Omit<
  Pick<FactsOfCompany, Extract<keyof FactsOfCompany, `ownership.${string}`>>,
  'ownership.pepConfirmed'
>;

/** The company itself and the person are no layers of a chain. */
const ENDS = 2;

function ownershipFacts(ownership: KnownCompany['ownership']): OfOwnership {
  if (ownership === null)
    return {
      'ownership.unresolvedPercent': null,
      'ownership.layers': null,
      'ownership.hasCycle': null,
      'ownership.countries': null,
      'ownership.hasNominee': null,
      'ownership.bearerShares': null,
    };
  const { graph, assessment } = ownership;
  const chains = assessment.items.flatMap(({ paths }) => paths.map(({ nodes }) => nodes.length - ENDS));
  return {
    'ownership.unresolvedPercent': assessment.unresolvedPercent,
    'ownership.layers': Math.max(0, ...chains),
    'ownership.hasCycle': hasCycle(graph.edges),
    'ownership.countries': [...new Set(graph.parties.flatMap(({ country }) => country ?? []))].sort(),
    'ownership.hasNominee': graph.parties.some(({ nomineeFor }) => nomineeFor !== null),
    'ownership.bearerShares': graph.bearerShares || graph.parties.some(({ bearerShares }) => bearerShares),
  };
}

function completedMonths(from: string, today: string): number {
  const monthsOf = (day: string): number => Number(day.slice(0, 4)) * YEAR_MONTHS + Number(day.slice(5, 7));
  const months = monthsOf(today) - monthsOf(from);
  return today.slice(8) < from.slice(8) ? months - 1 : months;
}

/** Removes holdings of owners whom nobody owns, until none is left, or only those of loops and below them. */
function hasCycle(edges: readonly { readonly owner: string; readonly owned: string }[]): boolean {
  let rest = edges;
  for (;;) {
    const owned = new Set(rest.map((edge) => edge.owned));
    const next = rest.filter(({ owner }) => owned.has(owner));
    if (next.length === rest.length) return rest.length > 0;
    rest = next;
  }
}
