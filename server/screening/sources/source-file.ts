import { isAscii } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { recordBounds } from '../../contract/generated/record-bounds.ts';
import type { ListedEntity, ListedName } from '../listed-entity.ts';

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

/**
 * Encoding of a file. `utf-8` reads a damaged character as U+FFFD, so that its field can be omitted; `strict-utf-8`
 * rejects it, if the sender of the file can correct it. `either` is for a publisher that changed from Windows-1252 to
 * UTF-8.
 */
export type Encoding = 'utf-8' | 'strict-utf-8' | 'windows-1252' | 'either';

/** Returns the text of a file, piece by piece. */
export async function* textOf(file: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let decoder = encoding === 'either' ? null : decoderOf(encoding);
  let held: Uint8Array[] = [];
  let isEmpty = true;
  for await (const piece of file) {
    isEmpty &&= piece.length === 0;
    if (decoder !== null) yield decoder(piece);
    else if (held.length === 0 && isAscii(piece)) yield Buffer.from(piece).toString('latin1');
    else if (held.push(piece) && held.reduce((sum, { length }) => sum + length, 0) >= SAMPLE_BYTES) {
      yield (decoder = decoderOf(encodingOf(held)))(Buffer.concat(held));
      held = [];
    }
  }
  if (isEmpty) throw new SourceFileError('the file is empty');
  if (held.length > 0) yield (decoder = decoderOf(encodingOf(held)))(Buffer.concat(held));
  if (decoder !== null) yield decoder();
}

/** Sample size for detecting the encoding, counted from the first byte that is not ASCII. */
const SAMPLE_BYTES = 64 * 1024;

/** Detects the encoding. Multi-byte sequences that are valid in UTF-8 are hardly ever anything else. */
function encodingOf(held: readonly Uint8Array[]): Encoding {
  const several = new TextDecoder().decode(Buffer.concat(held), { stream: true }).match(NOT_ASCII) ?? [];
  return several.filter((sign) => sign === DAMAGED).length > several.length / 2 ? 'windows-1252' : 'utf-8';
}

const NOT_ASCII = /[^\u0000-\u007F]/g;
const DAMAGED = '\uFFFD';
/**
 * Characters that no XML parser accepts and that are read as U+FFFD. U+001A, the end-of-file mark of DOS, may end a
 * piece.
 */
const NO_TEXT = /[\u0000-\u0008\u000B\u000C\u000E-\u0019\u001B-\u001F\uFFFE\uFFFF]|\u001A(?!\s*$)/g;
/** Number of damaged characters that may be an accident. */
const MOST_ACCIDENTS = 32;

function decoderOf(encoding: Encoding): (piece?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding === 'windows-1252' ? encoding : 'utf-8', {
    fatal: encoding === 'strict-utf-8',
  });
  let [damaged, whole] = [0, 0];
  return (piece) => {
    let text: string;
    try {
      text = piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new SourceFileError('the file is not encoded in UTF-8');
    }
    if (encoding !== 'utf-8') return text;
    text = text.replace(NO_TEXT, DAMAGED);
    for (const sign of text.match(NOT_ASCII) ?? []) {
      if (sign === DAMAGED) damaged++;
      else whole++;
    }
    // A few damaged characters are omitted with their fields. More damaged than valid ones mean another encoding.
    if (damaged > Math.max(MOST_ACCIDENTS, whole)) throw new SourceFileError('the file is not encoded in UTF-8');
    return text;
  };
}

export interface CsvFormat {
  readonly encoding: Encoding;
  readonly delimiter: ',' | ';';
  /** Number of lines before the first relevant one. */
  readonly skip?: number;
  /** Required columns, by the names in the header line, or their number in a file without a header line. */
  readonly columns: readonly string[] | number;
  /** Translates a column name of the header line to that of the format. */
  readonly columnName?: (written: string) => string;
  /** Receives each skipped line. */
  readonly onSkipped?: (record: readonly string[]) => void;
}

export interface CsvRow {
  readonly line: number;
  /** Returns the trimmed text of a column, empty if absent. */
  readonly get: (column: string | number) => string;
}

/** Longest row. A longer one begins with a quote that is never closed. */
const LONGEST_ROW = 1024 * 1024;

