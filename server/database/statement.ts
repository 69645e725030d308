/**
 * Named statements that are compiled once. Used by all stores. Two statements with one name throw, because the server
 * would mix them up.
 */
import knexFactory from 'knex';
import type { Knex } from 'knex';

/**
 * A value of a statement. The column defines how objects and arrays are sent (table.ts): the driver sends a plain
 * object as JSON, and an array as an array of PostgreSQL.
 */
export type Value = string | number | bigint | boolean | null | object;
export type Values = Readonly<Record<string, Value>>;

/** Placeholder for a value that is passed later. To Knex it is a binding like any other. */
export interface Parameter<V = unknown> {
  readonly parameter: string;
  /** Never set; carries the type of the value. */
  readonly value?: V;
}

export type ParametersOf<V> = { readonly [P in keyof V]: Parameter<V[P]> };

class Placeholder implements Parameter {
  readonly parameter: string;
  readonly encode: ((value: unknown) => unknown) | null;

  constructor(parameter: string, encode: Placeholder['encode'] = null) {
    this.parameter = parameter;
    this.encode = encode;
  }
}

export function isParameter(value: unknown): value is Parameter {
  return value instanceof Placeholder;
}

/** Returns the same parameter with an encoding of its value. */
export function encoded({ parameter }: Parameter, encode: (value: unknown) => unknown): Parameter {
  return new Placeholder(parameter, encode);
}

/** A statement that Knex compiled once; sent by name, so PostgreSQL parses it once per connection. */
export interface Statement<V extends Values, Row> {
  readonly name: string;
  readonly text: string;
  /** Number of rows that the statement must read or change, if that is fixed. */
  readonly expectRows: number | null;
  /**
   * Name and text of the variant, with the same values, that is used if other transactions wait for the rows that it
   * locks (write-transaction.ts).
   */
  readonly contended: { readonly name: string; readonly text: string } | null;
  /** Whether readers rely on the rows, so that the effect must never be visible before it is on disk. */
  readonly durable: boolean;
  bind(values: V): unknown[];
  /** Never set; carries the type of a row. */
  readonly row?: Row;
}

export type Compilable = Knex.QueryBuilder | Knex.Raw;

/** Builds SQL; it has no connection. */
export const knex: Knex = knexFactory({ client: 'pg' });

const names = new Map<string, string>();
/** Text of every defined statement, by its name. */
export const statements: ReadonlyMap<string, string> = names;

/**
 * `const find = statement<{ tenantId: string; id: string }, RowOf<typeof record>>('application.find', (p) =>
 *    sql\`SELECT ${record} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}\`);`
 *
 * Each member of `p` may be used wherever `sql`, a table definition (table.ts) or Knex takes a value.
 */
export function statement<V extends Values, Row = never>(
  name: string,
  build: (parameters: ParametersOf<V>) => Compilable,
  options: { expectRows?: number; contended?: (parameters: ParametersOf<V>) => Compilable; durable?: boolean } = {},
): Statement<V, Row> {
  const parameters = new Proxy({}, { get: (_, parameter) => new Placeholder(String(parameter)) }) as ParametersOf<V>;
  const { sql: text, bindings } = build(parameters).toSQL().toNative();
  const contended = options.contended?.(parameters).toSQL().toNative().sql;
  if ((names.get(name) ?? text) !== text) throw new Error(`two statements are named ${name}`);
  names.set(name, text);
  if (contended !== undefined) names.set(`${name}.contended`, contended);
  const sources: readonly unknown[] = bindings;
  return {
    name,
    text,
    expectRows: options.expectRows ?? null,
    contended: contended === undefined ? null : { name: `${name}.contended`, text: contended },
    durable: options.durable ?? false,
    bind: (values) =>
      sources.map((source) => {
        if (!(source instanceof Placeholder)) return source;
        const value = values[source.parameter];
        if (value === undefined) throw new TypeError(`${name} lacks a value for ${source.parameter}`);
        return source.encode === null ? value : source.encode(value);
      }),
  };
}
