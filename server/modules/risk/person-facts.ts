import type { components } from '../../contract/generated/types.ts';
import { ageOn } from '../../rules/brazilian-calendar.ts';
import { metadataFacts, type TenantFact } from '../../risk/catalogue.ts';
import type { Facts } from '../../risk/facts.ts';
import type { FactsOfPerson } from '../../risk/facts-of-people.ts';
import { withRatios } from '../../risk/ratios.ts';
import type { ApplicationRecord, ScreeningEvidence } from '../applications/index.ts';
import type { Findings } from './facts-store.ts';

/** Everything that facts about an applicant are computed from. */
export interface KnownPerson {
  readonly record: ApplicationRecord;
  readonly screening: ScreeningEvidence | null;
  readonly findings: Findings;
  /** Whether another application states another date of birth for the same tax number. */
  readonly isConflicting: boolean;
  readonly ownFacts: readonly TenantFact[];
  /** The day of the assessment in São Paulo. */
  readonly today: string;
}

/** Returns the facts about an applicant: those of the product, the tenant's own, and ratios of both. */
export function factsOfPerson(known: KnownPerson): Facts {
  const { record, ownFacts } = known;
  const facts: FactsOfPerson = {
    ...applicantFacts(known),
    channel: record.channel,
    purpose: record.purpose,
    level: record.level,
    'product.codes': record.productCodes,
    ...screeningFacts(known),
    'attestations.unfavourable': known.findings.unfavourable,
    'verifications.passed': known.findings.passed,
    'verifications.failed': known.findings.failed,
    'verifications.inconclusive': known.findings.inconclusive,
    'monitoring.openAlerts': known.findings.openAlerts,
    'history.resubmissions': record.resubmissionCount,
    'history.isRenewal': record.renewsApplicationId !== null,
    'history.identityConflict': known.isConflicting,
  };
  return withRatios({ ...facts, ...metadataFacts(ownFacts, record.metadata) });
}

type Prefixed<P extends string> = Pick<FactsOfPerson, Extract<keyof FactsOfPerson, `${P}.${string}`>>;

function applicantFacts({ record: { applicant }, today }: KnownPerson): Prefixed<'applicant'> {
  const { dateOfBirth, address, monthlyIncome, occupation, pepDeclaration } = applicant;
  const abroad = [...new Set(applicant.taxResidencies.map(({ country }) => country))].filter(
    (country) => country !== 'BR',
  );
  return {
    'applicant.age': dateOfBirth === null ? null : ageOn(today, dateOfBirth),
    'applicant.dateOfBirth': dateOfBirth,
    'applicant.nationality': applicant.nationality,
    'applicant.countryOfBirth': applicant.countryOfBirth,
    'applicant.address.country': address?.country ?? null,
    'applicant.address.state': address?.state ?? null,
    'applicant.residentAbroad': applicant.residentAbroad,
    'applicant.taxResidencies': abroad,
    'applicant.taxResidenciesAbroad': abroad.length,
    'applicant.occupation': occupation === null ? null : plain(occupation),
    'applicant.monthlyIncome': monthlyIncome?.currency === 'BRL' ? monthlyIncome.amount / CENTAVOS : null,
    'applicant.sourceOfFunds': applicant.sourceOfFunds,
    'applicant.pepDeclared': pepDeclaration?.isPep === true,
  };
}

const CENTAVOS = 100;

/** Returns a text in lower case and without accents, so that a list needs one spelling of an occupation. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

type Category = components['schemas']['HitCategory'];
const PEP: readonly Category[] = ['pep', 'rca'];

function screeningFacts({ screening, findings }: KnownPerson): Prefixed<'screening'> {
  const confirmed = screening?.confirmed ?? [];
  return {
    'screening.state': stateOf(screening),
    'screening.truncated': screening?.truncated ?? false,
    'screening.maxSanctionScore': findings.sanctionScore ?? 0,
    'screening.maxPepScore': findings.pepScore ?? 0,
    'screening.maxWatchlistScore': findings.otherScore ?? 0,
    'screening.sanctionConfirmed': confirmed.includes('sanction'),
    'screening.pepConfirmed': confirmed.some((category) => PEP.includes(category)),
    'screening.otherConfirmed': confirmed.some((category) => category !== 'sanction' && !PEP.includes(category)),
  };
}

function stateOf(screening: ScreeningEvidence | null): 'none' | 'confirmed' | 'open' | 'clear' {
  if (screening === null) return 'none';
  if (screening.confirmed.length > 0) return 'confirmed';
  return screening.everOpenLists.length > 0 || screening.truncated ? 'open' : 'clear';
}
