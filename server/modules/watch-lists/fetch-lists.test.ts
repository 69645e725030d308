/** Tests of the job that fetches watch lists, with a publisher on this machine and a real database. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { activeVersions, importList, ListFetcher, type ListSource } from './index.ts';

const START = new Date('2026-11-24T12:00:00.000Z');
const later = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
const NEVER = new AbortController().signal;
/** Seven empty columns of the SDN file. */
const EMPTY_COLUMNS = ',-0- '.repeat(7);
const sdn = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${index + 1},"REIS, Pessoa ${index.toString(36)}",individual,"SDGT"${EMPTY_COLUMNS},-0- `,
  ).join('\r\n');
/** A list that is published in one file. */
const csl = (count: number): string =>
  [
    '_id,source,type,programs,name,title,alt_names,dates_of_birth,nationalities,citizenships,ids',
    ...Array.from(
      { length: count },
      (_, index) => `${index},SDN,Individual,SDGT,Pessoa ${index.toString(36)} Reis,,,,,,`,
    ),
  ].join('\n');

let folder: string;
let publisher: Server;
let url: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let received: IncomingMessage[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'list-sources-'));
  publisher = createServer((request, response) => {
    if (request.url === '/alt.csv') return void response.end('1,1,"aka","REIS, Outra",-0- ');
    received.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/sdn.csv?key=hidden`;
});
afterAll(async () => {
  publisher.closeAllConnections();
  publisher.close();
  await rm(folder, { recursive: true });
});