/** Reads the rows of a CSV file (RFC 4180). A row with too few or too many columns is an error, not a guess. */
export async function* csvRows(
  file: Bytes,
  { encoding, delimiter, skip = 0, columns, columnName = (written) => written.trim(), onSkipped = () => {} }: CsvFormat,
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_quotes: encoding === 'windows-1252' || encoding === 'either',
    relax_column_count: skip > 0,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  });
  // An error in the bytes ends the parser with the same error, which the reader of the rows receives.
  pipeline(Readable.from(withoutEndOfFile(textOf(file, encoding))), parser, () => {});
  const rows = parser as AsyncIterable<{ record: string[]; info: { lines: number } }>;
  let header: Map<string, number> | null = null;
  let toSkip = skip;
  try {
    for await (const {
      record,
      info: { lines: line },
    } of rows) {
      if (toSkip-- > 0) {
        onSkipped(record);
        continue;
      }
      if (typeof columns === 'number') {
        if (record.length !== columns)
          throw new SourceFileError(`line ${line} has ${record.length} columns instead of ${columns}`);
      } else if (header === null) {
        header = new Map(record.map((name, index) => [columnName(name), index]));
        const missing = columns.filter((name) => !header!.has(name));
        if (missing.length > 0)
          throw new SourceFileError(`line ${line} should name the columns, and lacks: ${missing.join(', ')}`);
        continue;
      }
      yield {
        line,
        get: (column) => record[typeof column === 'number' ? column : (header?.get(column) ?? -1)]?.trim() ?? '',
      };
    }
  } catch (error) {
    throw error instanceof CsvError ? new SourceFileError(error.message) : error;
  }
}

/** Removes the end-of-file mark of DOS that some files have. */
async function* withoutEndOfFile(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) yield piece.replaceAll('\u001a', '');
}

/**
 * Characters that no name has: the replacement of undecodable bytes, control characters, and UTF-8 that was read as
 * Windows-1252. They show that the file was damaged in transit.
 */
const DAMAGE = /[\uFFFD\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|[ÂÃÅÐÑØÙ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰‹•–—˜™›]/u;

/** Converts Windows-1252 signs that a publisher left in a UTF-8 file, as some do with apostrophes. */
const unconverted = new TextDecoder('windows-1252');
const converted = (text: string): string =>
  text.replace(/[\u0080-\u009F]/g, (sign) => unconverted.decode(Uint8Array.of(sign.charCodeAt(0))));

export type RawName = readonly [text: string, kind: ListedName['kind'], quality?: ListedName['quality']];

/** Key of an entry in its format, and its position in the file. */
interface RecordPlace {
  readonly key: string;
  readonly where: string;
}

const longestName = (): number => recordBounds.HitEntity.name.length;
/** Number of names that an answer can show: the first name and its aliases. */
const mostNames = (): number => 1 + recordBounds.HitEntity.aliases.items;

/**
 * Returns the distinct names of an entry as they are compared and shown, the shown one first. A name that is damaged,
 * or too long or too many for an answer, is omitted and reported, so that the entry and the rest of the list can still
 * be searched. An entry without any name is an error.
 */
export function namesOf(raw: readonly RawName[], { key, where }: RecordPlace, facts: SourceFacts): ListedName[] {
  const quarantined: QuarantinedName[] = [];
  const { entityId, record, name: shownName } = recordBounds.QuarantinedName;
  const leaveOut = (reason: QuarantinedName['reason'], name: string): void =>
    void quarantined.push({
      entityId: beginningOf(key, entityId.length),
      record: beginningOf(where, record.length),
      reason,
      name: beginningOf(name, shownName.length),
    });
  const found = new Map<string, ListedName>();
  for (const [text, kind, quality = 'strong'] of raw) {
    const name = text.replace(/\s+/g, ' ').trim();
    if (name === '') continue;
    if (DAMAGE.test(name)) leaveOut('damaged', name);
    else if (name.length > longestName()) leaveOut('too_long', name);
    else {
      const shown = converted(name);
      const before = found.get(shown);
      // If a name occurs twice, the strong one counts.
      if (before === undefined) found.set(shown, { name: shown, kind, quality });
      else if (before.quality !== 'strong') found.set(shown, { name: shown, kind: before.kind, quality });
    }
  }
  if (found.size === 0)
    throw new SourceFileError(
      quarantined.length === 0
        ? `${where} has no name`
        : `${where}: ${quarantineSaid(quarantined[0]!)}, and the entry has no other name`,
    );
  const names = [...found.values()];
  for (const { name } of names.splice(mostNames())) leaveOut('too_many', name);
  if (quarantined.length > 0) facts.quarantined = [...(facts.quarantined ?? []), ...quarantined];
  return names;
}

const SAID: Readonly<Record<QuarantinedName['reason'], () => string>> = {
  damaged: () => 'a name has signs that no name has, so the file was damaged',
  too_long: () => `a name has more than ${longestName()} characters`,
  too_many: () => `there are more than ${mostNames()} names`,
};

/** Returns the reason for a quarantine in words. */
export const quarantineSaid = ({ reason }: Pick<QuarantinedName, 'reason'>): string => SAID[reason]();

export const UNSTORABLE = /[\u0000\uD800-\uDFFF]/gu;

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

/** Returns the beginning of a text of the file, with invalid characters replaced. */
const beginningOf = (text: string, length: number): string =>
  text.slice(0, length).replace(NO_TEXT, DAMAGED).replace(UNSTORABLE, DAMAGED);

/**
 * Returns an identifier without separators. A damaged one becomes empty, because without the damaged sign it would be
 * another one.
 */
export const identifierValue = (text: string): string =>
  text.includes(DAMAGED) ? '' : text.toUpperCase().replace(/[^A-Z0-9*]/g, '');
