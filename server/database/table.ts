import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '../contract/generated/audit-actions.ts';
import type { Column, Flag, WritingRole } from './column.ts';
import { encoded, isParameter, knex, type Parameter } from './statement.ts';
import { every, isFragment, joined, sql, type Fragment, type Piece } from './sql.ts';

export * from './column.ts';

type AnyColumn = Column<unknown, unknown, unknown, Flag>;
export type Columns = Readonly<Record<string, AnyColumn>>;

type TypesOf<C> = C extends { readonly types: infer T } ? T : never;
type At<C, I extends 0 | 1 | 2 | 3> = TypesOf<C> extends readonly [unknown, unknown, unknown, unknown] ? TypesOf<C>[I] : never;
type Flagged<C extends Columns, F extends Flag> = { [M in keyof C]: At<C[M], 3> & F extends never ? never : M }[keyof C];

/** What may change of a row and is not left to the database. */
type Changing<C extends Columns> = Exclude<Flagged<C, 'changing'>, Flagged<C, 'defaulted'>>;

/** A list of columns for a statement, each under the name of its member. */
export type Selection<C extends Columns = Columns, M extends keyof C = keyof C> = Fragment & { readonly of?: readonly [C, M] };

/** A row of a selection as the driver reads it. */
export type RowOf<S extends Selection> = S extends { readonly of?: readonly [infer C, infer M] } ? { readonly [P in M & keyof C]: At<C[P], 0> } : never;
/** The same as the service keeps it. */
export type RecordOf<S extends Selection> = S extends { readonly of?: readonly [infer C, infer M] } ? { readonly [P in M & keyof C]: At<C[P], 1> } : never;
/** What an insert is told of a row: everything but what the database fills in. */
export type InsertOf<T> = T extends Table<infer C> ? { readonly [M in Exclude<keyof C, Flagged<C, 'defaulted'>>]: At<C[M], 2> } : never;
/** Everything that may change of a row. */
export type UpdateOf<T> = T extends Table<infer C> ? { readonly [M in Changing<C>]: At<C[M], 2> } : never;

/** A value of a column, the parameter of a statement that brings one, or SQL that computes it. */
type Given<C> = At<C, 2> | Parameter<At<C, 2>> | Fragment;
type Some<C extends Columns> = { readonly [M in keyof C]?: Given<C[M]> };
type Each<C extends Columns, M extends keyof C> = { readonly [P in M]: Given<C[P]> };

/** What a table owes to whoever its rows are about, and to the rest of the service. The database, an erasure, a reset and the tests go by it. */
export interface Duties<C extends Columns> {
  /**
   * Whose rows these are. Of an applicant (by `applicationId`) and of whoever was screened (by `subjectId`) every text, document and byte is sealed,
   * emptied by an erasure, or says why it is impersonal.
   */
  readonly owner: 'application' | 'screening' | 'recovery' | 'tenant' | 'person' | 'platform';
  /** What the place of a sealed text begins with; the name of the table unless it was called otherwise when the first texts were sealed. */
  readonly sealedAs?: string;
  /** Events of the audit log that the timeline of the application tells, and the status that the application has then; null where it keeps its own. */
  readonly timeline?: Readonly<Partial<Record<AuditAction, string | null>>>;
  /** What a reset of the sandbox does with the rows of a tenant. `along`: they go with a row that they refer to. */
  readonly sandboxReset?: 'emptied' | { readonly emptiedBefore: string } | 'along' | { readonly kept: string };
  /** The roles that insert rows; without one nobody does but a trigger. */
  readonly insertedBy?: WritingRole | 'both';
  /** The roles for which a reason holds that names none; those that insert rows unless told otherwise. */
  readonly updatedBy?: WritingRole | 'both';
  /** What tests insert where the type of a column alone would be refused. */
  readonly example?: { readonly [M in keyof C]?: At<C[M], 2> };
}