describe('the fetcher of watch lists', () => {
  let test: TestDatabase;
  let fetcher: ListFetcher;
  let registry: Registry;
  let logged: string[];
  const fetcherOf = (source: Partial<ListSource> = {}, ...others: readonly ListSource[]): ListFetcher => {
    registry = new Registry();
    const write = (level: string) => (fields: object, message: string) =>
      void logged.push(JSON.stringify({ level, ...fields, message }));
    return new ListFetcher({
      database: test.database,
      metricsRegistry: registry,
      log: { info: write('info'), warn: write('warn'), error: write('error') },
      sources: [
        {
          listId: 'ofac-sdn',
          format: 'ofac-csv',
          urls: { main: url, alt: new URL('/alt.csv', url).href },
          everyMinutes: 60,
          ...source,
        },
        ...others,
      ],
    });
  };
  /**
   * A source with a single file: only such a source sends the ETag, because a list of several files would be unchanged
   * only if each of them were.
   */
  const SINGLE_FILE = {
    listId: 'us-csl',
    format: 'us-csl',
    get urls() {
      return { main: url.replace('sdn', 'csl') };
    },
  } as const;
  const active = async () => (await test.database.platform({ tenantId: null }, (tx) => activeVersions(tx, 'live')))[0];
  const publish = (text: string, etag?: string) => {
    answer = (request, response) => {
      if (etag !== undefined && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
      response.writeHead(200, etag === undefined ? {} : { ETag: etag }).end(text);
    };
  };
  const outcomes = async (): Promise<string[]> =>
    (await registry.getSingleMetric('watch_list_fetches_total')!.get()).values.map(
      ({ labels, value }) => `${labels['outcome']} ${value}`,
    );

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    [logged, received] = [[], []];
    await test.sql('TRUNCATE watch_list_version, watch_list_file, watch_list_entity');
    fetcher = fetcherOf();
    publish(sdn(3100));
  });

  it('activates the published version and checks again when the interval has passed', async () => {
    expect(await fetcher.fetchDue(START, NEVER)).toBe(1);
    expect(await active()).toMatchObject({
      listId: 'ofac-sdn',
      entryCount: 3100,
      ingestedBy: { type: 'system', id: 'lists.fetch' },
    });
    expect(await fetcher.fetchDue(later(59), NEVER)).toBe(0);
    expect(received).toHaveLength(1);
    publish(sdn(3101));
    expect(await fetcher.fetchDue(later(60), NEVER)).toBe(1);
    expect(await active()).toMatchObject({ sequence: 2, entryCount: 3101, added: 1 });
    expect(await outcomes()).toEqual(['activated 2']);
  });

  it('records the check of an unchanged list, whether the publisher answers 304 or sends the same file', async () => {
    fetcher = fetcherOf(SINGLE_FILE);
    publish(csl(3100));
    await fetcher.fetchDue(START, NEVER);
    expect(await fetcher.fetchDue(later(60), NEVER)).toBe(0);
    expect(await active()).toMatchObject({ sequence: 1, checkedAt: later(60).toISOString() });
    publish(csl(3100), '"one"');
    await fetcher.fetchDue(later(120), NEVER);
    await fetcher.fetchDue(later(180), NEVER);
    expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined, '"one"']);
    expect(await active()).toMatchObject({ sequence: 1, checkedAt: later(180).toISOString() });
  });

  it('sends no ETag after another version was imported by hand', async () => {
    fetcher = fetcherOf(SINGLE_FILE);
    publish(csl(3100), '"one"');
    await fetcher.fetchDue(START, NEVER);
    const main = join(folder, 'by-hand.csv');
    await writeFile(main, csl(3101));
    await importList(test.database, {
      environment: 'live',
      listId: 'us-csl',
      format: 'us-csl',
      files: { main },
      by: { type: 'system', id: 'test', display: 'Test' },
      now: START,
    });
    await fetcher.fetchDue(later(60), NEVER);
    expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  it('fetches all files of a list, and imports nothing if one is missing', async () => {
    await fetcher.fetchDue(START, NEVER);
    expect(
      await test.sql(`SELECT role FROM watch_list_file WHERE environment = 'live' GROUP BY role ORDER BY role`),
    ).toEqual([{ role: 'alt' }, { role: 'main' }]);
    publish(sdn(3101));
    await fetcherOf({ urls: { main: url } }).fetchDue(later(60), NEVER);
    expect(JSON.parse(logged.at(-1)!)).toMatchObject({
      level: 'error',
      list: 'ofac-sdn',
      reason: 'missing',
      why: 'alt is missing: a list of ofac-csv is whole only with it',
    });
    expect(await active()).toMatchObject({ sequence: 1 });
  });

  it('takes the publication day from Last-Modified if the file has none, and refuses an earlier day than that of the active version', async () => {
    const serve = (text: string, day: string) => {
      answer = (_, response) =>
        void response.writeHead(200, { 'Last-Modified': new Date(`${day}T08:00:00Z`).toUTCString() }).end(text);
    };
    serve(sdn(3100), '2026-11-20');
    await fetcher.fetchDue(START, NEVER);
    expect(await active()).toMatchObject({
      publishedOn: '2026-11-20',
      version: expect.stringMatching(/^2026-11-20\./),
    });
    serve(sdn(3101), '2026-11-19');
    await fetcher.fetchDue(later(60), NEVER);
    expect([await active(), JSON.parse(logged.at(-1)!)]).toMatchObject([
      { sequence: 1 },
      { reason: 'older_than_active' },
    ]);
  });

  it.each([
    ['without most of its entries', sdn(3001).split('\r\n').slice(0, 500).join('\r\n'), 'too_few_entries'],
    ['in another format', '<html>Please sign in.</html>', 'unreadable'],
    ['without content', '', 'unreadable'],
  ])('refuses a file %s, and tries again after five minutes', async (_, text, reason) => {
    await fetcher.fetchDue(START, NEVER);
    publish(text);
    expect(await fetcher.fetchDue(later(60), NEVER)).toBe(0);
    expect(await active()).toMatchObject({ sequence: 1, checkedAt: START.toISOString() });
    expect(JSON.parse(logged.at(-1)!)).toMatchObject({ level: 'error', list: 'ofac-sdn', reason });
    await fetcher.fetchDue(later(64), NEVER);
    expect(received).toHaveLength(2);
    publish(sdn(3102));
    expect(await fetcher.fetchDue(later(65), NEVER)).toBe(1);
    expect(await outcomes()).toEqual(['activated 2', 'refused 1']);
  });

  it.each([
    [
      'answers with an error',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end(sdn(3101)),
      'the publisher answers 503',
    ],
    [
      'breaks off the download',
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { 'Content-Length': 1_000_000 }).write(sdn(3101), () => response.destroy()),
      'the download broke off',
    ],
    [
      'redirects to an address without TLS',
      (request: IncomingMessage, response: ServerResponse) =>
        void (request.headers.host!.startsWith('127.0.0.2')
          ? response.end(sdn(3101))
          : response.writeHead(302, { Location: url.replace('127.0.0.1', '127.0.0.2') }).end()),
      'without TLS',
    ],
    [
      'answers 304 to a request without an ETag',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(304).end(),
      'the publisher answers 304',
    ],
  ])('keeps the active version if the publisher %s, and does not log its address', async (_, behaviour, why) => {
    const unencrypted = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => unencrypted.listen(Number(new URL(url).port), '127.0.0.2', resolve));
    await fetcher.fetchDue(START, NEVER);
    answer = behaviour;
    expect(await fetcher.fetchDue(later(60), NEVER)).toBe(0);
    unencrypted.closeAllConnections();
    unencrypted.close();
    expect(await active()).toMatchObject({ sequence: 1, checkedAt: START.toISOString() });
    expect(JSON.parse(logged.at(-1)!)).toMatchObject({
      level: 'warn',
      list: 'ofac-sdn',
      why: expect.stringContaining(why),
    });
    expect(logged.join()).not.toMatch(/hidden|sdn\.csv/);
    expect(await outcomes()).toEqual(['activated 1', 'unreachable 1']);
  });

  it('fetches the other lists although the database fails for one, and then rejects with its error', async () => {
    fetcher = fetcherOf({}, { ...SINGLE_FILE, everyMinutes: 60 });
    answer = ({ url: path }, response) => void response.end(path!.includes('csl') ? csl(3100) : sdn(3100));
    await test.sql(`ALTER TABLE watch_list_version ADD CONSTRAINT without_sdn CHECK (list_id <> 'ofac-sdn')`);
    await expect(fetcher.fetchDue(START, NEVER)).rejects.toThrow('without_sdn');
    await test.sql('ALTER TABLE watch_list_version DROP CONSTRAINT without_sdn');
    expect(await active()).toMatchObject({ listId: 'us-csl', sequence: 1 });
    expect(await outcomes()).toEqual(['failed 1', 'activated 1']);
  });

  it('aborts the download and rejects when the service stops', async () => {
    const stopping = new AbortController();
    answer = () => stopping.abort();
    await expect(fetcher.fetchDue(START, stopping.signal)).rejects.toThrow();
    expect(await active()).toBeUndefined();
  });
});
