import type { Verdict } from '../../contract/member.ts';
import type { Contract } from '../../generate/contract.ts';
import { verdictOf } from '../change.ts';
import type { Change } from '../change.ts';
import { changedPart } from '../changed-part.ts';
import { weigh } from '../compare.ts';
import { WarmRedocly } from '../warm-redocly.ts';
import type { Edit, Mutation } from './kit.ts';

export interface Trial { readonly mutation: Mutation; readonly where: string; readonly given: Verdict; readonly changes: readonly Change[] }

/** How many places of each kind, chosen by which seed; whether Redocly reads the whole contract each time or what changed of it. */
export interface Extent { readonly places: number; readonly seed: number; readonly whole: boolean }

/** Applies each kind of change at some places of the contract, chosen by the seed, and weighs what came out. */
export async function mutate(root: string, contract: Contract, mutations: readonly Mutation[], { places, seed, whole }: Extent): Promise<Trial[]> {
  const redocly = new WarmRedocly(root);
  const trials: Trial[] = [];
  const carryOut = async (mutation: Mutation, draft: Contract, { where, apply }: Edit): Promise<void> => {
    apply();
    const part = whole ? { base: contract, revision: draft } : changedPart(contract, draft);
    const changes = weigh(contract, draft, await redocly.diff(part.base, part.revision));
    trials.push({ mutation, where, given: verdictOf(changes), changes });
  };
  try {
    // Redocly compares one draft while the one before is weighed here.
    let last = Promise.resolve();
    for (const mutation of mutations) {
      for (let position = 0, count = 1; position < Math.min(places, count); position++) {
        const draft = structuredClone(contract);
        const edits = mutation.edits(draft);
        count = edits.length;
        const edit = edits[(Math.floor((position * count) / places) + seed) % count];
        if (edit === undefined) throw new Error(`nothing in the contract can be changed by: ${mutation.name}`);
        const current = carryOut(mutation, draft, edit);
        await last;
        last = current;
      }
    }
    await last;
    return trials;
  } finally {
    redocly.close();
  }
}
