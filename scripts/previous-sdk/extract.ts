import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';

const TESTS = ['sdks/typescript/test', 'sdks/typescript/package.json', 'sdks/python/tests', 'scripts/generate'];

/** The SDK tests of an earlier commit, with what they import from its scripts, at their places below `out`. */
export function extractTests(root: string, ref: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const known = git(root, ['ls-tree', '--name-only', ref, ...TESTS]).toString().split('\n').filter((path) => path !== '');
  if (known.length === 0) throw new Error(`${ref} has no tests of the SDKs`);
  execFileSync('tar', ['-x', '-C', out], { input: git(root, ['archive', ref, ...known]) });
}

function git(root: string, args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 256 * 1024 * 1024 });
}
