import type { components } from '../contract/generated/types.ts';
import type { Piece } from './sql.ts';

export type Flag = 'defaulted' | 'changing' | 'unaudited';
/** The roles that write for the service: `app` within the tenant of a request, `platform` across tenants. */
export type WritingRole = 'app' | 'platform';
/** Why a column may change: for every role that updates rows of the table, or for each role by itself. */
export type Reason = string | Readonly<Partial<Record<WritingRole, string>>>;

/** What of a column concerns a person: how it is kept, what an erasure leaves of it, or why it says nothing about anybody. */
interface Privacy {
  /** Sealed under the key of the subject: the whole value, or one member of each object in a list. */
  readonly sealed: true | { readonly each: string } | null;
  /** Why it is not sealed. */
  readonly unsealed: string | null;
  readonly erasedTo: { readonly value: unknown } | null;
  /** Why it says nothing about anybody. */
  readonly impersonal: string | null;
}

interface Traits extends Privacy {
  readonly column: string | null;
  readonly isNullable: boolean;
  readonly flags: ReadonlySet<Flag>;
  /** A column that the database fills in, and that some insert names all the same. */
  readonly isGivenAtTimes: boolean;
  readonly reason: Reason | null;
  /** Makes of a value what the driver sends; null where the driver can do that itself. */
  readonly encode: ((value: unknown) => unknown) | null;
  /** Makes of what the driver reads what the service keeps; null where that is the same. */
  readonly decode: ((value: unknown) => unknown) | null;
}

const PLAIN: Traits = {
  column: null, isNullable: false, flags: new Set(), isGivenAtTimes: false, reason: null, sealed: null, unsealed: null, erasedTo: null, impersonal: null, encode: null, decode: null,
};

/**
 * One column: its type in PostgreSQL, as what the driver reads it, as what the service keeps it, what may be written, and what it says about a person.
 *
 * - `defaulted`: the database fills it in unless an insert names it.
 * - `changing`: it may be updated, and says why; every other column stays as it was inserted.
 * - `unaudited`: the audit log does not tell that it changed.
 */
export class Column<Row, Kept = Row, Written = Kept, F extends Flag = never> {
  declare readonly types: readonly [Row, Kept, Written, F];
  /** As `format_type` of PostgreSQL names it. */
  readonly type: string;
  readonly traits: Traits;

  constructor(type: string, traits: Partial<Traits> = {}) {
    this.type = type;
    this.traits = { ...PLAIN, ...traits };
  }

  nullable(): Column<Row | null, Kept | null, Written | null, F> {
    return this.#with({ isNullable: true });
  }

  /** With `unless an insert names it`, the roles that insert rows may give a value. */
  defaulted(given?: 'unless an insert names it'): Column<Row, Kept, Written, F | 'defaulted'> {
    return this.#with({ flags: this.#flagged('defaulted'), isGivenAtTimes: given !== undefined });
  }

  changes(reason: Reason): Column<Row, Kept, Written, F | 'changing'> {
    return this.#with({ flags: this.#flagged('changing'), reason });
  }

  unaudited(): Column<Row, Kept, Written, F | 'unaudited'> {
    return this.#with({ flags: this.#flagged('unaudited') });
  }

  /** Where the column is not called as the member in snake case. */
  named(column: string): Column<Row, Kept, Written, F> {
    return this.#with({ column });
  }

  /** Kept sealed under the key of the subject, which an erasure destroys. */
  sealed(): Column<Row, Kept, Written, F> {
    return this.#with({ sealed: true });
  }

  /** The same for one member of each object of a list. */
  sealedEach(each: string): Column<Row, Kept, Written, F> {
    return this.#with({ sealed: { each } });
  }

  /** Why it is kept as it was written, although it is about a person. */
  unsealed(why: string): Column<Row, Kept, Written, F> {
    return this.#with({ unsealed: why });
  }

  /** What an erasure of the owner leaves: a value, or SQL that computes it of the row. */
  erasedTo(value: Written | Piece): Column<Row, Kept, Written, F> {
    return this.#with({ erasedTo: { value } });
  }

  /** Why nothing in it is about a person. */
  impersonal(why: string): Column<Row, Kept, Written, F> {
    return this.#with({ impersonal: why });
  }

  #flagged(flag: Flag): ReadonlySet<Flag> {
    return new Set([...this.traits.flags, flag]);
  }

  #with<C extends Column<unknown, unknown, unknown, Flag>>(traits: Partial<Traits>): C {
    return new Column(this.type, { ...this.traits, ...traits }) as unknown as C;
  }
}

const unlessNull = <T>(change: (value: T) => unknown) => (value: unknown): unknown => (value === null ? null : change(value as T));

export const uuid = (): Column<string> => new Column('uuid');
export const text = <T extends string = string>(): Column<T> => new Column('text');
export const texts = <T extends string = string>(): Column<T[], T[], readonly T[]> => new Column('text[]');
/** A text of a closed set, or a name that the service itself gives: nothing that somebody has written. */
export const code = <T extends string = string>(): Column<T> => new Column('text', { impersonal: 'a code' });
export const codes = <T extends string = string>(): Column<T[], T[], readonly T[]> => new Column('text[]', { impersonal: 'codes' });
export const smallint = (): Column<number> => new Column('smallint');
export const integer = (): Column<number> => new Column('integer');
/** Read as a number, and refused when it is none that JavaScript can hold (pool.ts). */
export const bigint = (): Column<number, number, number | bigint> => new Column('bigint');
export const double = (): Column<number> => new Column('double precision');
export const boolean = (): Column<boolean> => new Column('boolean');
export const bytes = (): Column<Buffer> => new Column('bytea');
/** A digest or a MAC under a key of the tenant, which tells nothing but that two values are equal. */
export const digest = (): Column<Buffer> => new Column('bytea', { impersonal: 'a digest' });
/** A calendar day, YYYY-MM-DD. */
export const date = (): Column<string> => new Column('date');
/** An instant, read as the wire has it (RFC 3339). */
export const timestamp = (): Column<string, string, string | Date> => new Column('timestamp(3) with time zone');
/** An instant that the service keeps as a Date. */
export const instant = (): Column<string, Date, string | Date> => new Column('timestamp(3) with time zone', { decode: unlessNull((at: string) => new Date(at)) });
/** The driver would make an array of PostgreSQL of an array, so the text of the document is sent. */
export const json = <T>(): Column<T> => new Column('jsonb', { encode: unlessNull(JSON.stringify) });
/** Who of the tenant, or which part of the service, has done something. */
export const actor = (): Column<components['schemas']['Actor']> => json<components['schemas']['Actor']>().impersonal('who of the tenant did it');
