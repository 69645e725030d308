import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import { lintConfig } from '../../generate/tools.ts';

export interface Task { readonly base: string; readonly revision: string; readonly config: string; readonly report: string }

/** `redocly diff` for many comparisons: one process instead of one each. */
export class WarmRedocly {
  readonly #folder = mkdtempSync(join(tmpdir(), 'warm-redocly-'));
  readonly #child: ChildProcess;
  readonly #config: string;
  #count = 0;
  /** Settles when the comparisons asked for so far are done. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#config = join(root, lintConfig);
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
    this.#child = fork(join(import.meta.dirname, 'warm-redocly-worker.ts'), { cwd: root, env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  }

  /** The report of `redocly diff --format json`; the comparisons are carried out one after the other. */
  async diff(base: Contract, revision: Contract): Promise<string> {
    this.#count += 1;
    const [before, after, report] = ['base', 'revision', 'report'].map((name) => join(this.#folder, `${this.#count}.${name}.json`)) as [string, string, string];
    writeFileSync(before, JSON.stringify(base));
    writeFileSync(after, JSON.stringify(revision));
    const done = this.#turn.then(() => this.#carryOut({ base: before, revision: after, config: this.#config, report }));
    this.#turn = done.catch(() => undefined);
    await done;
    const text = readFileSync(report, 'utf8');
    for (const used of [before, after, report]) rmSync(used);
    return text;
  }

  close(): void {
    this.#child.kill();
    rmSync(this.#folder, { recursive: true });
  }

  #carryOut(task: Task): Promise<void> {
    return new Promise((done, fail) => {
      const gone = () => { fail(new Error('redocly diff did not run')); };
      this.#child.once('exit', gone);
      this.#child.once('message', () => { this.#child.off('exit', gone); done(); });
      this.#child.send(task);
    });
  }
}
