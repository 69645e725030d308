/**
 * Types and columns derived from the table of the dialect: its members as TypeScript types, and the columns of the
 * server's operation table. Used by the contract's types and the generators.
 */
import { type Dialect, type MemberName, members } from './dialect.ts';
import type { JsonSchema, Member, MemberOwner, ValueOf } from './member.ts';

type On<M, P extends MemberOwner> =
  M extends Member<JsonSchema, infer Q, string, unknown, boolean> ? (P extends Q ? true : false) : false;
type IsRequired<M> = M extends { readonly required?: infer R } ? (true extends R ? true : false) : false;
type SchemaOf<M> = M extends { readonly schema: infer S } ? S : never;

/** Members of the dialect at a place, as TypeScript types. */
export type Extensions<P extends MemberOwner> = {
  readonly [N in MemberName as On<Dialect[N], P> extends true
    ? IsRequired<Dialect[N]> extends true
      ? never
      : N
    : never]?: ValueOf<SchemaOf<Dialect[N]>>;
} & {
  readonly [N in MemberName as On<Dialect[N], P> extends true
    ? IsRequired<Dialect[N]> extends true
      ? N
      : never
    : never]: ValueOf<SchemaOf<Dialect[N]>>;
};

type ColumnOf<M> = M extends { readonly column?: infer C } ? Exclude<C, undefined> & string : never;
type DefaultOf<M> = M extends { readonly default?: infer D } ? Exclude<D, undefined> : never;

/** Columns of the operation table that come from the dialect. */
export type Columns = {
  readonly [N in MemberName as ColumnOf<Dialect[N]>]: ValueOf<SchemaOf<Dialect[N]>> | DefaultOf<Dialect[N]>;
};
/** Columns whose value follows from the rest of the operation if their member is omitted. */
export type ImpliedColumns = Pick<Columns, 'rateLimit' | 'transaction'>;

/** Names of the columns, in the order of their members. */
export const columns = members.flatMap(([, { column }]) => (column === undefined ? [] : [column as keyof Columns]));

/**
 * Returns the columns of one operation: the stated value, else the value implied by the rest of the operation, else the
 * default.
 */
export function columnsOf(operation: Partial<Extensions<'operation'>>, implied: ImpliedColumns): Columns {
  const cells = members.flatMap(([name, { column, default: fallback }]) =>
    column === undefined
      ? []
      : [
          [
            column,
            (operation as Readonly<Record<string, unknown>>)[name] ??
              implied[column as keyof ImpliedColumns] ??
              fallback,
          ],
        ],
  );
  return Object.fromEntries(cells) as Columns;
}
