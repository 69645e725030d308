/**
 * The catalogue of facts: what the parts of the product contribute, ratios of two facts, and what a tenant declares
 * over the metadata of its subjects.
 */
import {
  APPLICANT,
  APPLICATION,
  ATTESTATIONS,
  HISTORY,
  MONITORING,
  SCREENING,
  VERIFICATIONS,
} from './facts-of-people.ts';
import { BUSINESS, OWNERSHIP, PARTIES, POWERS } from './facts-of-businesses.ts';
import type { Fact, FactCatalogue, FactGroup, Facts, FactType, FactValue, SubjectType } from './facts.ts';
import { isDate } from './operators.ts';
import { RATIO_GROUP } from './ratios.ts';

/** A fact that a tenant declares over the metadata of its subjects: `metadata.<key>`. */
export interface TenantFact {
  readonly key: string;
  /** Metadata hold single values. */
  readonly type: Exclude<FactType, 'string_list'>;
  readonly description: string;
  /** The day of the declaration. */
  readonly availableSince: string;
}

/** The facts that the product contributes, by source. */
export const FACT_GROUPS: readonly FactGroup[] = [
  APPLICANT,
  APPLICATION,
  SCREENING,
  ATTESTATIONS,
  VERIFICATIONS,
  MONITORING,
  HISTORY,
  BUSINESS,
  OWNERSHIP,
  POWERS,
  PARTIES,
  RATIO_GROUP,
];

/** Returns all facts of the groups for a kind of subject, by path. */
export function catalogueOf(groups: readonly FactGroup[], subjectType: SubjectType): FactCatalogue {
  const facts = groups.flatMap(({ source, facts: declared }) => declared.map((fact): Fact => ({ ...fact, source })));
  return new Map(
    facts.filter(({ subjectTypes }) => subjectTypes.includes(subjectType)).map((fact) => [fact.path, fact]),
  );
}

const EXAMPLES: Readonly<Record<TenantFact['type'], NonNullable<Fact['example']>>> = {
  string: 'gold',
  number: 1200,
  boolean: true,
  date: '2026-11-26',
};

/** Returns the group of the facts that a tenant declares. Metadata may say anything, so they count as personal data. */
export function tenantFacts(declared: readonly TenantFact[]): FactGroup {
  return {
    source: 'tenant',
    facts: declared.map(({ key, type, description, availableSince }) => ({
      path: `metadata.${key}`,
      type,
      subjectTypes: ['individual', 'business'],
      description,
      pii: true,
      example: EXAMPLES[type],
      availableSince,
    })),
  };
}

/** Returns the tenant's facts about a subject: the declared keys whose value has the declared type. */
export function metadataFacts(
  declared: readonly Pick<TenantFact, 'key' | 'type'>[],
  metadata: Readonly<Record<string, unknown>>,
): Facts {
  return Object.fromEntries(
    declared.map(({ key, type }): [string, FactValue] => {
      const value = Object.hasOwn(metadata, key) ? metadata[key] : null;
      return [`metadata.${key}`, hasType(value, type) ? value : null];
    }),
  );
}

function hasType(value: unknown, type: TenantFact['type']): value is string | number | boolean {
  if (type === 'date') return typeof value === 'string' && isDate(value);
  return typeof value === type;
}
