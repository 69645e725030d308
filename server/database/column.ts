/**
 * Columns of table definitions: their types, and what they declare about changes and personal data. Used by table.ts
 * and every table. A column that may hold what people write must be sealed, or say why it is not.
 */
import type { BusinessTime, BusinessTimestamp, RealTime, RealTimestamp } from '../base/time.ts';
import type { Uuid } from '../base/uuid.ts';
import type { components } from '../contract/generated/types.ts';
import type { Piece } from './sql.ts';

export type Flag = 'defaulted' | 'changing' | 'unaudited';
/** Roles that write for the service: `app` within the tenant of a request, `platform` across tenants. */
export type WritingRole = 'app' | 'platform';
/** Reason why a column may change: one for every role that updates rows of the table, or one per role. */
export type Reason = string | Readonly<Partial<Record<WritingRole, string>>>;

/**
 * Personal data in a column: how it is stored, what remains after an erasure, or why the column is not about a person.
 */
interface Privacy {
  /** What is sealed under the key of the subject: the whole value, or one member of each object in a list. */
  readonly sealed: true | { readonly each: string } | null;
  /** Reason why the column is not sealed. */
  readonly unsealed: string | null;
  readonly erasedTo: { readonly value: unknown } | null;
  /** Reason why the column is not about a person. */
  readonly impersonal: string | null;
}

interface Traits extends Privacy {
  readonly column: string | null;
  readonly isNullable: boolean;
  readonly flags: ReadonlySet<Flag>;
  /** Whether some inserts set the column although the database fills it in. */
  readonly isSetBySomeInserts: boolean;
  readonly reason: Reason | null;
  /** Converts a value for the driver; null if the driver can do that itself. */
  readonly encode: ((value: unknown) => unknown) | null;
  /** Converts a value of the driver to the form that the service uses; null if both are the same. */
  readonly decode: ((value: unknown) => unknown) | null;
}

const PLAIN: Traits = {
  column: null,
  isNullable: false,
  flags: new Set(),
  isSetBySomeInserts: false,
  reason: null,
  sealed: null,
  unsealed: null,
  erasedTo: null,
  impersonal: null,
  encode: null,
  decode: null,
};

/**
 * One column: its type in PostgreSQL, the types that the driver reads and the service uses, the type that may be
 * written, and its personal data.
 *
 * - `defaulted`: the database fills in the column unless an insert sets it.
 * - `changing`: the column may be updated, and declares why; every other column keeps its inserted value.
 * - `unaudited`: the audit log does not record changes of the column.
 */
export class Column<Row, Decoded = Row, Written = Decoded, F extends Flag = never> {
  declare readonly types: readonly [Row, Decoded, Written, F];
  /** Type as `format_type` of PostgreSQL names it. */
  readonly type: string;
  readonly traits: Traits;

  constructor(type: string, traits: Partial<Traits> = {}) {
    this.type = type;
    this.traits = { ...PLAIN, ...traits };
  }

  nullable(): Column<Row | null, Decoded | null, Written | null, F> {
    return this.#with({ isNullable: true });
  }

  /**
   * Marks a column that the database fills in. With `unless an insert sets the value`, the roles that insert rows may
   * set a value.
   */
  defaulted(exception?: 'unless an insert sets the value'): Column<Row, Decoded, Written, F | 'defaulted'> {
    return this.#with({ flags: this.#flagged('defaulted'), isSetBySomeInserts: exception !== undefined });
  }

  changes(reason: Reason): Column<Row, Decoded, Written, F | 'changing'> {
    return this.#with({ flags: this.#flagged('changing'), reason });
  }

  unaudited(): Column<Row, Decoded, Written, F | 'unaudited'> {
    return this.#with({ flags: this.#flagged('unaudited') });
  }

  /** Sets the name of the column if it is not the member's name in snake case. */
  named(column: string): Column<Row, Decoded, Written, F> {
    return this.#with({ column });
  }

  /** Seals the column under the key of the subject, which an erasure destroys. */
  sealed(): Column<Row, Decoded, Written, F> {
    return this.#with({ sealed: true });
  }

