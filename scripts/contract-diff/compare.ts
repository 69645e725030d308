import { readContract } from '../generate/read-contract.ts';
import type { Change } from './change.ts';
import { IMPACTS } from './change.ts';
import { redoclyChanges } from './redocly-changes.ts';
import { rules } from './rules/index.ts';

/** All changes between two contracts, the weightiest first, each once. */
export async function compare(root: string, files: { readonly base: string; readonly revision: string }): Promise<Change[]> {
  const [base, revision] = [readContract(files.base), readContract(files.revision)];
  const house = Object.entries(rules).flatMap(([rule, check]) => check(base, revision).map((change) => ({ ...change, rule })));
  const all = [...house, ...await redoclyChanges(root, files, base)];
  const unique = new Map(all.map((change) => [`${change.rule} ${change.place} ${change.message}`, change]));
  return [...unique.values()].sort((a, b) => IMPACTS.indexOf(b.impact) - IMPACTS.indexOf(a.impact));
}
