/**
 * Facts: what is known about a subject, by path. The catalogue says which facts exist and of which type each is; a
 * model is checked against the catalogue, and scored over values.
 */
import type { components } from '../contract/generated/types.ts';

type Schemas = components['schemas'];

export type FactType = Schemas['RiskFactType'];
export type SubjectType = Schemas['RiskSubjectType'];

/** The value of a fact. A fact that is null, an empty list, or has no value at all is missing. */
export type FactValue = string | number | boolean | null | readonly string[];

/** The facts about a subject, by path. */
export type Facts = Readonly<Record<string, FactValue | undefined>>;

/** The values of reference lists, by key. */
export type ReferenceLists = Readonly<Record<string, readonly string[]>>;

/** A fact of the catalogue, as the contract shows it. */
export type Fact = Readonly<Schemas['RiskFact']>;

/** The facts that models of one kind of subject may use, by path. */
export type FactCatalogue = ReadonlyMap<string, Fact>;

/** What a group of the product contributes: facts of one source. */
export interface FactGroup {
  readonly source: string;
  readonly facts: readonly Omit<Fact, 'source'>[];
}
