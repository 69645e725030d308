/**
 * Fetches lists from their publishers. Created when the process starts and called by a periodic job. A file that is
 * implausible or unreachable leaves the active version in place. Errors must not contain the address, because it may
 * contain a key.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Counter, type Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import { MINUTE_MILLISECONDS, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { Database } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { MOST_BYTES } from '../../screening/sources/compressed.ts';
import { SourceFileError } from '../../screening/sources/source-file.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import type { WatchListId } from './catalogue.ts';
import { importList } from './import-list.ts';
import { ListRefused } from './plausibility.ts';
import { isTrusted, type ListSource } from './list-sources.ts';
import { activeVersions, confirmVersion, type ListVersion } from './store.ts';

const BY = { type: 'system', id: 'lists.fetch', display: 'Fetching of watch lists' } as const;
const DOWNLOAD_TIMEOUT_MILLISECONDS = 15 * MINUTE_MILLISECONDS;
/** Pause after a failed fetch; otherwise the job would ask a failing publisher every minute. */
const RETRY_MILLISECONDS = 5 * MINUTE_MILLISECONDS;

/** `failed` is a fault of the service, for example of its database; the others describe the publisher and its file. */
type Outcome = 'activated' | 'unchanged' | 'refused' | 'unreachable' | 'failed';

/** The publisher's response contains no file. */
class NoFile extends Error {
  override readonly name = 'NoFile';
}

interface ListFetcherOptions {
  readonly database: Database;
  readonly sources: readonly ListSource[];
  readonly log: Log;
  readonly metricsRegistry: Registry;
}

/**
 * Fetches lists from their publishers. A fetched file passes the same plausibility checks as an uploaded one; if it
 * fails, it is refused, and the active version stays.
 */
export class ListFetcher {
  readonly #options: ListFetcherOptions;
  readonly #fetches: Counter<'list' | 'outcome'>;
  /**
   * ETags of the active files, and when a failed fetch is retried. Both are empty when a process starts, so it asks
   * each publisher.
   */
  readonly #tags = new Map<WatchListId, { readonly sequence: number; readonly etag: string }>();
  readonly #retryAt = new Map<WatchListId, number>();

