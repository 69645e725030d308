import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Problem, unavailable } from '../../../contract/problem.ts';
import { corrupt } from './checks.ts';
import type { Inspection } from './inspect.ts';
import type { Finding } from './process.ts';

const PROCESSES = 2;
const WAITING = 64;
const WAITING_OF_A_TENANT = 16;
/** The worst file that stays within the budgets takes a tenth of this. */
const LIMIT_MILLISECONDS = 20_000;
const HEAP_MEBIBYTES = 384;
const SERVER = join(import.meta.dirname, '../../..');

/** What an upload is, or why it is refused. */
export type Verdict = Inspection | Problem;

interface Job {
  readonly tenantId: string;
  readonly bytes: Buffer;
  readonly declaredType: string;
  readonly decided: PromiseWithResolvers<Verdict>;
}

export interface InspectorOptions {
  readonly program?: string;
  readonly limitMilliseconds?: number;
}

/**
 * Inspects files in processes of their own, so that no file of a stranger stops the event loop or takes the service along, with
 * bounds on time, memory and those who wait. The processes see no environment variable, may read nothing but their own
 * program and may write and start nothing. A tenant keeps one of them busy at most.
 */
export class Inspector {
  readonly #program: string;
  readonly #limit: number;
  readonly #running = new Map<string, ChildProcess>();
  #idle: ChildProcess[] = [];
  #waiting: Job[] = [];

  constructor({ program = join(import.meta.dirname, 'process.ts'), limitMilliseconds = LIMIT_MILLISECONDS }: InspectorOptions = {}) {
    this.#program = program;
    this.#limit = limitMilliseconds;
  }

  inspect(tenantId: string, bytes: Buffer, declaredType: string): Promise<Verdict> {
    if (this.#waiting.length >= WAITING || this.#waiting.filter((job) => job.tenantId === tenantId).length >= WAITING_OF_A_TENANT) {
      return Promise.reject(unavailable('overloaded'));
    }
    const decided = Promise.withResolvers<Verdict>();
    this.#waiting.push({ tenantId, bytes, declaredType, decided });
    this.#proceed();
    return decided.promise;
  }

  close(): void {
    for (const { decided } of this.#waiting) decided.reject(unavailable('overloaded'));
    this.#waiting = [];
    for (const child of [...this.#idle, ...this.#running.values()]) child.kill('SIGKILL');
  }

  #proceed(): void {
    const next = this.#running.size < PROCESSES ? this.#waiting.find(({ tenantId }) => !this.#running.has(tenantId)) : undefined;
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((job) => job !== next);
    void this.#run(next);
    this.#proceed();
  }

  async #run({ tenantId, bytes, declaredType, decided }: Job): Promise<void> {
    const child = this.#idle.pop() ?? this.#start();
    this.#running.set(tenantId, child);
    const { promise, resolve } = Promise.withResolvers<Finding | 'late' | 'died' | 'not started'>();
    const heard = (finding: unknown): void => resolve(finding as Finding);
    const ended = (): void => resolve(child.pid === undefined ? 'not started' : 'died');
    const timer = setTimeout(() => resolve('late'), this.#limit);
    child.once('message', heard).once('exit', ended).once('error', ended);
    child.send({ size: bytes.length, declaredType }, () => undefined);
    child.stdin?.write(bytes);
    const finding = await promise;
    clearTimeout(timer);
    child.off('message', heard).off('exit', ended).off('error', ended);
    this.#running.delete(tenantId);
    if (typeof finding !== 'string') this.#idle.push(child);
    else child.kill('SIGKILL');
    if (finding === 'not started') decided.reject(unavailable('dependency_unavailable'));
    else if (finding === 'late') decided.resolve(corrupt('The file takes too long to inspect.'));
    else if (finding === 'died') decided.resolve(corrupt('The file takes too much memory to inspect.'));
    else if ('inspection' in finding) decided.resolve(finding.inspection);
    else if ('refusal' in finding) decided.resolve(new Problem(finding.refusal.code, finding.refusal.members));
    else decided.reject(new Error('The inspection of a file failed', { cause: finding.defect }));
    this.#proceed();
  }

  #start(): ChildProcess {
    const child = fork(this.#program, {
      env: {}, stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--permission', `--allow-fs-read=${join(SERVER, '*')}`, `--max-old-space-size=${HEAP_MEBIBYTES}`],
    });
    // What happens to it between two files is nobody's concern but must be heard.
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
