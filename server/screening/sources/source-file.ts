import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import type { ListedEntity, ListedName } from '../listed-entity.ts';

/** A file that cannot be taken for what it is said to be. Nothing of it is used, because half a list looks like a whole one. */
export class SourceFileError extends Error {
  override readonly name = 'SourceFileError';
  /** Which of the files of a list it is. */
  readonly role: string;

  constructor(message: string, role = 'main') {
    super(message);
    this.role = role;
  }
}

/** A name that could be compared with nobody, in a list whose owner can correct it. */
export class NameNotScreenable extends SourceFileError {}

/** What a file besides the main one was read for. */
export async function inFile<T>(role: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw error instanceof SourceFileError ? new SourceFileError(error.message, role) : error;
  });
}

export type Bytes = AsyncIterable<Uint8Array>;

/** What a file says of itself beside its entities; filled in while it is read. */
export interface SourceFacts {
  publishedAt?: string;
}

/** Reads the entities of a file one after the other. A list that comes in several files names the others: `alt`, `comments`. */
export type SourceReader = (file: Bytes, facts: SourceFacts, others: Readonly<Record<string, Bytes>>) => AsyncGenerator<ListedEntity>;

/** `either`: a publisher who changed from one to the other. */
export type Encoding = 'utf-8' | 'windows-1252' | 'either';

/** The text of a file, piece by piece. Bytes that are no UTF-8 are refused; every byte is a letter of Windows-1252. */
export async function* textOf(file: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let decoder = new TextDecoder(encoding === 'either' ? 'utf-8' : encoding, { fatal: true });
  let isEmpty = true;
  let mayChange = encoding === 'either';
  const decode = (bytes?: Uint8Array): string => {
    try {
      const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
      // eslint-disable-next-line no-control-regex
      if (/[^\u0000-\u007F]/.test(text)) mayChange = false;
      return text;
    } catch {
      if (!mayChange || bytes === undefined) throw new SourceFileError('the file is not encoded in UTF-8');
      mayChange = false;
      decoder = new TextDecoder('windows-1252');
      return decoder.decode(bytes, { stream: true });
    }
  };
  for await (const bytes of file) {
    isEmpty &&= bytes.length === 0;
    yield decode(bytes);
  }
  if (isEmpty) throw new SourceFileError('the file is empty');
  yield decode();
}

export interface CsvFormat {
  readonly encoding: Encoding;
  readonly delimiter: ',' | ';';
  /** Lines before the first one that counts. */
  readonly skip?: number;
  /** The columns that must be there, by the names of the header line; rows of a file without a header line are numbered. */
  readonly columns: readonly string[] | number;
  /** How the header line writes a column that the format knows by another name. */
  readonly columnName?: (written: string) => string;
}

export interface CsvRow {
  readonly line: number;
  /** The trimmed text of a column, empty when there is none. */
  readonly get: (column: string | number) => string;
}

/** No row of a list has more characters: one that has begins with a quote that nothing ends. */
const LONGEST_ROW = 1024 * 1024;

/** The rows of a CSV file (RFC 4180); a row with too few or too many columns is an error, not a guess. */
export async function* csvRows(file: Bytes, { encoding, delimiter, skip = 0, columns, columnName = (written) => written.trim() }: CsvFormat): AsyncGenerator<CsvRow> {
  const parser = parse({ delimiter, bom: true, info: true, relax_quotes: encoding !== 'utf-8', relax_column_count: skip > 0, skip_empty_lines: true, max_record_size: LONGEST_ROW });
  // What goes wrong with the bytes ends the parser with the same error, which whoever reads the rows receives.
  pipeline(Readable.from(withoutEndOfFile(textOf(file, encoding))), parser, () => {});
  const rows = parser as AsyncIterable<{ record: string[]; info: { lines: number } }>;
  let header: Map<string, number> | null = null;
  let toSkip = skip;
  try {
    for await (const { record, info: { lines: line } } of rows) {
      if (toSkip-- > 0) continue;
      if (typeof columns === 'number') {
        if (record.length !== columns) throw new SourceFileError(`line ${line} has ${record.length} columns instead of ${columns}`);
      } else if (header === null) {
        header = new Map(record.map((name, index) => [columnName(name), index]));
        const missing = columns.filter((name) => !header!.has(name));
        if (missing.length > 0) throw new SourceFileError(`line ${line} should name the columns, and lacks: ${missing.join(', ')}`);
        continue;
      }
      yield { line, get: (column) => record[typeof column === 'number' ? column : header?.get(column) ?? -1]?.trim() ?? '' };
    }
  } catch (error) {
    throw error instanceof CsvError ? new SourceFileError(error.message) : error;
  }
}

/** Some files end with the sign by which DOS marked the end. */
async function* withoutEndOfFile(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) yield piece.replaceAll('\u001a', '');
}

/** What no name has: what replaces undecodable bytes, control characters, and UTF-8 that was read as Windows-1252. They tell that the file was damaged on its way. */
// eslint-disable-next-line no-control-regex
const DAMAGE = /[\uFFFD\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|[ÂÃÅÐÑØÙ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰‹•–—˜™›]/u;

/** Signs of Windows-1252 that a publisher left unconverted in a file of UTF-8, as some do with apostrophes. */
const unconverted = new TextDecoder('windows-1252');
const converted = (text: string): string => text.replace(/[\u0080-\u009F]/g, (sign) => unconverted.decode(Uint8Array.of(sign.charCodeAt(0))));

/** A name as it is compared and shown; null for nothing. */
export function nameOf(text: string, kind: ListedName['kind'], quality: ListedName['quality'], where: string): ListedName | null {
  const name = text.replace(/\s+/g, ' ').trim();
  if (name === '') return null;
  if (DAMAGE.test(name)) throw new SourceFileError(`${where}: a name has signs that no name has, so the file was damaged`);
  return { name: converted(name), kind, quality };
}

/** Each name once, the strong before the weak, what is shown first. */
export function distinctNames(names: readonly (ListedName | null)[]): ListedName[] {
  const found = new Map<string, ListedName>();
  for (const name of names) {
    if (name !== null && found.get(name.name)?.quality !== 'strong') found.set(name.name, found.has(name.name) ? { ...name, kind: found.get(name.name)!.kind } : name);
  }
  return [...found.values()];
}

export const NOTHING_KNOWN = {
  category: null, birthDates: [], gender: null, countries: [], identifiers: [], programmes: [], position: null, references: [], sourceUrl: null, remarks: null,
} as const satisfies Partial<ListedEntity>;

/** An identifier without what people write between its signs. */
export const identifierValue = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9*]/g, '');
