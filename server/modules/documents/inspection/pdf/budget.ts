/**
 * This file bounds the work that one PDF can cause: a small file can describe an enormous amount of data, by overlapping objects or by
 * compression.
 */
import { corrupt } from '../checks.ts';

/** What the inspection of one file may still consume. */
export interface Budget {
  /** Bytes of the file that may be read. */
  readable: number;
  /** Bytes to which object streams may unpack. */
  unpackable: number;
  /** Bytes to which all other compressed streams may unpack. */
  measurable: number;
  values: number;
}

/** Ordinary files are read about once. */
const READINGS = 4;
const SLACK = 1024 * 1024;
const MAX_UNPACKED = 32 * 1024 * 1024;
/** Thirty pages of A4, scanned in colour at 300 dots per inch, unpack to three quarters of this. */
const MAX_MEASURED = 1024 * 1024 * 1024;
/** The content of pages is in streams, which are not parsed. Thirty pages need far fewer values outside of streams, also when tagged. */
const MAX_VALUES = 500_000;

export function budgetFor(bytes: number): Budget {
  return { readable: READINGS * bytes + SLACK, unpackable: MAX_UNPACKED, measurable: MAX_MEASURED, values: MAX_VALUES };
}

/** Counts one value of so many bytes. */
export function spend(budget: Budget, bytes: number): void {
  consume(budget, bytes);
  if (--budget.values < 0) throw corrupt('The PDF has too many objects.');
}

/** Counts bytes of the file that were read. */
export function consume(budget: Budget, bytes: number): void {
  budget.readable -= bytes;
  if (budget.readable < 0) throw corrupt('The PDF has overlapping objects.');
}

/** Counts unpacked bytes of an object stream, which may then be read in turn. */
export function unpack(budget: Budget, bytes: number): void {
  budget.unpackable -= bytes;
  budget.readable += READINGS * bytes;
}

/** Counts bytes that a PDF reader would unpack. */
export function measure(budget: Budget, bytes: number): void {
  budget.measurable -= bytes;
  if (budget.measurable < 0) throw corrupt('The PDF unpacks to more than thirty pages can need.');
}
