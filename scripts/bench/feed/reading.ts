import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FeedCursors } from '../../../server/modules/recovery-feed/cursor.ts';
import type { LoadGenerator } from '../load/generator.ts';
import type { Following, Repeating } from '../load/plan.ts';
import { type Service, startService } from '../service.ts';
import { contender, type Timed } from '../whole-path/contender.ts';
import { environmentOf, type Laboratory } from '../whole-path/laboratory.ts';
import type { Reader, StoredFeed } from './stored.ts';

const PATH = '/api/v1/funds-recovery/events?limit=100';
export const PAGE = 100;

/** What a consumer of the feed can be at. */
export const kinds = ['onward', 'lastPage', 'nothingNew'] as const;
export type Kind = (typeof kinds)[number];

/** A service of its own on one stored feed. */
export class FeedService {
  readonly #service: Service;
  readonly #feed: StoredFeed;
  readonly #cursors: FeedCursors;

  private constructor(service: Service, feed: StoredFeed, cursors: FeedCursors) {
    this.#service = service;
    this.#feed = feed;
    this.#cursors = cursors;
  }

  static async start(laboratory: Laboratory, feed: StoredFeed): Promise<FeedService> {
    const folder = join(laboratory.folder, feed.administrator.database);
    mkdirSync(folder);
    const env = { ...environmentOf({ ...laboratory, location: feed.administrator }), JOBS: 'false', DIRECTORY_SIMULATOR: 'false' };
    return new FeedService(await startService({ folder, env }), feed, new FeedCursors(laboratory.secrets.deriveKey('feed cursor')));
  }

  /**
   * `onward`: pages from somewhere in the middle on, each read moving the reader's position. So that it always moves, turns
   * take place in one part of the feed after the other. `lastPage` and `nothingNew`: the same page at the end, the position
   * stays.
   */
  read(generator: LoadGenerator, kind: Kind, load: { readonly connections: number; readonly seconds: number }, part: { readonly number: number; readonly of: number }): Promise<Timed> {
    const { events, readers } = this.#feed;
    const place = (index: number): number => Math.floor((events * (part.number + index / readers.length)) / part.of);
    const plan: Omit<Following, 'port'> | Omit<Repeating, 'port'> = kind === 'onward'
      ? { ...load, path: PATH, readers: readers.map((reader, index) => ({ headers: authorization(reader), cursor: this.#cursorOf(reader, place(index)) })) }
      : { ...load, expectedStatus: 200, idempotencyKeys: false, requests: readers.map((reader) => this.#request(reader, events - (kind === 'lastPage' ? PAGE : 0))) };
    return contender(generator, this.#service, plan)();
  }

  /** What was fast must also be right: the events of the last page as they are numbered, and the place after them. */
  async check(): Promise<void> {
    const { events, readers: [reader] } = this.#feed;
    if (reader === undefined) throw new Error('the feed has no readers');
    const response = await fetch(`http://127.0.0.1:${this.#service.port}${PATH}&cursor=${this.#cursorOf(reader, events - PAGE)}`, { headers: { Authorization: `Bearer ${reader.token}` } });
    const page = await response.json() as { events?: unknown[]; cursor?: string; hasMore?: boolean };
    const isWhole = page.events?.length === PAGE && page.hasMore === false && page.cursor === this.#cursorOf(reader, events);
    if (!isWhole) throw new Error(`the last page of the feed is wrong: ${response.status} ${JSON.stringify(page).slice(0, 500)}`);
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }

  #cursorOf({ consumer }: Reader, sequence: number): string {
    return this.#cursors.encode({ tenantId: this.#feed.tenantId, environment: 'live', id: consumer }, { generation: 1, sequence });
  }

  #request(reader: Reader, sequence: number) {
    const target = `${PATH}&cursor=${this.#cursorOf(reader, sequence)}`;
    return { head: `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: application/json\r\n${authorization(reader)}`, body: '' };
  }
}

function authorization({ token }: Reader): string {
  return `Authorization: Bearer ${token}\r\n`;
}
