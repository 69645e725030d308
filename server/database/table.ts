/**
 * Table definitions, from which selections, inserts, updates and rights are derived. Used by every store. An unknown
 * member throws.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Flag, WritingRole } from './column.ts';
import type { AnyColumn, At, Columns, Duties } from './duties.ts';
import { encoded, isParameter, knex, type Parameter } from './statement.ts';
import { every, isFragment, joined, sql, type Fragment, type Piece } from './sql.ts';

export * from './column.ts';

type Flagged<C extends Columns, F extends Flag> = {
  [M in keyof C]: At<C[M], 3> & F extends never ? never : M;
}[keyof C];

/** Members that may change and that the database does not fill in. */
type Changing<C extends Columns> = Exclude<Flagged<C, 'changing'>, Flagged<C, 'defaulted'>>;

/** A list of columns for a statement, each under the name of its member. */
export type Selection<C extends Columns = Columns, M extends keyof C = keyof C> = Fragment & {
  readonly of?: readonly [C, M];
};

/** Row of a selection as the driver reads it. */
export type RowOf<S extends Selection> = S extends { readonly of?: readonly [infer C, infer M] }
  ? { readonly [P in M & keyof C]: At<C[P], 0> }
  : never;
/** Row of a selection as the service uses it. */
export type RecordOf<S extends Selection> = S extends { readonly of?: readonly [infer C, infer M] }
  ? { readonly [P in M & keyof C]: At<C[P], 1> }
  : never;
/** Values of an insert: all members except those that the database fills in. */
export type InsertOf<T> =
  T extends Table<infer C> ? { readonly [M in Exclude<keyof C, Flagged<C, 'defaulted'>>]: At<C[M], 2> } : never;
/** All members of a row that may change. */
export type UpdateOf<T> = T extends Table<infer C> ? { readonly [M in Changing<C>]: At<C[M], 2> } : never;

/** A value of a column, a parameter of a statement for such a value, or SQL that computes it. */
type Operand<C> = At<C, 2> | Parameter<At<C, 2>> | Fragment;
type Some<C extends Columns> = { readonly [M in keyof C]?: Operand<C[M]> };
type Each<C extends Columns, M extends keyof C> = { readonly [P in M]: Operand<C[P]> };

/**
 * Definition of a table, the only place that lists its columns. Selections, rows, inserts, updates, conditions and the
 * audited changes are derived from it, so that a new member is written, read back and audited.
 */
export class Table<C extends Columns> {
  readonly name: string;
  readonly columns: C;
  readonly duties: Duties<C>;
  readonly #alias: string | null;

  constructor(name: string, columns: C, duties: Duties<C>, alias: string | null = null) {
    this.name = name;
    this.columns = columns;
    this.duties = duties;
    this.#alias = alias;
  }

  /** Returns the table under an alias of a statement: `FROM api_key k`. */
  as(alias: string): Table<C> {
    return new Table(this.name, this.columns, this.duties, alias);
  }

  get members(): (keyof C & string)[] {
    return Object.keys(this.columns);
  }

  /** Selects these members, or all of them. */
  select<M extends keyof C & string = keyof C & string>(...members: readonly M[]): Selection<C, M> {
    return joined(
      (members.length === 0 ? this.members : members).map((member) =>
        knex.raw(`${this.#reference(member)} AS "${member}"`),
      ),
      ', ',
    ) as Selection<C, M>;
  }

  /** Selects all members except these. */
  except<M extends keyof C & string>(...members: readonly M[]): Selection<C, Exclude<keyof C & string, M>> {
    return this.select(...this.members.filter((member) => !members.includes(member as M))) as Selection<
      C,
      Exclude<keyof C & string, M>
    >;
  }

