import type { Contract } from '../contract/contract.ts';
import { members } from '../contract/dialect.ts';
import { ContractError, readContract } from '../contract/read.ts';
import { lint } from '../generate/tools.ts';
import { IMPACTS } from './change.ts';
import type { Change } from './change.ts';
import { inCommonForm } from './common-form.ts';
import { withReach } from './reach.ts';
import { redoclyChanges, redoclyReport } from './redocly.ts';
import { rules } from './rules/index.ts';

/** All changes between two contracts, the weightiest first, each once. */
export async function compare(root: string, files: { readonly base: string; readonly revision: string }): Promise<Change[]> {
  const [base, revision] = [readContract(files.base), readContract(files.revision)];
  const report = await redoclyReport(root, files);
  try {
    return weigh(inCommonForm(base), inCommonForm(revision), report);
  } catch (error) {
    // The rules count on the structure that OpenAPI demands; whoever breaks it is told where.
    const broken = (await lint(root, [files.base, files.revision])).find(({ rule }) => rule === 'struct');
    throw broken === undefined ? error : new ContractError(`${broken.place} not a valid OpenAPI document: ${broken.message}`);
  }
}

/** What Redocly only notes (`x-roles-changed`) and house rules weigh. */
const WEIGHED: ReadonlyMap<string, readonly string[]> = new Map([
  ...members.map(([name, { changes = [] }]) => [`${name}-changed`, changes.map(({ rule }) => rule)] as const), ['nullable-changed', ['null-changed']] as const,
]);

/** `report` is what `redocly diff` said about the two. */
export function weigh(base: Contract, revision: Contract, report: string, today = new Date().toISOString().slice(0, 10)): Change[] {
  const house = Object.entries(rules).flatMap(([rule, check]) => check(base, revision, today).map((change) => ({ ...change, rule })));
  const told = new Set(house.map(({ rule, place }) => `${rule} ${place}`));
  const others = redoclyChanges(report, base, revision).filter(({ rule, place }) => !(WEIGHED.get(rule) ?? []).some((by) => told.has(`${by} ${place}`)));
  const all = [...house, ...others];
  const unique = new Map(all.map((change) => [`${change.rule} ${change.place} ${change.message}`, change]));
  return withReach([...unique.values()], base, revision).sort((a, b) => IMPACTS.indexOf(b.impact) - IMPACTS.indexOf(a.impact));
}
