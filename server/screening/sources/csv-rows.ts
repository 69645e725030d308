/**
 * Reads rows of CSV files of several dialects. Used by the CSV readers. Rows with missing columns are errors, because
 * guessing would shift data.
 */
import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { type Encoding, textOf } from './file-text.ts';
import { type Bytes, SourceFileError } from './source-file.ts';

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
