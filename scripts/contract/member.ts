/**
 * How a member of the dialect is defined: schema, meaning, and effect of changes. Used by the definitions, lint,
 * comparison and generators.
 */

/** Effect of a change on callers (docs/decisions/0019-contract-evolution.md). */
export type Verdict = 'breaking' | 'non-breaking' | 'docs-only';

/** Kind of object that a member may belong to. */
export type MemberOwner = 'operation' | 'parameter' | 'schema';

/** Part of JSON Schema 2020-12 in which the values of members are described. */
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

/** TypeScript type of the values that a schema describes. */
export type ValueOf<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: 'boolean' }
      ? boolean
      : S extends { readonly type: 'string' }
        ? string
        : S extends { readonly type: 'integer' }
          ? number
          : S extends { readonly type: 'array'; readonly items: infer I }
            ? readonly ValueOf<I>[]
            : S extends { readonly properties: infer P; readonly required: readonly (infer R)[] }
              ? { readonly [K in keyof P as K extends R ? K : never]: ValueOf<P[K]> } & {
                  readonly [K in keyof P as K extends R ? never : K]?: ValueOf<P[K]>;
                }
              : S extends { readonly additionalProperties: infer A }
                ? Readonly<Record<string, ValueOf<A>>>
                : never;

/** Verdict and message; `{before}`, `{after}` and `{items}` in the message stand for the compared values. */
export type Effect = readonly [verdict: Verdict, message: string];

/** Effect of adding, removing or changing a member. An omitted entry has no effect. */
export interface Comparison<V> {
  /** Rule of `make diff` that reports the change. */
  readonly rule: string;
  /** Part of the value to compare; the whole value if omitted. */
  readonly of?: (value: V) => unknown;
  /** Value that a missing member counts as. */
  readonly absent?: unknown;
  /**
   * Lists are compared as sets: added and removed `items` are reported together, or one by one (`item`). Maps are
   * compared entry by entry (`entry`), each reported under its name.
   */
  readonly by?: 'item' | 'entry';
  readonly gained?: Effect;
  readonly lost?: Effect;
  readonly changed?: Effect;
  /** Effect of a smaller or a larger number, in place of `changed`. */
  readonly lowered?: Effect;
  readonly raised?: Effect;
  /** Text for a missing value in messages. */
  readonly nothing?: string;
}

/**
 * A member of the dialect. `P` is the place where it may occur, `C` its column, `D` its default, `R` whether it is
 * required.
 */
export interface Member<
  S extends JsonSchema = JsonSchema,
  P extends MemberOwner = MemberOwner,
  C extends string = string,
  D = unknown,
  R extends boolean = boolean,
> {
  readonly on: readonly P[];
  readonly schema: S;
  /** Whether every operation must state it. */
  readonly required?: R;
  /** Value that applies if the member is omitted. */
  readonly default?: D;
  /** What the value follows from if the member is omitted and has no default. */
  readonly implied?: string;
  /** Column in the operation table of the server. */
  readonly column?: C;
  readonly changes?: readonly Comparison<ValueOf<S>>[];
  /** Meaning, as the end of a sentence that begins with the name of the member. */
  readonly text: string;
}

/** Infers the types of one member, so that `changes` is type-checked against the schema beside it. */
export function member<
  const S extends JsonSchema,
  const P extends MemberOwner,
  const C extends string = never,
  const D = never,
  const R extends boolean = false,
>(described: Member<S, P, C, D, R>): Member<S, P, C, D, R> {
  return described;
}

/** Describes the values of a schema in a few words. */
export function inWords(schema: JsonSchema): string {
  const {
    const: value,
    enum: values,
    type,
    items,
    uniqueItems,
    properties,
    additionalProperties,
    format,
    minLength,
    minimum,
    maximum,
  } = schema;
  if (value !== undefined) return asCode(value);
  if (values !== undefined) return values.map(asCode).join(values.length > 2 ? ', ' : ' or ');
  if (items !== undefined) return `a list (each ${inWords(items)}${uniqueItems === true ? ', none twice' : ''})`;
  if (properties !== undefined)
    return Object.entries(properties)
      .map(([name, member]) => `\`${name}\`: ${inWords(member)}`)
      .join('; ');
  if (typeof additionalProperties === 'object') return `a map (each ${inWords(additionalProperties)})`;
  if (format === 'date') return 'a day such as `2026-01-31`';
  if (type === 'string') return minLength === undefined ? 'a text' : 'a text that is not empty';
  if (type !== 'integer') return 'anything';
  return minimum === undefined || maximum === undefined ? 'a number' : `a number from ${minimum} to ${maximum}`;
}

/** Formats a value as Markdown code. */
export function asCode(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
