import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './check.ts';
import type { Outcome } from './check.ts';

/** Type-checks the earlier programs that show how the package is used, against the package as it is now. */
export function checkPython(root: string, out: string, python: string): Outcome {
  const programs = join(out, 'sdks/python/tests/typed');
  if (!existsSync(programs)) return { files: 0, complaint: null };
  const files = globSync('**/*.py', { cwd: programs }).map((file) => join(programs, file)).sort();
  // What was a mistake then may be allowed now: an addition breaks nobody.
  const options = ['--config-file', 'sdks/python/pyproject.toml', '--no-warn-unused-ignores', '--cache-dir', join(out, '.mypy_cache')];
  return check(files.length, python, ['-m', 'mypy', ...options, ...files], root);
}
