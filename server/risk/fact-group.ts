import type { Fact, FactGroup, FactType, SubjectType } from './facts.ts';

type Declared = Pick<Fact, 'pii' | 'description' | 'example'> & { readonly type: FactType };

interface ValueByType {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly date: string;
  readonly string_list: readonly string[];
}

/** A group that knows the types of its facts, so that what supplies the values must supply each in its type. */
export interface TypedGroup<T extends Readonly<Record<string, Declared>>> extends FactGroup {
  readonly declared: T;
}

/** The values of a group's facts: null where a fact is missing. */
export type FactsOf<G> =
  G extends TypedGroup<infer T> ? { readonly [P in keyof T]: ValueByType[T[P]['type']] | null } : never;

/** Declares the facts that one part of the product supplies. */
export function factGroup<const T extends Readonly<Record<string, Declared>>>(
  source: string,
  subjectTypes: readonly SubjectType[],
  availableSince: string,
  declared: T,
): TypedGroup<T> {
  const facts = Object.entries(declared).map(([path, fact]) => ({
    ...fact,
    path,
    subjectTypes: [...subjectTypes],
    availableSince,
  }));
  return { source, facts, declared };
}
