/**
 * Skips rows of tables over operations that `make quick` did not choose. A setup file of test/vitest.config.ts; without
 * the variable of `make quick` it does nothing.
 */
import { readFileSync } from 'node:fs';
import { beforeEach } from 'vitest';
import { chosenOperations } from './quick.ts';

/**
 * In a run of `make quick`, skips those tests in files with a table over the operations whose names contain no chosen
 * operation. These include tests of the whole table, and tests beside it. Without the variable of `make quick`, no hook
 * is registered.
 */
const chosen = chosenOperations();
const tables = new Map<string, boolean>();

function isTable(file: string): boolean {
  const known = tables.get(file) ?? /\beveryOperation\b/.test(readFileSync(file, 'utf8'));
  tables.set(file, known);
  return known;
}

if (chosen !== null) {
  beforeEach(({ task, skip }) => {
    if (
      isTable(task.file.filepath) &&
      !(task.fullTestName.match(/\w+/g) ?? []).some((word) => (chosen as ReadonlySet<string>).has(word))
    )
      skip();
  });
}
