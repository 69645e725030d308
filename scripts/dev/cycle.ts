import { generate } from '../generate/pipeline.ts';
import type { Part } from '../generate/pipeline.ts';
import { ContractError } from '../generate/read-contract.ts';

/** What came of one pass: a broken contract changes nothing. */
export type Pass = 'broken' | 'same' | 'changed';

/** Generates some parts and reports problems as `file:line:column reason`. */
export async function cycle(root: string, parts: readonly Part[], title: string): Promise<Pass> {
  const start = performance.now();
  try {
    const { findings, missing, changes } = await generate(root, parts, 'write');
    for (const { place, rule, message } of findings) console.error(`${place} ${rule}: ${message}`);
    for (const { message } of missing) console.error(message);
    if (findings.some(({ severity }) => severity === 'error')) return 'broken';
    console.log(`dev: ${title}, ${changes.length} files changed, ${Math.round(performance.now() - start)} ms`);
    return changes.length > 0 ? 'changed' : 'same';
  } catch (error) {
    console.error(error instanceof ContractError ? error.message : error);
    return 'broken';
  }
}
