import type { Contract } from '../../contract/contract.ts';
import type { Verdict } from '../../contract/member.ts';
import { verdictOf } from '../change.ts';
import type { Change } from '../change.ts';
import { weigh } from '../compare.ts';
import { changedPart } from '../reach.ts';
import type { Edit, Mutation } from './kit.ts';
import { WarmRedocly } from './warm-redocly.ts';

export interface Trial { readonly mutation: Mutation; readonly where: string; readonly given: Verdict; readonly changes: readonly Change[] }

/** How many places of each kind, chosen by which seed; whether Redocly reads the whole contract each time or what changed of it. */
interface Extent { readonly places: number; readonly seed: number; readonly whole: boolean }

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

const VERDICTS: readonly Verdict[] = ['breaking', 'non-breaking', 'docs-only'];

/** Expected against given: what stands off the diagonal is a miss or a false alarm. */
export function confusionTable(trials: readonly Trial[]): string {
  const count = (expected: Verdict, given: Verdict) => trials.filter((trial) => trial.mutation.expected === expected && trial.given === given).length;
  const row = (cells: readonly (string | number)[]) => cells.map((cell, index) => (index === 0 ? String(cell).padEnd(22) : String(cell).padStart(14))).join('');
  return [row(['expected \\ given', ...VERDICTS]), ...VERDICTS.map((expected) => row([expected, ...VERDICTS.map((given) => count(expected, given))]))].join('\n');
}

/** Each trial that was called something else, with what was found. */
export function mistaken(trials: readonly Trial[]): string[] {
  return trials.filter(({ mutation, given }) => given !== mutation.expected).map(({ mutation, where, given, changes }) => (
    [`${mutation.name} at ${where}: ${mutation.expected}, but called ${given}`, ...changes.slice(0, 5).map(({ impact, rule, place, message }) => `  ${impact} ${place}: ${message} (${rule})`)].join('\n')
  ));
}
