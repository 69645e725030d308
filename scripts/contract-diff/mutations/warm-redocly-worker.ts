/**
 * Keeps Redocly loaded between comparisons. Its diff is published only as a command, so the command's entry module is
 * evaluated once more for each comparison (the query makes it a new module); the modules that do the work stay loaded.
 * Started by run.ts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Task } from './run.ts';

const entry = pathToFileURL(
  join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'lib/index.js'),
);

process.on('message', (task: Task) => {
  void compare(task).then(() => process.send?.(task.report));
});

async function compare({ base, revision, config, report }: Task): Promise<void> {
  process.argv = [
    process.execPath,
    entry.pathname,
    'diff',
    base,
    revision,
    '--config',
    config,
    '--format',
    'json',
    '--output',
    report,
    '--fail-on',
    'none',
  ];
  await import(`${entry.href}?${report}`);
  // The entry module does not wait for its command, so the report shows that it has finished. A failure ends this
  // process.
  while (!isComplete(report)) await pause(2);
}

function isComplete(report: string): boolean {
  try {
    JSON.parse(readFileSync(report, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