  /** Seals one member of each object of a list under the key of the subject. */
  sealedEach(each: string): Column<Row, Decoded, Written, F> {
    return this.#with({ sealed: { each } });
  }

  /** Declares why the column is stored unsealed although it is about a person. */
  unsealed(why: string): Column<Row, Decoded, Written, F> {
    return this.#with({ unsealed: why });
  }

  /** Sets the value that remains after an erasure of the owner: a constant, or SQL that computes it from the row. */
  erasedTo(value: Written | Piece): Column<Row, Decoded, Written, F> {
    return this.#with({ erasedTo: { value } });
  }

  /** Declares why nothing in the column is about a person. */
  impersonal(why: string): Column<Row, Decoded, Written, F> {
    return this.#with({ impersonal: why });
  }

  #flagged(flag: Flag): ReadonlySet<Flag> {
    return new Set([...this.traits.flags, flag]);
  }

  #with<C extends Column<unknown, unknown, unknown, Flag>>(traits: Partial<Traits>): C {
    return new Column(this.type, { ...this.traits, ...traits }) as unknown as C;
  }
}

const unlessNull =
  <T>(change: (value: T) => unknown) =>
  (value: unknown): unknown =>
    value === null ? null : change(value as T);

/** PostgreSQL returns a UUID in lower case, however it was written. */
export const uuid = (): Column<Uuid, Uuid, string> => new Column('uuid');
export const text = <T extends string = string>(): Column<T> => new Column('text');
export const texts = <T extends string = string>(): Column<T[], T[], readonly T[]> => new Column('text[]');
/** A text from a closed set, or a name that the service itself assigns: never text that a person has written. */
export const code = <T extends string = string>(): Column<T> => new Column('text', { impersonal: 'a code' });
export const codes = <T extends string = string>(): Column<T[], T[], readonly T[]> =>
  new Column('text[]', { impersonal: 'codes' });
export const smallint = (): Column<number> => new Column('smallint');
export const integer = (): Column<number> => new Column('integer');
/** Read as a number; a value that JavaScript cannot represent is refused (pool.ts). */
export const bigint = (): Column<number, number, number | bigint> => new Column('bigint');
export const double = (): Column<number> => new Column('double precision');
export const boolean = (): Column<boolean> => new Column('boolean');
export const bytes = (): Column<Buffer> => new Column('bytea');
/** A digest, or a MAC under a key of the tenant, which reveals only whether two values are equal. */
export const digest = (): Column<Buffer> => new Column('bytea', { impersonal: 'a digest' });
/** A calendar day, YYYY-MM-DD. */
export const date = (): Column<string> => new Column('date');
/** An instant on the clock of the service, read in the format of the wire (RFC 3339). */
export const timestamp = (): Column<string, string, RealTimestamp | RealTime> =>
  new Column('timestamp(3) with time zone');
/** An instant on either clock, in tables whose rows are written for a sandbox as well as for the platform. */
export const timestampOfEitherClock = (): Column<string, string, string | Date> =>
  new Column('timestamp(3) with time zone');
/** An instant on the clock of the environment of the row: due dates, validity, and the times of sandbox records. */
export const businessTimestamp = (): Column<BusinessTimestamp, BusinessTimestamp, BusinessTimestamp | BusinessTime> =>
  new Column('timestamp(3) with time zone');
/** An instant that the service holds as a Date. */
export const instant = (): Column<string, Date, RealTimestamp | RealTime> =>
  new Column('timestamp(3) with time zone', { decode: unlessNull((at: string) => new Date(at)) });
/** Sends the text of the document, because the driver would convert an array into an array of PostgreSQL. */
export const json = <T>(): Column<T> => new Column('jsonb', { encode: unlessNull(JSON.stringify) });
/** Actor: a member of the tenant or a part of the service. */
export const actor = (): Column<components['schemas']['Actor']> =>
  json<components['schemas']['Actor']>().impersonal('the member of the tenant, or the part of the service, that acted');
