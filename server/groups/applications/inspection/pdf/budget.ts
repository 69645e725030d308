import { corrupt } from '../refusal.ts';

/** Bounds the work that one file may cause, however its objects overlap and however densely they are packed. */
export interface Budget {
  readable: number;
  unpackable: number;
}

/** Honest files are read about once. */
const READINGS = 4;
const SLACK = 1024 * 1024;
const MAX_UNPACKED = 32 * 1024 * 1024;

export function budgetFor(bytes: number): Budget {
  return { readable: READINGS * bytes + SLACK, unpackable: MAX_UNPACKED };
}

export function spend(budget: Budget, bytes: number): void {
  budget.readable -= bytes;
  if (budget.readable < 0) throw corrupt('The PDF has overlapping objects.');
}

/** What was unpacked may be read in turn. */
export function unpack(budget: Budget, bytes: number): void {
  budget.unpackable -= bytes;
  budget.readable += READINGS * bytes;
}