  constructor(options: ListFetcherOptions) {
    this.#options = options;
    this.#fetches = new Counter({
      name: 'watch_list_fetches_total',
      help: 'Attempts to fetch a watch list, by outcome.',
      labelNames: ['list', 'outcome'],
      registers: [options.metricsRegistry],
    });
  }

  /**
   * Checks each publisher that is due, and returns how many lists have a new version. A failure of one list does not
   * keep the others from being fetched; it is thrown after them.
   */
  async fetchDue(now: RealTime, signal: AbortSignal): Promise<number> {
    const active = await this.#options.database.platform({ tenantId: null, readOnly: true }, (tx) =>
      activeVersions(tx, 'live'),
    );
    let activated = 0;
    const failures: unknown[] = [];
    for (const source of this.#options.sources) {
      const version = active.find(({ listId }) => listId === source.listId);
      if (signal.aborted || !this.#isDue(source, version, now)) continue;
      const outcome = await this.#fetch(source, version, now, signal).catch((error: unknown): Outcome => {
        if (signal.aborted) throw error;
        failures.push(error);
        return 'failed';
      });
      this.#fetches.inc({ list: source.listId, outcome });
      if (outcome === 'activated') activated++;
    }
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} watch lists could not be imported`);
    if (failures.length === 1) throw failures[0];
    return activated;
  }

  #isDue({ listId, everyMinutes }: ListSource, version: ListVersion | undefined, now: RealTime): boolean {
    const next = version === undefined ? 0 : Date.parse(version.checkedAt) + everyMinutes * MINUTE_MILLISECONDS;
    return now.getTime() >= Math.max(next, this.#retryAt.get(listId) ?? 0);
  }

  async #fetch(
    { listId, format, urls }: ListSource,
    version: ListVersion | undefined,
    now: RealTime,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { database, log } = this.#options;
    const folder = await mkdtemp(join(tmpdir(), 'watch-list-'));
    try {
      const { main, ...others } = urls;
      const known = this.#tags.get(listId);
      const answer = await download(
        main,
        join(folder, 'main'),
        known !== undefined && known.sequence === version?.sequence && Object.keys(others).length === 0
          ? known.etag
          : null,
        signal,
      );
      if (answer === UNCHANGED) {
        const { sequence } = version!;
        await database.platform({ tenantId: PLATFORM_TENANT_ID }, (tx) =>
          confirmVersion(tx, { environment: 'live', listId }, sequence, now),
        );
        return 'unchanged';
      }
      const files: Record<string, string> & { main: string } = { main: join(folder, 'main') };
      for (const [role, url] of Object.entries(others))
        await download(url, (files[role] = join(folder, role)), null, signal);
      const imported = await importList(database, {
        environment: 'live',
        listId,
        format,
        files,
        namedOn: answer.modifiedOn,
        by: BY,
        now,
      });
      if (answer.etag !== null) this.#tags.set(listId, { sequence: imported.version.sequence, etag: answer.etag });
      const { quarantinedNames, quarantine } = imported.version;
      if (imported.outcome === 'activated' && quarantinedNames > 0)
        log.warn(
          { list: listId, quarantinedNames, quarantine },
          'some names in a watch list cannot be screened and were left out',
        );
      if (imported.outcome === 'activated')
        log.info(
          {
            list: listId,
            version: imported.version.version,
            added: imported.version.added,
            changed: imported.version.changed,
            removed: imported.version.removed,
          },
          'a watch list has a new version',
        );
      return imported.outcome;
    } catch (error) {
      if (signal.aborted) throw error;
      this.#retryAt.set(listId, now.getTime() + RETRY_MILLISECONDS);
      if (error instanceof SourceFileError || error instanceof ListRefused) {
        log.error(
          { list: listId, reason: error instanceof ListRefused ? error.reason : error.code, why: error.message },
          'a fetched watch list was refused; the previous version stays active',
        );
        return 'refused';
      }
      // Any other error (for example of the database) is ours, so it is rethrown.
      if (!(error instanceof NoFile)) throw error;
      log.warn({ list: listId, why: error.message }, 'a watch list cannot be fetched');
      return 'unreachable';
    } finally {
      await rm(folder, { recursive: true });
    }
  }
}

const UNCHANGED = Symbol('the file is the one that was fetched before');

interface Downloaded {
  readonly etag: string | null;
  /** Day from which the publisher serves the file (RFC 9110 §8.8.2). */
  readonly modifiedOn: string | undefined;
}

/**
 * Downloads the file to a path, unless its ETag is unchanged. Returns its ETag and day, if the publisher gives them.
 * Errors never contain the address, because it may contain a key.
 */
async function download(
  url: string,
  path: string,
  tag: string | null,
  signal: AbortSignal,
): Promise<Downloaded | typeof UNCHANGED> {
  try {
    const answer = await fetch(url, {
      headers: tag === null ? {} : { 'If-None-Match': tag },
      signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MILLISECONDS)]),
    });
    if (answer.status === 304 && tag !== null) return UNCHANGED;
    if (!isTrusted(answer.url)) throw new NoFile('the publisher redirects to an address without TLS');
    if (answer.status !== 200 || answer.body === null) throw new NoFile(`the publisher answers ${answer.status}`);
    await pipeline(limited(answer.body), createWriteStream(path));
    const modified = new Date(answer.headers.get('last-modified') ?? Number.NaN);
    return {
      etag: answer.headers.get('etag'),
      modifiedOn: Number.isNaN(modified.getTime()) ? undefined : modified.toISOString().slice(0, 10),
    };
  } catch (error) {
    if (error instanceof NoFile || error instanceof SourceFileError) throw error;
    throw new NoFile(`the publisher cannot be reached, or the download broke off (${causeOf(error)})`);
  }
}

async function* limited(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > MOST_BYTES) throw new SourceFileError('the file exceeds the maximum size of a watch list');
    yield chunk;
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}

export const fetchListsJob: Job<JobServices & { readonly listFetcher: ListFetcher }> = {
  name: 'lists.fetch',
  everySeconds: MINUTE_SECONDS,
  run: ({ services: { listFetcher, clock }, signal }) => listFetcher.fetchDue(clock(), signal),
};
