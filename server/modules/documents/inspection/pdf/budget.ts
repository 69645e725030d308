/**
 * Bounds the work that one PDF can cause, because a small file can describe an enormous amount of data through
 * overlapping objects or compression. Used by all files of this folder. Whoever unpacks or parses without charging it
 * can be made to work without end.
 */
import { corrupt } from '../checks.ts';

/** Remaining budget of the inspection of one file. */
export interface Budget {
  /** Bytes of the file that may be read. */
  readable: number;
  /** Bytes to which object streams may unpack. */
  unpackable: number;
  /** Bytes to which all other compressed streams may unpack. */
  measurable: number;
  values: number;
}

/** Number of times that the bytes of a file may be read. Ordinary files are read about once. */
const READINGS = 4;
const SLACK = 1024 * 1024;
const MAX_UNPACKED = 32 * 1024 * 1024;
/**
 * Limit of `measurable`. Thirty pages of A4, scanned in colour at 300 dots per inch, unpack to three quarters of it.
 */
const MAX_MEASURED = 1024 * 1024 * 1024;
/**
 * Highest number of values outside of streams. The content of pages is in streams, which are not parsed, so thirty
 * pages need far fewer values, even in a tagged PDF.
 */
const MAX_VALUES = 500_000;

export function budgetFor(bytes: number): Budget {
  return {
    readable: READINGS * bytes + SLACK,
    unpackable: MAX_UNPACKED,
    measurable: MAX_MEASURED,
    values: MAX_VALUES,
  };
}

/** Counts one value and its bytes. */
export function spend(budget: Budget, bytes: number): void {
  consume(budget, bytes);
  if (--budget.values < 0) throw corrupt('The PDF has too many objects.');
}

/** Counts bytes of the file that were read. */
export function consume(budget: Budget, bytes: number): void {
  budget.readable -= bytes;
  if (budget.readable < 0) throw corrupt('The PDF has overlapping objects.');
}

/** Counts the unpacked bytes of an object stream and allows them to be read. */
export function unpack(budget: Budget, bytes: number): void {
  budget.unpackable -= bytes;
  budget.readable += READINGS * bytes;
}

/** Counts bytes that a PDF reader would unpack. */
export function measure(budget: Budget, bytes: number): void {
  budget.measurable -= bytes;
  if (budget.measurable < 0) throw corrupt('The PDF unpacks to more than thirty pages can need.');
}
