export type Flag = 'defaulted' | 'fixed' | 'unaudited';
type Traits = Pick<Column<unknown>, 'column' | 'isNullable' | 'flags' | 'encode' | 'decode'>;

/**
 * One column: its type in PostgreSQL, as what the driver reads it, as what the service keeps it, and what may be written.
 *
 * - `defaulted`: the database fills it in unless an insert names it.
 * - `fixed`: it is never updated.
 * - `unaudited`: the audit log does not tell that it changed.
 */
export class Column<Row, Kept = Row, Written = Kept, F extends Flag = never> {
  declare readonly types: readonly [Row, Kept, Written, F];
  /** As `format_type` of PostgreSQL names it. */
  readonly type: string;
  readonly column: string | null;
  readonly isNullable: boolean;
  readonly flags: ReadonlySet<string>;
  /** Makes of a value what the driver sends; null where the driver can do that itself. */
  readonly encode: ((value: unknown) => unknown) | null;
  /** Makes of what the driver reads what the service keeps; null where that is the same. */
  readonly decode: ((value: unknown) => unknown) | null;

  constructor(type: string, { column = null, isNullable = false, flags = new Set(), encode = null, decode = null }: Partial<Traits> = {}) {
    this.type = type;
    this.column = column;
    this.isNullable = isNullable;
    this.flags = flags;
    this.encode = encode;
    this.decode = decode;
  }

  nullable(): Column<Row | null, Kept | null, Written | null, F> {
    return new Column(this.type, { ...this, isNullable: true });
  }

  defaulted(): Column<Row, Kept, Written, F | 'defaulted'> {
    return this.#flagged('defaulted');
  }

  fixed(): Column<Row, Kept, Written, F | 'fixed'> {
    return this.#flagged('fixed');
  }

  unaudited(): Column<Row, Kept, Written, F | 'unaudited'> {
    return this.#flagged('unaudited');
  }

  /** Where the column is not called as the member in snake case. */
  named(column: string): Column<Row, Kept, Written, F> {
    return new Column(this.type, { ...this, column });
  }

  #flagged<G extends Flag>(flag: G): Column<Row, Kept, Written, F | G> {
    return new Column(this.type, { ...this, flags: new Set([...this.flags, flag]) });
  }
}

const unlessNull = <T>(change: (value: T) => unknown) => (value: unknown): unknown => (value === null ? null : change(value as T));

export const uuid = (): Column<string> => new Column('uuid');
export const text = <T extends string = string>(): Column<T> => new Column('text');
export const texts = <T extends string = string>(): Column<T[], T[], readonly T[]> => new Column('text[]');
export const smallint = (): Column<number> => new Column('smallint');
export const integer = (): Column<number> => new Column('integer');
/** Read as a number, and refused when it is none that JavaScript can hold (pool.ts). */
export const bigint = (): Column<number, number, number | bigint> => new Column('bigint');
export const double = (): Column<number> => new Column('double precision');
export const boolean = (): Column<boolean> => new Column('boolean');
export const bytes = (): Column<Buffer> => new Column('bytea');
/** A calendar day, YYYY-MM-DD. */
export const date = (): Column<string> => new Column('date');
/** An instant, read as the wire has it (RFC 3339). */
export const timestamp = (): Column<string, string, string | Date> => new Column('timestamp(3) with time zone');
/** An instant that the service keeps as a Date. */
export const instant = (): Column<string, Date, string | Date> => new Column('timestamp(3) with time zone', { decode: unlessNull((at: string) => new Date(at)) });
/** The driver would make an array of PostgreSQL of an array, so the text of the document is sent. */
export const json = <T>(): Column<T> => new Column('jsonb', { encode: unlessNull(JSON.stringify) });
