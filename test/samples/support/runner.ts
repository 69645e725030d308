/**
 * Runs samples in each language. Used by the tests of samples and guides. Programs get no credential but that of the
 * sample.
 */
import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, inject } from 'vitest';
import type { CodeSample } from '../../../scripts/generate/code-samples/sample.ts';

export type Variables = Readonly<Record<string, string>>;
export interface Ended {
  readonly output: string;
  /** Error message; null if the program ended well. */
  readonly failure: string | null;
}
/** Runs a program to its end. */
export type Run = (source: string, variables: Variables) => Promise<Ended>;

const PYTHON = join(import.meta.dirname, '../../../.venv/bin/python');
/** Environment without anything else of this process: no proxy, no credential. */
const PLAIN = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };

/** Starts a process for each language that needs one, until the test file ends. */
export function runners(): Readonly<Record<CodeSample['lang'], Run>> {
  const desk = inject('desk');
  const open: ChildProcess[] = [];
  afterAll(() => {
    for (const child of open) child.kill();
  });
  return { curl: shell(desk), typescript: modules(desk, open), python: scripts(desk, open) };
}

function shell(desk: string): Run {
  return (source, variables) =>
    new Promise((resolve) => {
      execFile(
        'sh',
        ['-euc', source],
        { cwd: desk, env: { ...PLAIN, CURL_HOME: desk, ...variables } },
        (error, stdout, stderr) => {
          resolve({ output: stdout, failure: error === null ? null : `${error.message}\n${stdout}${stderr}` });
        },
      );
    });
}

function modules(desk: string, open: ChildProcess[]): Run {
  const child = fork(join(import.meta.dirname, 'run-module.ts'), {
    cwd: desk,
    env: PLAIN,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  open.push(child);
  let count = 0;
  return async (source, variables) => {
    const file = join(desk, `sample-${(count += 1)}.ts`);
    writeFileSync(file, source);
    child.send({ url: pathToFileURL(file).href, variables });
    const [ended] = (await once(child, 'message')) as [Ended];
    return ended;
  };
}

function scripts(desk: string, open: ChildProcess[]): Run {
  const child = spawn(PYTHON, ['-X', 'utf8', join(import.meta.dirname, 'run_script.py')], {
    cwd: desk,
    env: { ...PLAIN, PYTHONPATH: join(desk, 'python') },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  open.push(child);
  const answers = createInterface(child.stdout);
  let count = 0;
  return async (source, variables) => {
    const path = join(desk, `sample_${(count += 1)}.py`);
    writeFileSync(path, source);
    child.stdin.write(`${JSON.stringify({ path, variables })}\n`);
    const [line] = (await once(answers, 'line')) as [string];
    return JSON.parse(line) as Ended;
  };
}
