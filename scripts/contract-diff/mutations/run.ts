import type { Contract } from '../../generate/contract.ts';
import { verdictOf } from '../change.ts';
import type { Change, Verdict } from '../change.ts';
import { changedPart } from '../changed-part.ts';
import { weigh } from '../compare.ts';
import { WarmRedocly } from '../warm-redocly.ts';
import type { Mutation } from './kit.ts';

export interface Trial { readonly mutation: Mutation; readonly where: string; readonly given: Verdict; readonly changes: readonly Change[] }

/** How many places of each kind, chosen by which seed; whether Redocly reads the whole contract each time or what changed of it. */
export interface Extent { readonly places: number; readonly seed: number; readonly whole: boolean }

/** Applies each kind of change at some places of the contract, chosen by the seed, and weighs what came out. */
export async function mutate(root: string, contract: Contract, mutations: readonly Mutation[], { places, seed, whole }: Extent): Promise<Trial[]> {
  const redocly = new WarmRedocly(root);
  try {
    const trials: Trial[] = [];
    for (const mutation of mutations) {
      const count = mutation.edits(structuredClone(contract)).length;
      if (count === 0) throw new Error(`nothing in the contract can be changed by: ${mutation.name}`);
      for (const index of chosen(count, Math.min(places, count), seed)) {
        const draft = structuredClone(contract);
        const edit = mutation.edits(draft)[index];
        edit?.apply();
        const part = whole ? { base: contract, revision: draft } : changedPart(contract, draft);
        const changes = weigh(contract, draft, await redocly.diff(part.base, part.revision));
        trials.push({ mutation, where: edit?.where ?? '', given: verdictOf(changes), changes });
      }
    }
    return trials;
  } finally {
    redocly.close();
  }
}

/** `wanted` different indexes below `count`, spread over all of them. */
function chosen(count: number, wanted: number, seed: number): number[] {
  return Array.from({ length: wanted }, (_, position) => (Math.floor((position * count) / wanted) + seed) % count);
}
