import { readFileSync } from 'node:fs';
import { beforeEach } from 'vitest';
import { chosenOperations } from './quick.ts';

/**
 * In a run for `make quick`, leaves out those tests of a table over the operations that name none of the chosen operations: sentences about the whole table, and tests that
 * stand beside it. Without the variable of `make quick` nothing is registered.
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
    if (isTable(task.file.filepath) && !(task.fullTestName.match(/\w+/g) ?? []).some((word) => (chosen as ReadonlySet<string>).has(word))) skip();
  });
}
