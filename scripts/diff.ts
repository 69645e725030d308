/** `make diff BASE=…`: what changed in the contract, and which version it needs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NoBase, baseContract } from './contract-diff/base-contract.ts';
import { worst } from './contract-diff/change.ts';
import type { Change } from './contract-diff/change.ts';
import { compare } from './contract-diff/compare.ts';
import { isAtLeast, neededVersion } from './contract-diff/version.ts';
import { readContract } from './generate/read-contract.ts';

const HELP = `Compare openapi.yaml with an earlier contract.

Usage: node scripts/diff.ts [base] [options]
  base              a file, or a commit, branch or tag that has openapi.yaml (default: the last tag v1.2.3)
  --revision FILE   compare this file instead of openapi.yaml
  --help            this text

Exit status: 0 the version fits or there is nothing to compare with,
             1 a breaking change without the version that it needs, 2 the comparison failed.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { revision: { type: 'string' }, help: { type: 'boolean', default: false } },
});

if (values.help) console.log(HELP);
else process.exitCode = await main(resolve(import.meta.dirname, '..'), positionals[0] || undefined);

async function main(root: string, base: string | undefined): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    const files = { base: baseContract(root, base, folder), revision: resolve(values.revision ?? join(root, 'openapi.yaml')) };
    return report(await compare(root, files), readContract(files.base).info.version, readContract(files.revision).info.version);
  } catch (error) {
    if (error instanceof NoBase) { console.log(error.message); return 0; }
    console.error(error instanceof Error ? error.message : error);
    return 2;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(changes: readonly Change[], from: string, to: string): number {
  const breaking = changes.filter(({ impact }) => impact === 'major');
  print('Breaking', breaking);
  print('Not breaking', changes.filter(({ impact }) => impact !== 'major'));
  const needed = neededVersion(from, worst(changes));
  const fits = isAtLeast(to, needed);
  console.log(`${breaking.length} breaking, ${changes.length - breaking.length} not. Version ${from} → ${to}; needed: ${needed}${fits ? '' : ' or higher'}.`);
  return breaking.length > 0 && !fits ? 1 : 0;
}

function print(title: string, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  console.log(`${title}:`);
  for (const { impact, place, message, rule } of changes) console.log(`  ${impact.padEnd(5)}  ${place}: ${message} (${rule})`);
}