  column(member: keyof C & string): Fragment {
    return knex.raw(this.#reference(member));
  }

  /** Lists the columns without their values, for `INSERT INTO … SELECT` and for conflicts. */
  list(...members: readonly (keyof C & string)[]): Fragment {
    return knex.raw(members.map((member) => this.nameOf(member)).join(', '));
  }

  /** Returns the condition that each of the columns has the given value, or is null. */
  equal(given: Some<C>): Fragment {
    return every(
      Object.entries(given).map(([member, value]) =>
        value === null
          ? sql`${this.column(member)} IS NULL`
          : sql`${this.column(member)} = ${this.#bound(member, value)}`,
      ),
    );
  }

  /** Returns `INSERT INTO … VALUES …` for one row. Columns that the database fills in can also be set. */
  insert<M extends keyof C = never>(
    row: Each<C, Exclude<keyof C, Flagged<C, 'defaulted'> | M>>,
    given = {} as Each<C, M>,
  ): Fragment {
    const members = this.members.filter((member) => !this.#has(member, 'defaulted') || Object.hasOwn(given, member));
    const values = members.map((member) => {
      const value = Object.hasOwn(given, member) ? given[member as M] : row[member as keyof typeof row];
      return sql`${this.#bound(member, value)}`;
    });
    return sql`INSERT INTO ${knex.raw(this.name)} (${this.list(...members)}) VALUES (${joined(values, ', ')})`;
  }

  /** Returns assignments for `UPDATE … SET`. */
  assign(given: Some<C>): Fragment {
    return joined(
      Object.entries(given).map(([member, value]) => sql`${this.list(member)} = ${this.#bound(member, value)}`),
      ', ',
    );
  }

  /** Returns assignments of all members that may change; `instead` replaces values of the row. */
  assignAll<M extends keyof C = never>(
    row: Each<C, Exclude<Changing<C>, M>>,
    instead: Each<C, M> = {} as Each<C, M>,
  ): Fragment {
    const members = this.members.filter((member) => this.#has(member, 'changing') && !this.#has(member, 'defaulted'));
    return this.assign(
      Object.fromEntries(
        members.map((member) => [
          member,
          member in instead ? instead[member as unknown as M] : row[member as unknown as keyof typeof row],
        ]),
      ) as Some<C>,
    );
  }

  /** Returns assignments with the next version and the time of the change, for tables that have both. */
  revise(
    now: Operand<C['updatedAt']>,
    given: Some<C> & ('version' extends keyof C ? ('updatedAt' extends keyof C ? unknown : never) : never),
  ): Fragment {
    const name = knex.raw(this.#alias ?? this.name);
    return sql`${this.assign({ ...given, updatedAt: now } as Some<C>)}, version = ${name}.version + 1`;
  }

  /**
   * Returns assignments for an erasure: the values that remain in the columns, and the time of the change. Null if an
   * erasure empties nothing in the table.
   */
  erasure(now: Operand<C['updatedAt']>, changedAt: Operand<C['updatedAt']> = now): Fragment | null {
    const left = this.members.flatMap((member) => {
      const { erasedTo } = (this.columns[member] as AnyColumn).traits;
      return erasedTo === null ? [] : [[member, erasedTo.value]];
    });
    if (left.length === 0) return null;
    const empty = Object.fromEntries([
      ...left,
      ...('erasedAt' in this.columns ? [['erasedAt', now]] : []),
    ]) as Parameters<this['revise']>[1];
    return 'version' in this.columns && 'updatedAt' in this.columns
      ? this.revise(changedAt, empty)
      : this.assign(empty);
  }

  /**
   * Returns the columns that a role may insert, and those that it may update: every column that declares why it
   * changes; for `app` also those that an erasure empties.
   */
  writable(role: WritingRole): { readonly insert: string[]; readonly update: string[] } {
    const { insertedBy, updatedBy = insertedBy } = this.duties;
    const [inserts, updates] = [insertedBy, updatedBy].map((by) => by === role || by === 'both');
    const insert = this.members.filter((member) => {
      const { flags, isSetBySomeInserts } = (this.columns[member] as AnyColumn).traits;
      return inserts && (!flags.has('defaulted') || isSetBySomeInserts);
    });
    const update = this.members.filter((member) => {
      const { reason, erasedTo } = (this.columns[member] as AnyColumn).traits;
      return (
        (reason !== null && (typeof reason === 'string' ? updates : reason[role] !== undefined)) ||
        (erasedTo !== null && role === 'app')
      );
    });
    return { insert: insert.map((member) => this.nameOf(member)), update: update.map((member) => this.nameOf(member)) };
  }

  /** Returns assignments for `ON CONFLICT … DO UPDATE SET`: the values of the row that could not be inserted. */
  assignExcluded(...members: readonly (keyof C & string)[]): Fragment {
    return joined(
      members.map((member) => sql`${this.list(member)} = excluded.${this.list(member)}`),
      ', ',
    );
  }

  /** Converts a row of a selection to the form that the service uses. Members that are not columns stay as they are. */
  read<R extends object>(row: R): { readonly [P in keyof R]: P extends keyof C ? At<C[P], 1> : R[P] } {
    const read = { ...row } as Record<string, unknown>;
    for (const member of this.members) {
      const { decode } = (this.columns[member] as AnyColumn).traits;
      if (decode !== null && member in read) read[member] = decode(read[member]);
    }
    return read as { readonly [P in keyof R]: P extends keyof C ? At<C[P], 1> : R[P] };
  }

  /** Members whose changes the audit log records, in the order of the definition. */
  get audited(): Exclude<keyof C & string, Flagged<C, 'unaudited'>>[] {
    return this.members.filter((member) => !this.#has(member, 'unaudited')) as Exclude<
      keyof C & string,
      Flagged<C, 'unaudited'>
    >[];
  }

  /** Returns the audited members that differ. */
  changed(
    before: Partial<Record<keyof C, unknown>>,
    after: Partial<Record<keyof C, unknown>>,
  ): Exclude<keyof C & string, Flagged<C, 'unaudited'>>[] {
    return this.audited.filter((member) => member in after && !isDeepStrictEqual(before[member], after[member]));
  }

  #has(member: keyof C & string, flag: Flag): boolean {
    return (this.columns[member] as AnyColumn).traits.flags.has(flag);
  }

  /** Returns the name of the column in the database. */
  nameOf(member: keyof C & string): string {
    const column = this.columns[member];
    if (column === undefined) throw new TypeError(`${this.name} has no ${member}`);
    return column.traits.column ?? snakeCase(member);
  }

  #reference(member: string): string {
    return this.#alias === null ? this.nameOf(member) : `${this.#alias}.${this.nameOf(member)}`;
  }

  #bound(member: string, value: unknown): Piece {
    const { encode } = (this.columns[member] as AnyColumn).traits;
    if (encode === null || isFragment(value)) return value as Piece;
    return isParameter(value) ? encoded(value, encode) : (encode(value) as Piece);
  }
}

const defined: Table<Columns>[] = [];
/** All defined tables: complete once the service is loaded. */
export const tables: readonly Table<Columns>[] = defined;

const derivations: (() => unknown)[] = [];
/** Functions that compute the values derived from the tables. */
export const derivedFromTables: readonly (() => unknown)[] = derivations;

/**
 * Returns a function that computes a value from all tables on first use, because tables are defined while modules load.
 */
export function fromTables<T>(derive: (all: readonly Table<Columns>[]) => T): () => T {
  let derived: { readonly value: T } | null = null;
  const read = (): T => (derived ??= { value: derive(tables) }).value;
  derivations.push(read);
  return read;
}

export function table<C extends Columns>(name: string, columns: C, duties: Duties<C>): Table<C> {
  const definition = new Table(name, columns, duties);
  defined.push(definition as unknown as Table<Columns>);
  return definition;
}

const snakeCase = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
