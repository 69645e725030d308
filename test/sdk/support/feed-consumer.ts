/** A consumer of the feed that can be killed, with its database. Used by feed-consumers.test.ts. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cause, Life } from './deliveries.ts';
import type { ClientKey, FeedSite, Position } from './feed-site.ts';

const PROGRAMS = join(import.meta.dirname, '../consumers');
const ROOT = join(import.meta.dirname, '../../..');
const PATIENCE_MS = 120_000;
/** Length of an event id with the end of its line. */
const LINE = 'fre_00000000-0000-5000-8000-000000000000\n'.length;

const commands = {
  TypeScript: [
    process.execPath,
    [join(PROGRAMS, 'follow-feed.ts')],
    { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile') },
  ],
  Python: [
    join(ROOT, '.venv/bin/python'),
    [join(PROGRAMS, 'follow_feed.py')],
    { PYTHONPATH: join(ROOT, 'sdks/python/src') },
  ],
} as const;
export type Language = keyof typeof commands;

/** Content of the consumer's own database at some time. */
export interface Snapshot {
  readonly cursor: string;
  readonly handled: number;
}

/** A consumer's program, which can be killed, and its folder, which represents its database. */
export class FeedConsumer {
  readonly language: Language;
  /** The consumer's own generator, so that its faults are the same in each run of a seed, however fast the other is. */
  readonly random: () => number;
  readonly lives: Life[] = [];
  key: ClientKey;
  readonly #site: FeedSite;
  /** The client that has the position; its keys succeed each other. */
  #clientId: string;
  readonly #folder: string;
  #process: ChildProcess | null = null;
  #living: (Omit<Life, 'events' | 'from'> & { readonly from: Position[] }) | null = null;
  #bornAt = 0;
  #said = '';
  #complaint = '';
  snapshots: Snapshot[] = [];

  private constructor(site: FeedSite, language: Language, key: ClientKey, random: () => number) {
    this.#site = site;
    this.language = language;
    this.random = random;
    this.key = key;
    this.#clientId = key.id;
    this.#folder = mkdtempSync(join(tmpdir(), `compliance-${language}-`));
  }

  static async create(site: FeedSite, language: Language, random: () => number): Promise<FeedConsumer> {
    return new FeedConsumer(site, language, await site.newClient(language), random);
  }

  async close(): Promise<void> {
    if (this.isAlive) await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get isAlive(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  get clientId(): string {
    return this.#clientId;
  }

  /** Number of events that the consumer has handled, duplicates included. */
  get handled(): number {
    return existsSync(this.#file('handled')) ? Math.floor(statSync(this.#file('handled')).size / LINE) : 0;
  }

  get cursor(): string | null {
    return existsSync(this.#file('cursor')) ? readFileSync(this.#file('cursor'), 'utf8') : null;
  }

  /** Events in the consumer's database, each once. */
  effects(): ReadonlySet<string> {
    return new Set(this.#lines(0));
  }

  /**
   * Starts the program, if it does not run. It continues after its cursor or, if that is gone, after what it has
   * acknowledged.
   */
  async start(cause: Cause): Promise<void> {
    if (this.#process !== null) return;
    const { cursor } = this;
    const pageSize = 10 + Math.floor(this.random() * 91);
    const known = cursor === null ? null : await this.#site.positionOf(this.#clientId, cursor);
    const from = known ?? (await this.#site.acknowledged(this.#clientId));
    const isLost = cursor !== null && known === null && cause !== 'purge';
    this.#living = { cause: isLost ? 'restored service' : cause, from: [from], pageSize };
    this.#bornAt = this.handled;
    [this.#said, this.#complaint] = ['', ''];
    const [command, args, env] = commands[this.language];
    const child = spawn(command, args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        ...env,
        PAGE_SIZE: String(pageSize),
        COMPLIANCE_BASE_URL: this.#site.url,
        COMPLIANCE_CLIENT_ID: this.key.id,
        COMPLIANCE_CLIENT_SECRET: this.key.secret,
      },
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#complaint += chunk.toString();
    });
    this.#process = child;
  }

  /** Waits until the consumer has handled `count` events. */
  async reach(count: number): Promise<void> {
    await this.#until(() => this.handled >= count);
  }

  /** Waits until the consumer has acknowledged everything that was published. */
  async catchUp(): Promise<void> {
    for (
      const deadline = Date.now() + PATIENCE_MS;
      !(await this.#site.isCaughtUp(this.#clientId, this.cursor));
      await sleep(10)
    ) {
      if (Date.now() > deadline || !this.isAlive)
        throw new Error(
          `${this.language} does not catch up: it has handled ${this.handled} events\n${this.#said}${this.#complaint}`,
        );
    }
  }

  /**
   * Kills the program at an event, after part of a page; at the end of the feed, if too few events come, while it
   * waits.
   */
  async killAtWork(): Promise<void> {
    writeFileSync(this.#file('busy.new'), String(Math.floor(this.random() * this.#living!.pageSize)));
    renameSync(this.#file('busy.new'), this.#file('busy'));
    for (
      const deadline = Date.now() + 300;
      !existsSync(this.#file('waiting')) && Date.now() < deadline;
      await sleep(2)
    );
    await this.kill();
    for (const name of ['busy', 'waiting']) rmSync(this.#file(name), { force: true });
  }

  /** Kills the program without warning, if it runs. */
  async kill(): Promise<void> {
    if (this.#process === null) return;
    if (!this.isAlive) throw new Error(`${this.language} ended by itself\n${this.#said}${this.#complaint}`);
    this.#process.kill('SIGKILL');
    await this.#ended();
  }

  /** Waits until the program ends by itself. Returns the name of the error that ended it. */
  async end(): Promise<string> {
    await this.#ended();
    return this.#said.trim();
  }

  /**
   * Expects that the program continues after its acknowledged position in the restored database, because the restore
   * happened while it ran.
   */
  async expectAnotherPlace(): Promise<void> {
    if (this.isAlive) this.#living!.from.push(await this.#site.acknowledged(this.#clientId));
  }

  /** Backs up the consumer's database. */
  backUp(): void {
    if (this.cursor !== null) this.snapshots.push({ cursor: this.cursor, handled: this.handled });
  }

  /** Restores the consumer's database, or its cursor alone. */
  restore({ cursor, handled }: Snapshot, what: 'database' | 'cursor'): void {
    writeFileSync(this.#file('cursor'), cursor);
    if (what === 'database') truncateSync(this.#file('handled'), handled * LINE);
  }

  /**
   * Continues as a new client, which has acknowledged nothing and accepts no former cursor: all retained events are
   * repeated.
   */
  async becomeNewClient(): Promise<void> {
    this.snapshots = [];
    this.key = await this.#site.newClient(this.language);
    this.#clientId = this.key.id;
    rmSync(this.#file('cursor'));
  }

  /** Returns the position of a backup in the feed; null if that position is gone. */
  positionOf({ cursor }: Snapshot): Promise<Position | null> {
    return this.#site.positionOf(this.#clientId, cursor);
  }

  async #ended(): Promise<void> {
    const child = this.#process!;
    for (const deadline = Date.now() + PATIENCE_MS; this.isAlive; await sleep(2)) {
      if (Date.now() > deadline)
        throw new Error(`${this.language} does not end: it has handled ${this.handled} events`);
    }
    await Promise.all(
      [child.stdout, child.stderr].map((stream) =>
        stream!.closed ? null : new Promise((resolve) => stream!.once('close', resolve)),
      ),
    );
    this.#process = null;
    this.lives.push({ ...this.#living!, events: this.#lines(this.#bornAt) });
  }

  async #until(isSo: () => boolean): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; !isSo(); await sleep(1)) {
      if (Date.now() > deadline || !this.isAlive)
        throw new Error(`${this.language} stays at ${this.handled} events\n${this.#said}${this.#complaint}`);
    }
  }

  #lines(from: number): string[] {
    return existsSync(this.#file('handled'))
      ? readFileSync(this.#file('handled'), 'utf8')
          .slice(from * LINE)
          .split('\n')
          .slice(0, -1)
      : [];
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}
