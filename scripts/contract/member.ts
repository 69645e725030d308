/** What a change comes to, from the side of callers (docs/decisions/0019-contract-evolution.md). */
export type Verdict = 'breaking' | 'non-breaking' | 'docs-only';

/** Where a member may stand. */
export type Place = 'operation' | 'parameter' | 'schema';

/** The part of JSON Schema 2020-12 in which the values of members are described. */
export interface JsonSchema {
  readonly type?: 'boolean' | 'string' | 'integer' | 'array' | 'object';
  readonly const?: boolean | string;
  readonly enum?: readonly string[];
  readonly format?: 'date';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
}

/** The TypeScript type of the values that a schema describes. */
export type ValueOf<S> =
  S extends { readonly const: infer C } ? C
  : S extends { readonly enum: readonly (infer E)[] } ? E
  : S extends { readonly type: 'boolean' } ? boolean
  : S extends { readonly type: 'string' } ? string
  : S extends { readonly type: 'integer' } ? number
  : S extends { readonly type: 'array'; readonly items: infer I } ? readonly ValueOf<I>[]
  : S extends { readonly properties: infer P; readonly required: readonly (infer R)[] }
    ? { readonly [K in keyof P as K extends R ? K : never]: ValueOf<P[K]> } & { readonly [K in keyof P as K extends R ? never : K]?: ValueOf<P[K]> }
  : S extends { readonly additionalProperties: infer A } ? Readonly<Record<string, ValueOf<A>>>
  : never;

/** A verdict and its message, in which `{before}`, `{after}` and `{items}` stand for what is compared. */
export type Told = readonly [verdict: Verdict, message: string];

/** What it means that the value of a member is there, is gone or is another. What is not told is no change. */
export interface Comparison<V> {
  /** The rule of `make diff` that tells it. */
  readonly rule: string;
  /** What is compared; without it the whole value. */
  readonly of?: (value: V) => unknown;
  /** What a missing member counts as. */
  readonly absent?: unknown;
  /**
   * Lists are compared as sets: what `items` there are more or fewer is told at once, or one by one (`item`). Maps are
   * compared entry by entry (`entry`), each told under its name.
   */
  readonly by?: 'item' | 'entry';
  readonly gained?: Told;
  readonly lost?: Told;
  readonly changed?: Told;
  /** Stands for a missing value in messages. */
  readonly nothing?: string;
}

/** One member of the dialect. `P` is where it stands, `C` its column, `D` its default, `R` whether it is required. */
export interface Member<S extends JsonSchema = JsonSchema, P extends Place = Place, C extends string = string, D = unknown, R extends boolean = boolean> {
  readonly on: readonly P[];
  readonly schema: S;
  /** Whether every operation states it. */
  readonly required?: R;
  /** What holds where it is left out. */
  readonly default?: D;
  /** From what its value follows where it is left out, if that is not a default. */
  readonly implied?: string;
  /** Its column in the operation table of the server. */
  readonly column?: C;
  readonly changes?: readonly Comparison<ValueOf<S>>[];
  /** What it means, as the end of a sentence that begins with its name. */
  readonly text: string;
}

/** Infers the types of one member; what stands in `changes` is checked against the schema beside it. */
export function member<const S extends JsonSchema, const P extends Place, const C extends string = never, const D = never, const R extends boolean = false>(
  described: Member<S, P, C, D, R>,
): Member<S, P, C, D, R> {
  return described;
}

/** The values that a schema describes, in a few words. */
export function inWords(schema: JsonSchema): string {
  const { const: value, enum: values, type, items, uniqueItems, properties, additionalProperties, format, minLength, minimum, maximum } = schema;
  if (value !== undefined) return asCode(value);
  if (values !== undefined) return values.map(asCode).join(values.length > 2 ? ', ' : ' or ');
  if (items !== undefined) return `a list (each ${inWords(items)}${uniqueItems === true ? ', none twice' : ''})`;
  if (properties !== undefined) return Object.entries(properties).map(([name, member]) => `\`${name}\`: ${inWords(member)}`).join('; ');
  if (typeof additionalProperties === 'object') return `a map (each ${inWords(additionalProperties)})`;
  if (format === 'date') return 'a day such as `2026-01-31`';
  if (type === 'string') return minLength === undefined ? 'a text' : 'a text that is not empty';
  if (type !== 'integer') return 'anything';
  return minimum === undefined || maximum === undefined ? 'a number' : `a number from ${minimum} to ${maximum}`;
}

/** A value as Markdown shows it. */
export function asCode(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
