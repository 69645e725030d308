/** Types and errors of files with lists. Used by all readers and importers. A file is right as a whole or refused. */
import type { ListedEntity } from '../listed-entity.ts';

export type SourceFault =
  | 'unreadable'
  | 'missing'
  | 'unexpected'
  | 'too_many_entries'
  | 'too_many_names'
  | 'too_much_text'
  | 'too_large'
  | 'not_screenable';

/**
 * A file that is not what it is declared to be. It is rejected as a whole, because half a list looks like a complete
 * one.
 */
export class SourceFileError extends Error {
  override readonly name = 'SourceFileError';
  /** Role of the file in its list. */
  readonly role: string;
  readonly code: SourceFault;

  constructor(message: string, role = 'main', code: SourceFault = 'unreadable') {
    super(message);
    this.role = role;
    this.code = code;
  }
}

/** Adds the role of a file other than the main one to its errors. */
export async function inFile<T>(role: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw error instanceof SourceFileError ? new SourceFileError(error.message, role, error.code) : error;
  });
}

export type Bytes = AsyncIterable<Uint8Array>;

/** An unusable name that is omitted from its entry, which keeps its other names. */
export interface QuarantinedName {
  /** Key of the entry on the list. */
  readonly entityId: string;
  /** Position of the entry in its file. */
  readonly record: string;
  readonly reason: 'damaged' | 'too_long' | 'too_many';
  /** Beginning of the name in the file. */
  readonly name: string;
}

/** Metadata of a file, completed while it is read. */
export interface SourceFacts {
  /** Day of publication. */
  publishedAt?: string;
  /** Day in the name of the file or of the one in its archive, if the format has no field for a day. */
  namedOn?: string;
  quarantined?: QuarantinedName[];
}

/**
 * Returns the day in a publisher's file name, such as `20261124_CEIS.csv`, or the first of a month, such as
 * `202611_PEP.csv`.
 */
export function dayInName(name: string): string | undefined {
  const [, year, month, day = '01'] = /(?<!\d)(20\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])?(?!\d)/.exec(name) ?? [];
  const date = `${year}-${month}-${day}`;
  return year === undefined || Number.isNaN(Date.parse(date)) || !new Date(date).toISOString().startsWith(date)
    ? undefined
    : date;
}

/** Reads the entities of a file one after the other. A list of several files names the others: `alt`, `comments`. */
export type SourceReader = (
  file: Bytes,
  facts: SourceFacts,
  others: Readonly<Record<string, Bytes>>,
) => AsyncGenerator<ListedEntity>;

export const NOTHING_KNOWN = {
  category: null,
  birthDates: [],
  gender: null,
  countries: [],
  identifiers: [],
  programmes: [],
  position: null,
  references: [],
  sourceUrl: null,
  remarks: null,
} as const satisfies Partial<ListedEntity>;
