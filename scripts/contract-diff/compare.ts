import type { Contract } from '../contract/contract.ts';
import { readContract } from '../contract/read.ts';
import { IMPACTS } from './change.ts';
import type { Change } from './change.ts';
import { withReach } from './reach.ts';
import { redoclyChanges, redoclyReport } from './redocly.ts';
import { rules } from './rules/index.ts';

/** All changes between two contracts, the weightiest first, each once. */
export async function compare(root: string, files: { readonly base: string; readonly revision: string }): Promise<Change[]> {
  return weigh(readContract(files.base), readContract(files.revision), await redoclyReport(root, files));
}

/** `report` is what `redocly diff` said about the two. */
export function weigh(base: Contract, revision: Contract, report: string, today = new Date().toISOString().slice(0, 10)): Change[] {
  const house = Object.entries(rules).flatMap(([rule, check]) => check(base, revision, today).map((change) => ({ ...change, rule })));
  const all = [...house, ...redoclyChanges(report, base, revision)];
  const unique = new Map(all.map((change) => [`${change.rule} ${change.place} ${change.message}`, change]));
  return withReach([...unique.values()], base, revision).sort((a, b) => IMPACTS.indexOf(b.impact) - IMPACTS.indexOf(a.impact));
}
