import { corrupt } from '../checks.ts';

/** Bounds the work that one file may cause, here and for its readers, however its objects overlap and however densely they are packed. */
export interface Budget {
  /** Bytes. */
  readable: number;
  /** Bytes of objects that are packed. */
  unpackable: number;
  /** Bytes of everything else that is packed. */
  measurable: number;
  values: number;
}

/** Honest files are read about once. */
const READINGS = 4;
const SLACK = 1024 * 1024;
const MAX_UNPACKED = 32 * 1024 * 1024;
/** Thirty pages of A4, scanned in colour at 300 dots per inch, unpack to three quarters of this. */
const MAX_MEASURED = 1024 * 1024 * 1024;
/** Pages are drawn by streams, which are not read: thirty pages, however richly tagged, need far fewer values outside of them. */
const MAX_VALUES = 500_000;

export function budgetFor(bytes: number): Budget {
  return { readable: READINGS * bytes + SLACK, unpackable: MAX_UNPACKED, measurable: MAX_MEASURED, values: MAX_VALUES };
}

/** One value has been read, or looked at, over so many bytes. */
export function spend(budget: Budget, bytes: number): void {
  consume(budget, bytes);
  if (--budget.values < 0) throw corrupt('The PDF has too many objects.');
}

/** So many bytes of the file were looked at. */
export function consume(budget: Budget, bytes: number): void {
  budget.readable -= bytes;
  if (budget.readable < 0) throw corrupt('The PDF has overlapping objects.');
}

/** What was unpacked may be read in turn. */
export function unpack(budget: Budget, bytes: number): void {
  budget.unpackable -= bytes;
  budget.readable += READINGS * bytes;
}

/** A reader would unpack so much. */
export function measure(budget: Budget, bytes: number): void {
  budget.measurable -= bytes;
  if (budget.measurable < 0) throw corrupt('The PDF unpacks to more than thirty pages can need.');
}
