import { isAscii } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { recordBounds } from '../../contract/generated/record-bounds.ts';
import type { ListedEntity, ListedName } from '../listed-entity.ts';

export type SourceFault = 'unreadable' | 'missing' | 'unexpected' | 'too_many_entries' | 'too_many_names' | 'too_much_text' | 'too_large' | 'not_screenable';

/** A file that cannot be taken for what it is said to be. Nothing of it is used, because half a list looks like a whole one. */
export class SourceFileError extends Error {
  override readonly name = 'SourceFileError';
  /** Which of the files of a list it is. */
  readonly role: string;
  readonly code: SourceFault;

  constructor(message: string, role = 'main', code: SourceFault = 'unreadable') {
    super(message);
    this.role = role;
    this.code = code;
  }
}

/** What a file besides the main one was read for. */
export async function inFile<T>(role: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw error instanceof SourceFileError ? new SourceFileError(error.message, role, error.code) : error;
  });
}

export type Bytes = AsyncIterable<Uint8Array>;

/** A name that cannot be used and is left out of its entry, which keeps its other names. */
export interface QuarantinedName {
  /** What the list calls the entry. */
  readonly entityId: string;
  /** Where the entry stands in its file. */
  readonly record: string;
  readonly reason: 'damaged' | 'too_long' | 'too_many';
  /** The beginning of what the file says. */
  readonly name: string;
}

/** What a file says of itself beside its entities; filled in while it is read. */
export interface SourceFacts {
  /** The day on which it was published. */
  publishedAt?: string;
  /** The day in the name of the file or of the one in its archive, where the format has no place for a day. */
  namedOn?: string;
  quarantined?: QuarantinedName[];
}

/** The day that publishers write into the names of files, `20261124_CEIS.csv`, or the first of a month, `202611_PEP.csv`. */
export function dayInName(name: string): string | undefined {
  const [, year, month, day = '01'] = /(?<!\d)(20\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])?(?!\d)/.exec(name) ?? [];
  const date = `${year}-${month}-${day}`;
  return year === undefined || Number.isNaN(Date.parse(date)) || !new Date(date).toISOString().startsWith(date) ? undefined : date;
}

/** Reads the entities of a file one after the other. A list that comes in several files names the others: `alt`, `comments`. */
export type SourceReader = (file: Bytes, facts: SourceFacts, others: Readonly<Record<string, Bytes>>) => AsyncGenerator<ListedEntity>;

/**
 * `utf-8` reads a damaged character as U+FFFD, so that what it stands in can be left out; `strict-utf-8` refuses it, where whoever sends the file can mend it. `either` is for a publisher
 * who changed from Windows-1252 to UTF-8.
 */
export type Encoding = 'utf-8' | 'strict-utf-8' | 'windows-1252' | 'either';

/** The text of a file, piece by piece. */
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

/** Enough of a file to tell how it is encoded, from its first byte on that is not of ASCII. */
const SAMPLE_BYTES = 64 * 1024;

/** Sequences of several bytes that are valid in UTF-8 are hardly ever anything else. */
function encodingOf(held: readonly Uint8Array[]): Encoding {
  const several = new TextDecoder().decode(Buffer.concat(held), { stream: true }).match(NOT_ASCII) ?? [];
  return several.filter((sign) => sign === DAMAGED).length > several.length / 2 ? 'windows-1252' : 'utf-8';
}

const NOT_ASCII = /[^\u0000-\u007F]/g;
const DAMAGED = '\uFFFD';
/** Characters that no XML parser takes, in place of which U+FFFD is read. The one by which DOS marked the end of a file may end a piece. */
const NO_TEXT = /[\u0000-\u0008\u000B\u000C\u000E-\u0019\u001B-\u001F\uFFFE\uFFFF]|\u001A(?!\s*$)/g;
/** So many damaged characters may be an accident. */
const MOST_ACCIDENTS = 32;

function decoderOf(encoding: Encoding): (piece?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding === 'windows-1252' ? encoding : 'utf-8', { fatal: encoding === 'strict-utf-8' });
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
    // A few damaged characters are left out with what they stand in; more of them than whole ones tell of another encoding.
    if (damaged > Math.max(MOST_ACCIDENTS, whole)) throw new SourceFileError('the file is not encoded in UTF-8');
    return text;
  };
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
  /** Told of each line that is skipped. */
  readonly onSkipped?: (record: readonly string[]) => void;
}

export interface CsvRow {
  readonly line: number;
  /** The trimmed text of a column, empty when there is none. */
  readonly get: (column: string | number) => string;
}

/** No row of a list has more characters: one that has begins with a quote that nothing ends. */
const LONGEST_ROW = 1024 * 1024;

