/** Test that the linter finds the same in one long process as in a new one. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { lint } from '../generate/tools.ts';
import { Linter } from './linter.ts';

const repository = resolve(import.meta.dirname, '../..');

it('finds, run after run in one process, the same as the linter finds in a new process', async () => {
  const linter = new Linter(process.env);
  try {
    const [broken, sound] = [['scripts/lint/fixtures/operation-id.fail.yaml'], ['openapi.yaml']];
    const expected = await lint(repository, broken);
    expect(expected).not.toEqual([]);
    const unreadable = ['Makefile'];
    await expect(lint(repository, unreadable, undefined, linter.run)).rejects.toThrow('the linter did not run');
    for (const [files, findings] of [
      [broken, expected],
      [sound, []],
      [broken, expected],
    ] as const) {
      expect(await lint(repository, files, undefined, linter.run)).toEqual(findings);
    }
  } finally {
    await linter.stop();
  }
});