/**
 * The definition of a table, the one place where its columns stand: selections, rows, inserts, updates, conditions and what
 * the audit log tells of a change come from it, so that a member that is added here is written, read back and audited.
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

  /** The same where a statement calls the table differently: `FROM api_key k`. */
  as(alias: string): Table<C> {
    return new Table(this.name, this.columns, this.duties, alias);
  }

  get members(): (keyof C & string)[] {
    return Object.keys(this.columns);
  }

  /** These members, or all of them. */
  select<M extends keyof C & string = keyof C & string>(...members: readonly M[]): Selection<C, M> {
    return joined((members.length === 0 ? this.members : members).map((member) => knex.raw(`${this.#reference(member)} AS "${member}"`)), ', ') as Selection<C, M>;
  }

  /** All members but these. */
  except<M extends keyof C & string>(...members: readonly M[]): Selection<C, Exclude<keyof C & string, M>> {
    return this.select(...this.members.filter((member) => !members.includes(member as M))) as Selection<C, Exclude<keyof C & string, M>>;
  }

  column(member: keyof C & string): Fragment {
    return knex.raw(this.#reference(member));
  }

  /** The columns without their values, for `INSERT INTO … SELECT` and for conflicts. */
  list(...members: readonly (keyof C & string)[]): Fragment {
    return knex.raw(members.map((member) => this.nameOf(member)).join(', '));
  }

  /** A condition: each of the columns has the given value, or is null. */
  equal(given: Some<C>): Fragment {
    return every(Object.entries(given).map(([member, value]) => (
      value === null ? sql`${this.column(member)} IS NULL` : sql`${this.column(member)} = ${this.#bound(member, value)}`)));
  }

  /** `INSERT INTO … VALUES …` of one row; what the database fills in can be given all the same. */
  insert<M extends keyof C = never>(row: Each<C, Exclude<keyof C, Flagged<C, 'defaulted'> | M>>, given = {} as Each<C, M>): Fragment {
    const members = this.members.filter((member) => !this.#has(member, 'defaulted') || Object.hasOwn(given, member));
    const values = members.map((member) => sql`${this.#bound(member, Object.hasOwn(given, member) ? given[member as M] : row[member as keyof typeof row])}`);
    return sql`INSERT INTO ${knex.raw(this.name)} (${this.list(...members)}) VALUES (${joined(values, ', ')})`;
  }

  /** For `UPDATE … SET`. */
  assign(given: Some<C>): Fragment {
    return joined(Object.entries(given).map(([member, value]) => sql`${this.list(member)} = ${this.#bound(member, value)}`), ', ');
  }

  /** The same for everything that may change; of some members other values than those of the row. */
  assignAll<M extends keyof C = never>(row: Each<C, Exclude<Changing<C>, M>>, instead: Each<C, M> = {} as Each<C, M>): Fragment {
    const members = this.members.filter((member) => this.#has(member, 'changing') && !this.#has(member, 'defaulted'));
    return this.assign(Object.fromEntries(members.map((member) => [member, member in instead ? instead[member as unknown as M] : row[member as unknown as keyof typeof row]])) as Some<C>);
  }

  /** The same with the next version and the time of the change, for tables that have both. */
  revise(now: Given<C['updatedAt']>, given: Some<C> & ('version' extends keyof C ? 'updatedAt' extends keyof C ? unknown : never : never)): Fragment {
    return sql`${this.assign({ ...given, updatedAt: now } as Some<C>)}, version = ${knex.raw(this.#alias ?? this.name)}.version + 1`;
  }

  /** For `UPDATE … SET` of an erasure: what the columns of the table are left with, and when that changed; null where it empties nothing. */
  erasure(now: Given<C['updatedAt']>, changedAt: Given<C['updatedAt']> = now): Fragment | null {
    const left = this.members.flatMap((member) => {
      const { erasedTo } = (this.columns[member] as AnyColumn).traits;
      return erasedTo === null ? [] : [[member, erasedTo.value]];
    });
    if (left.length === 0) return null;
    const empty = Object.fromEntries([...left, ...'erasedAt' in this.columns ? [['erasedAt', now]] : []]) as Parameters<this['revise']>[1];
    return 'version' in this.columns && 'updatedAt' in this.columns ? this.revise(changedAt, empty) : this.assign(empty);
  }

  /** The columns that a role may insert, and those that it may update: what changes, says why; what an erasure empties changes for `app`. */
  writable(role: WritingRole): { readonly insert: string[]; readonly update: string[] } {
    const { insertedBy, updatedBy = insertedBy } = this.duties;
    const [inserts, updates] = [insertedBy, updatedBy].map((by) => by === role || by === 'both');
    const insert = this.members.filter((member) => {
      const { flags, isGivenAtTimes } = (this.columns[member] as AnyColumn).traits;
      return inserts && (!flags.has('defaulted') || isGivenAtTimes);
    });
    const update = this.members.filter((member) => {
      const { reason, erasedTo } = (this.columns[member] as AnyColumn).traits;
      return (reason !== null && (typeof reason === 'string' ? updates : reason[role] !== undefined)) || (erasedTo !== null && role === 'app');
    });
    return { insert: insert.map((member) => this.nameOf(member)), update: update.map((member) => this.nameOf(member)) };
  }

  /** For `ON CONFLICT … DO UPDATE SET`: the values of the row that could not be inserted. */
  assignExcluded(...members: readonly (keyof C & string)[]): Fragment {
    return joined(members.map((member) => sql`${this.list(member)} = excluded.${this.list(member)}`), ', ');
  }

  /** A row of a selection as the service keeps it; what stands beside its columns stays as it is. */
  read<R extends object>(row: R): { readonly [P in keyof R]: P extends keyof C ? At<C[P], 1> : R[P] } {
    const read = { ...row } as Record<string, unknown>;
    for (const member of this.members) {
      const { decode } = (this.columns[member] as AnyColumn).traits;
      if (decode !== null && member in read) read[member] = decode(read[member]);
    }
    return read as { readonly [P in keyof R]: P extends keyof C ? At<C[P], 1> : R[P] };
  }

  /** The members that the audit log tells of, in the order of the definition. */
  get audited(): Exclude<keyof C & string, Flagged<C, 'unaudited'>>[] {
    return this.members.filter((member) => !this.#has(member, 'unaudited')) as Exclude<keyof C & string, Flagged<C, 'unaudited'>>[];
  }

  /** Those of them that differ. */
  changed(before: Partial<Record<keyof C, unknown>>, after: Partial<Record<keyof C, unknown>>): Exclude<keyof C & string, Flagged<C, 'unaudited'>>[] {
    return this.audited.filter((member) => member in after && !isDeepStrictEqual(before[member], after[member]));
  }

  #has(member: keyof C & string, flag: Flag): boolean {
    return (this.columns[member] as AnyColumn).traits.flags.has(flag);
  }

  /** The name of the column in the database. */
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
    return isParameter(value) ? encoded(value, encode) : encode(value) as Piece;
  }
}

const defined: Table<Columns>[] = [];
/** Every table that has been defined: all of them once the service is loaded. */
export const tables: readonly Table<Columns>[] = defined;

const derivations: (() => unknown)[] = [];
/** Everything that follows from the tables. */
export const derivedFromTables: readonly (() => unknown)[] = derivations;

/** What follows from all tables, made when it is first asked for: they are defined while modules load. */
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
