import type { Fact, FactCatalogue, FactGroup, Facts, FactType, SubjectType } from './facts.ts';

/** A fact that a tenant declares over the metadata of its subjects: `metadata.<key>`. */
export interface TenantFact {
  readonly key: string;
  readonly type: FactType;
  readonly description: string;
  /** The day of the declaration. */
  readonly availableSince: string;
}

/** Returns all facts of the groups for a kind of subject, by path. */
export declare function catalogueOf(groups: readonly FactGroup[], subjectType: SubjectType): FactCatalogue;

/** Returns the group of the facts that a tenant declares. */
export declare function tenantFacts(declared: readonly TenantFact[]): FactGroup;

/** Returns the tenant's facts about a subject: the declared keys whose value has the declared type. */
export declare function metadataFacts(
  declared: readonly TenantFact[],
  metadata: Readonly<Record<string, unknown>>,
): Facts;

/** The shipped facts by source. */
export declare const FACT_GROUPS: readonly FactGroup[];

export type { Fact };
