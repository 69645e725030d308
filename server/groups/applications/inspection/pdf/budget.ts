import { corrupt } from '../refusal.ts';

/** Bounds the work that one file may cause, however its objects overlap and however densely they are packed. */
export interface Budget {
  /** Bytes. */
  readable: number;
  /** Bytes. */
  unpackable: number;
  values: number;
}

/** Honest files are read about once. */
const READINGS = 4;
const SLACK = 1024 * 1024;
const MAX_UNPACKED = 32 * 1024 * 1024;
/** Pages are drawn by streams, which are not read: thirty pages, however richly tagged, need far fewer values outside of them. */
const MAX_VALUES = 500_000;

export function budgetFor(bytes: number): Budget {
  return { readable: READINGS * bytes + SLACK, unpackable: MAX_UNPACKED, values: MAX_VALUES };
}

/** One value has been read, or looked at, over so many bytes. */
export function spend(budget: Budget, bytes: number): void {
  budget.readable -= bytes;
  if (budget.readable < 0) throw corrupt('The PDF has overlapping objects.');
  if (--budget.values < 0) throw corrupt('The PDF has too many objects.');
}

/** What was unpacked may be read in turn. */
export function unpack(budget: Budget, bytes: number): void {
  budget.unpackable -= bytes;
  budget.readable += READINGS * bytes;
}
