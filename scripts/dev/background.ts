/**
 * Generates at low priority what a running service does not need. Used by `make dev`, and run as a process of its own.
 * A newer contract stops an outdated run, so its files are written as a whole or not at all.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

const LOW_PRIORITY = 10;

/** Generates in the background, at low priority, what no running request waits for. */
export class Background {
  readonly #root: string;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | null = null;

  constructor(root: string, environment: NodeJS.ProcessEnv) {
    this.#root = root;
    this.#environment = environment;
  }

  start(): void {
    // A process group of its own, so that the tools that the process runs can be ended with it.
    const child = spawn(process.execPath, [import.meta.filename, this.#root], {
      cwd: this.#root,
      env: this.#environment,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    this.#process = child;
    child.once('exit', () => {
      if (this.#process === child) this.#process = null;
    });
    if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  }

  /** Stops an outdated run, because a newer contract replaces its output. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    const gone = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await gone;
  }
}

/**
 * Program of the background process: generates what the service does not need at run time (the types of its source,
 * both SDKs and the pages), and lints in full.
 */
async function derive(root: string): Promise<void> {
  const start = performance.now();
  // Loaded only here, because `make dev` itself does not need the generators.
  const { generate } = await import('../generate/pipeline.ts');
  const { lint } = await import('../generate/tools.ts');
  const [{ missing, changes }, findings] = await Promise.all([
    generate(root, ['server', 'typescript', 'python', 'docs'], 'write'),
    lint(root, ['openapi.yaml']),
  ]);
  for (const { place, rule, message } of findings) console.error(`${place} ${rule}: ${message}`);
  for (const { message } of missing) console.error(message);
  console.log(
    `dev: types, SDKs and pages generated, ${changes.length} files changed, ` +
      `${Math.round(performance.now() - start)} ms`,
  );
}

if (import.meta.main) await derive(process.argv[2] as string);
