import knexFactory from 'knex';
import type { Knex } from 'knex';

export type Value = string | number | bigint | boolean | null | Date | Buffer | readonly string[] | { readonly [member: string]: unknown };
export type Values = Readonly<Record<string, Value>>;

/** Stands for a value that arrives later. To Knex it is a binding like any other. */
export type Parameter = { readonly parameter: string };

class Placeholder {
  readonly parameter: string;
  constructor(parameter: string) {
    this.parameter = parameter;
  }
}

/** A statement that Knex compiled once; sent by name, so PostgreSQL parses it once per connection. */
export interface Statement<V extends Values, Row> {
  readonly name: string;
  readonly text: string;
  /** The number of rows it must touch, if it must. */
  readonly expectRows: number | null;
  /** Name and text of the same statement, with the same values, when others wait for what it locks (write-transaction.ts). */
  readonly contended: { readonly name: string; readonly text: string } | null;
  /** Others count on what they have once read of this: it is never visible before it is on disk. */
  readonly lasting: boolean;
  bind(values: V): unknown[];
  /** Carries the type of a row; never set. */
  readonly row?: Row;
}

export type Compilable = Knex.QueryBuilder | Knex.Raw;

/** Builds SQL; it has no connection. */
export const knex: Knex = knexFactory({ client: 'pg' });

const names = new Map<string, string>();

/**
 * `const find = statement<{ tenantId: string; id: string }, Row>('application.find', (knex, p) =>
 *    knex('application').select(columns).where({ tenant_id: p.tenantId, id: p.id }));`
 *
 * Each member of `p` may be used wherever Knex takes a value; in `knex.raw` as the value of a `?`.
 */
export function statement<V extends Values, Row = never>(
  name: string,
  build: (knex: Knex, parameters: { readonly [P in keyof V]: Parameter }) => Compilable,
  options: { expectRows?: number; contended?: (knex: Knex, parameters: { readonly [P in keyof V]: Parameter }) => Compilable; lasting?: boolean } = {},
): Statement<V, Row> {
  const parameters = new Proxy({}, { get: (_, parameter) => new Placeholder(String(parameter)) }) as { readonly [P in keyof V]: Parameter };
  const { sql: text, bindings } = build(knex, parameters).toSQL().toNative();
  const contended = options.contended?.(knex, parameters).toSQL().toNative().sql;
  if ((names.get(name) ?? text) !== text) throw new Error(`two statements are named ${name}`);
  names.set(name, text);
  const sources: readonly unknown[] = bindings;
  return {
    name,
    text,
    expectRows: options.expectRows ?? null,
    contended: contended === undefined ? null : { name: `${name}.contended`, text: contended },
    lasting: options.lasting ?? false,
    bind: (values) => sources.map((source) => {
      if (!(source instanceof Placeholder)) return source;
      const value = values[source.parameter];
      if (value === undefined) throw new TypeError(`${name} lacks a value for ${source.parameter}`);
      return value;
    }),
  };
}
