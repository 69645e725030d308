/**
 * Keeps processes that read pictures: without the environment of the service, without rights to write or to start
 * programs, replaced when they grow too large, take too long or have done enough. Decoders and native code never run in
 * the service itself.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGES } from './models.ts';
import type { ReadingAnswer, ReadingRequest } from './process.ts';

const PROGRAMS = join(import.meta.dirname, '..');
const LIMIT_MILLISECONDS = 15_000;
const MOST_MEBIBYTES = 600;
const MOST_JOBS = 500;
const POLL_MILLISECONDS = 100;
const PAGE_BYTES = 4_096;
/**
 * A process that holds more than this share of the bound is replaced before its next picture, which needs room. A
 * program whose memory grows by less may keep more.
 */
const KEPT_SHARE = 0.5;
/**
 * The whole environment of a process: how glibc keeps memory, which other systems ignore. Nets allocate tensors of
 * another size for each line, in threads by the number of processors; kept apart for each thread, and never given back,
 * these would add up from picture to picture.
 */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(16 * 2 ** 20),
};

/** Why a picture was not read. None of these says anything about the document. */
export type ReadingFailure = 'died' | 'late' | 'too_large' | 'stopped';

/** There is no answer, and why. */
export interface Failed {
  readonly failure: ReadingFailure;
}

/** What a document says, or why that is not known. */
export type Reading = ReadingAnswer | Failed;

const STOPPED: Failed = { failure: 'stopped' };

export interface ReaderOptions {
  /** Folder in which the models are installed. */
  readonly folder: string;
  /** Program of the processes; by default the one that reads documents. */
  readonly program?: string;
  readonly limitMilliseconds?: number;
  readonly mostMebibytes?: number;
  readonly mostJobs?: number;
  readonly keptShare?: number;
}

/** Tells whether the packages that a program needs are installed in a folder; by default those that read documents. */
export function areModelsIn(folder: string, packages: readonly string[] = PACKAGES): boolean {
  return packages.every((name) => existsSync(join(folder, 'node_modules', name, 'package.json')));
}

/** Returns the memory that a process holds, where the system tells it; 0 elsewhere. */
async function residentMebibytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return (Number(text.split(' ')[1] ?? 0) * PAGE_BYTES) / 2 ** 20;
}

/** Does one job at a time, in a process that is started when it is needed. */
export class Reader<Request extends object = ReadingRequest, Answer extends object = ReadingAnswer> {
  readonly #options: Required<ReaderOptions>;
  #child: ChildProcess | null = null;
  #jobs = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor({
    folder,
    program = join(import.meta.dirname, 'process.ts'),
    limitMilliseconds = LIMIT_MILLISECONDS,
    mostMebibytes = MOST_MEBIBYTES,
    mostJobs = MOST_JOBS,
    keptShare = KEPT_SHARE,
  }: ReaderOptions) {
    this.#options = {
      folder,
      program,
      limitMilliseconds,
      mostMebibytes,
      mostJobs,
      keptShare,
    };
  }

  /** Reads a picture after those that wait already. A reading that is not wanted any more is ended or not begun. */
  read(request: Request, signal: AbortSignal): Promise<Answer | Failed> {
    const reading = this.#last.then(() => (signal.aborted ? STOPPED : this.#run(request, signal)));
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #run(request: Request, signal: AbortSignal): Promise<Answer | Failed> {
    const child = (await this.#childWithRoom()) ?? this.#start();
    if (signal.aborted) return STOPPED;
    const { promise, resolve } = Promise.withResolvers<Answer | Failed>();
    const onMessage = (answer: unknown): void => resolve(answer as Answer);
    const onEnd = (): void => resolve({ failure: 'died' });
    const onAbort = (): void => resolve(STOPPED);
    const timer = setTimeout(() => resolve({ failure: 'late' }), this.#options.limitMilliseconds);
    const poll = setInterval(() => {
      void residentMebibytes(child.pid ?? 0).then((size) => {
        if (size > this.#options.mostMebibytes) resolve({ failure: 'too_large' });
      });
    }, POLL_MILLISECONDS);
    child.once('message', onMessage).once('exit', onEnd).once('error', onEnd);
    signal.addEventListener('abort', onAbort, { once: true });
    child.send(request, () => undefined);
    const reading = await promise;
    clearTimeout(timer);
    clearInterval(poll);
    signal.removeEventListener('abort', onAbort);
    child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
    this.#jobs++;
    if ('failure' in reading || this.#jobs >= this.#options.mostJobs) this.close();
    return reading;
  }

  /**
   * Returns the process that runs, unless earlier pictures left too little room in it: what it kept of them must not
   * make the next one fail.
   */
  async #childWithRoom(): Promise<ChildProcess | null> {
    const size = await residentMebibytes(this.#child?.pid ?? 0);
    if (size > this.#options.mostMebibytes * this.#options.keptShare) this.close();
    return this.#child;
  }

  #start(): ChildProcess {
    const { folder, program } = this.#options;
    const packages = join(folder, 'node_modules');
    const readable = [PROGRAMS, folder, ...(existsSync(packages) ? [realpathSync(packages)] : [])];
    const child = fork(program, [folder], {
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: ['--permission', '--allow-addons', ...readable.map((path) => `--allow-fs-read=${join(path, '*')}`)],
    });
    // An error without a listener would end the service; the process is replaced when it has exited.
    child.on('error', () => undefined);
    child.on('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    child.unref();
    child.channel?.unref();
    this.#child = child;
    this.#jobs = 0;
    return child;
  }
}