/** The rows of a CSV file (RFC 4180); a row with too few or too many columns is an error, not a guess. */
export async function* csvRows(file: Bytes, { encoding, delimiter, skip = 0, columns, columnName = (written) => written.trim(), onSkipped = () => {} }: CsvFormat): AsyncGenerator<CsvRow> {
  const parser = parse({ delimiter, bom: true, info: true, relax_quotes: encoding === 'windows-1252' || encoding === 'either', relax_column_count: skip > 0, skip_empty_lines: true, max_record_size: LONGEST_ROW });
  // What goes wrong with the bytes ends the parser with the same error, which whoever reads the rows receives.
  pipeline(Readable.from(withoutEndOfFile(textOf(file, encoding))), parser, () => {});
  const rows = parser as AsyncIterable<{ record: string[]; info: { lines: number } }>;
  let header: Map<string, number> | null = null;
  let toSkip = skip;
  try {
    for await (const { record, info: { lines: line } } of rows) {
      if (toSkip-- > 0) {
        onSkipped(record);
        continue;
      }
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
const DAMAGE = /[\uFFFD\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|[ÂÃÅÐÑØÙ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰‹•–—˜™›]/u;

/** Signs of Windows-1252 that a publisher left unconverted in a file of UTF-8, as some do with apostrophes. */
const unconverted = new TextDecoder('windows-1252');
const converted = (text: string): string => text.replace(/[\u0080-\u009F]/g, (sign) => unconverted.decode(Uint8Array.of(sign.charCodeAt(0))));

export type RawName = readonly [text: string, kind: ListedName['kind'], quality?: ListedName['quality']];

/** What is in an entry, as its format calls it, and where it stands. */
interface RecordPlace {
  readonly key: string;
  readonly where: string;
}

const longestName = (): number => recordBounds.HitEntity.name.length;
/** The name that is shown, and the other names. */
const mostNames = (): number => 1 + recordBounds.HitEntity.aliases.items;

/**
 * The names of an entry as they are compared and shown, each once, what is shown first. A name that is damaged, or that no answer could show, is left out and told, so that it keeps neither its entry nor the rest
 * of the list from being searched. An entry without any name cannot be read.
 */
export function namesOf(raw: readonly RawName[], { key, where }: RecordPlace, facts: SourceFacts): ListedName[] {
  const quarantined: QuarantinedName[] = [];
  const { entityId, record, name: shownName } = recordBounds.QuarantinedName;
  const leaveOut = (reason: QuarantinedName['reason'], name: string): void => void quarantined.push({ entityId: told(key, entityId.length), record: told(where, record.length), reason, name: told(name, shownName.length) });
  const found = new Map<string, ListedName>();
  for (const [text, kind, quality = 'strong'] of raw) {
    const name = text.replace(/\s+/g, ' ').trim();
    if (name === '') continue;
    if (DAMAGE.test(name)) leaveOut('damaged', name);
    else if (name.length > longestName()) leaveOut('too_long', name);
    else {
      const shown = converted(name);
      const before = found.get(shown);
      // Of a name that is there twice the strong one counts.
      if (before === undefined) found.set(shown, { name: shown, kind, quality });
      else if (before.quality !== 'strong') found.set(shown, { name: shown, kind: before.kind, quality });
    }
  }
  if (found.size === 0) throw new SourceFileError(quarantined.length === 0 ? `${where} has no name` : `${where}: ${quarantineSaid(quarantined[0]!)}, and the entry has no other name`);
  const names = [...found.values()];
  for (const { name } of names.splice(mostNames())) leaveOut('too_many', name);
  if (quarantined.length > 0) facts.quarantined = [...facts.quarantined ?? [], ...quarantined];
  return names;
}

const SAID: Readonly<Record<QuarantinedName['reason'], () => string>> = {
  damaged: () => 'a name has signs that no name has, so the file was damaged',
  too_long: () => `a name has more than ${longestName()} characters`,
  too_many: () => `there are more than ${mostNames()} names`,
};

/** Why a name cannot be used, in words. */
export const quarantineSaid = ({ reason }: Pick<QuarantinedName, 'reason'>): string => SAID[reason]();

export const UNSTORABLE = /[\u0000\uD800-\uDFFF]/gu;

export const NOTHING_KNOWN = {
  category: null, birthDates: [], gender: null, countries: [], identifiers: [], programmes: [], position: null, references: [], sourceUrl: null, remarks: null,
} as const satisfies Partial<ListedEntity>;

/** The beginning of what a file says, without what no text has. */
const told = (text: string, length: number): string => text.slice(0, length).replace(NO_TEXT, DAMAGED).replace(UNSTORABLE, DAMAGED);

/** An identifier without what people write between its signs; nothing of one that is damaged, because it would be another one without the damaged sign. */
export const identifierValue = (text: string): string => (text.includes(DAMAGED) ? '' : text.toUpperCase().replace(/[^A-Z0-9*]/g, ''));
