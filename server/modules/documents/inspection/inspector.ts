/**
 * Runs the inspection of uploaded files in separate processes with little memory, little time and no permissions, so
 * that a malicious file harms neither the service nor other tenants. Exported by the index of documents. A process that
 * dies, or takes too long, refuses the one file and is replaced.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Problem, unavailable } from '../../../contract/problem.ts';
import { corrupt } from './checks.ts';
import type { Inspection } from './inspect.ts';
import type { Finding } from './process.ts';

const PROCESSES = 2;
const WAITING = 64;
const WAITING_OF_A_TENANT = 16;
/** Time limit of an inspection. The slowest file within the budgets of the PDF reader takes a tenth of it. */
const LIMIT_MILLISECONDS = 20_000;
const HEAP_MEBIBYTES = 384;
const SERVER = join(import.meta.dirname, '../../..');

/** Result of an inspection, or the problem for which the file is rejected. */
export type Verdict = Inspection | Problem;

interface Job {
  readonly tenantId: string;
  readonly bytes: Buffer;
  readonly declaredType: string;
  readonly verdict: PromiseWithResolvers<Verdict>;
}

export interface InspectorOptions {
  readonly program?: string;
  readonly limitMilliseconds?: number;
}

/**
 * Inspects files in child processes, so that a hostile file can neither block the event loop nor crash the service.
 * Time, memory and the queue are bounded. The processes get no environment variables, can read only their own program,
 * and can neither write files nor start programs. A tenant occupies at most one process at a time, so that other
 * tenants do not wait for it.
 */
export class Inspector {
  readonly #program: string;
  readonly #limit: number;
  readonly #running = new Map<string, ChildProcess>();
  #idle: ChildProcess[] = [];
  #waiting: Job[] = [];

  constructor({
    program = join(import.meta.dirname, 'process.ts'),
    limitMilliseconds = LIMIT_MILLISECONDS,
  }: InspectorOptions = {}) {
    this.#program = program;
    this.#limit = limitMilliseconds;
  }

  inspect(tenantId: string, bytes: Buffer, declaredType: string): Promise<Verdict> {
    if (
      this.#waiting.length >= WAITING ||
      this.#waiting.filter((job) => job.tenantId === tenantId).length >= WAITING_OF_A_TENANT
    ) {
      return Promise.reject(unavailable('overloaded'));
    }
    const verdict = Promise.withResolvers<Verdict>();
    this.#waiting.push({
      tenantId,
      bytes,
      declaredType,
      verdict,
    });
    this.#startNext();
    return verdict.promise;
  }

  close(): void {
    for (const { verdict } of this.#waiting) verdict.reject(unavailable('overloaded'));
    this.#waiting = [];
    for (const child of [...this.#idle, ...this.#running.values()]) child.kill('SIGKILL');
  }

  #startNext(): void {
    const next =
      this.#running.size < PROCESSES ? this.#waiting.find(({ tenantId }) => !this.#running.has(tenantId)) : undefined;
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((job) => job !== next);
    void this.#run(next);
    this.#startNext();
  }

  async #run(job: Job): Promise<void> {
    const { tenantId, bytes, declaredType, verdict } = job;
    const idle = this.#idle.pop();
    const child = idle ?? this.#start();
    this.#running.set(tenantId, child);
    const { promise, resolve } = Promise.withResolvers<Finding | 'late' | 'died' | 'not started'>();
    const onMessage = (finding: unknown): void => resolve(finding as Finding);
    const onEnd = (): void => resolve(child.pid === undefined ? 'not started' : 'died');
    const timer = setTimeout(() => resolve('late'), this.#limit);
    child.once('message', onMessage).once('exit', onEnd).once('error', onEnd);
    child.send({ size: bytes.length, declaredType }, () => undefined);
    child.stdin?.write(bytes);
    const finding = await promise;
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
    this.#running.delete(tenantId);
    if (typeof finding !== 'string') this.#idle.push(child);
    else child.kill('SIGKILL');
    // An idle process may have ended before it received the file, so the file is queued again.
    if (finding === 'died' && idle !== undefined) this.#waiting.unshift(job);
    else if (finding === 'not started') verdict.reject(unavailable('dependency_unavailable'));
    else if (finding === 'late') verdict.resolve(corrupt('The file takes too long to inspect.'));
    else if (finding === 'died') verdict.resolve(corrupt('The file takes too much memory to inspect.'));
    else if ('inspection' in finding) verdict.resolve(finding.inspection);
    else if ('refusal' in finding) verdict.resolve(new Problem(finding.refusal.code, finding.refusal.members));
    else verdict.reject(new Error('The inspection of a file failed', { cause: finding.defect }));
    this.#startNext();
  }

  #start(): ChildProcess {
    const child = fork(this.#program, {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--permission', `--allow-fs-read=${join(SERVER, '*')}`, `--max-old-space-size=${HEAP_MEBIBYTES}`],
    });
    // Errors of an idle process need no reaction, but an error without a listener would end the service.
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.on('exit', () => {
      this.#idle = this.#idle.filter((other) => other !== child);
    });
    child.unref();
    child.channel?.unref();
    (child.stdin as unknown as { unref(): void } | null)?.unref();
    return child;
  }
}
