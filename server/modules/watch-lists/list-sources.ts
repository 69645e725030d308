/**
 * Reads the operator's file that says where lists are fetched. Used when the process starts. A mistake stops the start
 * with its place in the file; values are not repeated, because an address may contain a key.
 */
import { readJsonArray } from '../../base/json-file.ts';
import { assertComplete, type FormatName } from '../../screening/sources/index.ts';
import type { SourceFileError } from '../../screening/sources/source-file.ts';
import { isWatchList, type WatchListId, watchListOf } from './catalogue.ts';

/** Where a list is published, and how often the publisher is checked. */
export interface ListSource {
  readonly listId: WatchListId;
  readonly format: FormatName;
  /** Addresses of the files, by their roles: `main`, and the other roles of the format. */
  readonly urls: Readonly<Record<string, string>> & { readonly main: string };
  readonly everyMinutes: number;
}

const FIELDS = ['list', 'format', 'url', 'with', 'everyMinutes'];
const MOST_MINUTES = 7 * 24 * 60;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads the operator's file: `[{ "list", "url", "format", "with": { role: url }, "everyMinutes" }]`, of which the first
 * two are required. Everything is checked at the start. An error names the location and never repeats the value,
 * because an address may contain a key.
 */
export async function readListSources(file: string): Promise<readonly ListSource[]> {
  const sources = (await readJsonArray(file, 'lists')).map((entry, index) =>
    sourceIn(entry, `${file}, entry ${index + 1}`),
  );
  if (new Set(sources.map(({ listId }) => listId)).size < sources.length)
    throw new Error(`${file} names one list twice`);
  return sources;
}

function sourceIn(entry: unknown, location: string): ListSource {
  const fields = membersOf(entry, location);
  if ([...fields.keys()].some((name) => !FIELDS.includes(name)))
    throw new Error(`${location}: there is a field that has no meaning; there are ${FIELDS.join(', ')}`);
  const listId = fields.get('list');
  if (typeof listId !== 'string' || !isWatchList(listId))
    throw new Error(`${location}: "list" must be a list that the service knows`);
  const { formats } = watchListOf(listId);
  const format = formats.find((name) => name === (fields.get('format') ?? formats[0]));
  if (format === undefined) throw new Error(`${location}: "format" must be ${formats.join(' or ')}`);
  const everyMinutes = fields.get('everyMinutes') ?? 60;
  if (
    typeof everyMinutes !== 'number' ||
    !Number.isInteger(everyMinutes) ||
    everyMinutes < 1 ||
    everyMinutes > MOST_MINUTES
  )
    throw new Error(`${location}: "everyMinutes" must be a whole number from 1 to ${MOST_MINUTES}`);
  const others = [...membersOf(fields.get('with') ?? {}, `${location}, "with"`)].map(
    ([role, url]) => [role, addressIn(url, `${location}, "with", "${role}"`)] as const,
  );
  try {
    assertComplete(
      format,
      others.map(([role]) => role),
    );
  } catch (error) {
    throw new Error(`${location}, "with", "${(error as SourceFileError).role}": ${(error as Error).message}`);
  }
  return {
    listId,
    format,
    everyMinutes,
    urls: { ...Object.fromEntries(others), main: addressIn(fields.get('url'), `${location}, "url"`) },
  };
}

function membersOf(value: unknown, location: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${location}: an object is expected`);
  return new Map<string, unknown>(Object.entries(value));
}

function addressIn(value: unknown, location: string): string {
  if (typeof value !== 'string' || !isTrusted(value))
    throw new Error(`${location}: an address is expected that starts with https://`);
  return value;
}

/**
 * Returns whether an address is safe against changes on the way, because a manipulated list decides who is found. A
 * mirror on the same machine is reached without a network.
 */
export function isTrusted(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}
