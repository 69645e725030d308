/**
 * Template tag for SQL text with bound values. Used by all stores. A value never becomes text of a statement, so it
 * cannot change its meaning.
 */
import type { Knex } from 'knex';
import { knex, type Parameter, type Value } from './statement.ts';

/**
 * SQL text with the values that it binds. It may be part of another fragment, and is accepted wherever Knex takes
 * `knex.raw`.
 */
export type Fragment = Knex.Raw;

/** Piece in `${}`: a value is bound, a parameter of a statement is bound later, SQL becomes a part of the text. */
export type Piece = Value | Parameter | Fragment | Knex.QueryBuilder;

export function isFragment(value: unknown): value is Fragment {
  return typeof value === 'object' && value !== null && 'toSQL' in value;
}

/**
 * `sql\`SELECT ${document.all} FROM document WHERE ${document.equal({ id })} AND created_at < ${before}\``
 *
 * Nothing that is interpolated becomes text, except what is SQL already and whole numbers, such as limits: the planner
 * goes by them. A question mark of the text is PostgreSQL's operator and not a binding.
 */
export function sql(text: TemplateStringsArray, ...pieces: readonly Piece[]): Fragment {
  const bound: Piece[] = [];
  const parts = text.map((part, index) => {
    const piece = pieces[index];
    const escaped = part.replaceAll('?', '\\?');
    if (index === pieces.length) return escaped;
    if (Number.isInteger(piece)) return `${escaped}${piece as number}`;
    bound.push(piece as Piece);
    return `${escaped}?`;
  });
  return knex.raw(parts.join(''), bound as readonly Knex.RawBinding[]);
}

/** Joins the fragments with a separator. */
export function joined(fragments: readonly Fragment[], separator: string): Fragment {
  if (fragments.length === 0) throw new TypeError('nothing to join');
  return knex.raw(fragments.map(() => '?').join(separator), fragments);
}

/**
 * Requires all of the conditions; `false` stands for a filter that the caller did not use. Without any condition, every
 * row matches.
 */
export function every(conditions: readonly (Fragment | false)[]): Fragment {
  const required = conditions.filter((condition) => condition !== false);
  return required.length === 0 ? sql`true` : joined(required, ' AND ');
}
