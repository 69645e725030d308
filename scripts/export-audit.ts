/** Writes an audit log to an NDJSON file, to be checked by `verify-audit.mjs` and kept outside of the service. */
import { createReadStream, existsSync, truncateSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { checkpointLine, eventLine, headerLine } from '../server/audit/export-lines.ts';
import { readOptions } from './options.ts';

const HELP = `Export the audit log of your tenant: every event up to a signed checkpoint, the checkpoints, and the
public keys.

Usage: node scripts/export-audit.mjs <export.ndjson>

Run it again on the same file to add what is new; a run that was interrupted goes on where it stopped. The credential
needs the scope read, and must see both environments (no test key).

Environment:
  COMPLIANCE_BASE_URL      address of the service (default http://127.0.0.1:8080)
  COMPLIANCE_API_KEY       an API key, or instead of it
  COMPLIANCE_ACCESS_TOKEN  an access token

Exit status: 0 exported; 1 the service refused or the log has a hole; 2 wrong options.`;

const PAGE = 100;

interface Event {
  readonly id: string;
  readonly sequence: number;
}

interface Checkpoint {
  readonly tenantId: string;
  readonly treeSize: number;
}

interface EventPage {
  readonly items: readonly Event[];
  readonly cursor: string | null;
}

interface CheckpointPage {
  readonly items: readonly Checkpoint[];
  readonly cursor: string | null;
  readonly publicKeys: readonly object[];
}

interface Proof {
  readonly checkpoint: Checkpoint;
}

/** The service refused the request, and a retry would not help. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string | null;
  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

const ATTEMPTS = 8;
/** Attempts to have the log signed; a log that can be signed is signed by then. */
const ATTEMPTS_TO_SIGN = 3;
const LONGEST_PAUSE_SECONDS = 60;

/** Reads from the API. Waits as long as `Retry-After` asks, and retries if the service cannot be reached. */
class Client {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, credential: Readonly<Record<string, string>>) {
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#headers = { Accept: 'application/json', ...credential };
  }

  async get<T>(path: string, query: Readonly<Record<string, string | number | null>> = {}): Promise<T> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    const url = `${this.#baseUrl}${path}?${new URLSearchParams(given)}`;
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, { headers: this.#headers }).catch((error: unknown) => error as Error);
      if (!(response instanceof Error) && response.ok) return (await response.json()) as T;
      const { code = null, detail } =
        response instanceof Error ? { detail: String(response.cause ?? response.message) } : await problemOf(response);
      const passing = response instanceof Error || [409, 429, 503].includes(response.status);
      if (!passing || attempt === (code === 'not_checkpointed_yet' ? ATTEMPTS_TO_SIGN : ATTEMPTS))
        throw new Refused(`GET ${path}: ${[code, detail].filter(Boolean).join(': ')}`, code);
      const asked = response instanceof Error ? Number.NaN : Number(response.headers.get('retry-after') ?? Number.NaN);
      await setTimeout(1000 * Math.min(Number.isNaN(asked) ? 2 ** (attempt - 1) : asked, LONGEST_PAUSE_SECONDS));
    }
  }
}

async function problemOf(response: Response): Promise<{ code?: string; detail?: string }> {
  return (await response.json().catch(() => ({ detail: `status ${response.status}` }))) as {
    code?: string;
    detail?: string;
  };
}

/** What an existing export file holds. */
interface Found {
  readonly tenantId: string | null;
  readonly lastSequence: number;
  /** The size of the newest checkpoint. */
  readonly checkpointed: number;
}

interface Line {
  readonly type: string;
  readonly tenantId?: string;
  readonly event?: { readonly sequence: number };
  readonly checkpoint?: { readonly treeSize: number };
}

/** Reads how far an earlier run came, and removes a line that the earlier run left incomplete. */
async function readExport(path: string): Promise<Found> {
  if (!existsSync(path)) {
    // Readable by its owner only, because the log says who did what.
    writeFileSync(path, '', { mode: 0o600 });
    return { tenantId: null, lastSequence: 0, checkpointed: 0 };
  }
  let tenantId: string | null = null;
  let lastSequence = 0;
  let checkpointed = 0;
  let complete = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let bytes = Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10)) {
      const line = JSON.parse(bytes.toString('utf8', 0, end)) as Line;
      if (line.type === 'header') tenantId = line.tenantId ?? null;
      lastSequence = line.event?.sequence ?? lastSequence;
      checkpointed = Math.max(checkpointed, line.checkpoint?.treeSize ?? 0);
      complete += end + 1;
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
  }
  if (rest.length > 0) truncateSync(path, complete);
  return { tenantId, lastSequence, checkpointed };
}

function append(path: string, lines: readonly string[]): Promise<void> {
  return appendFile(path, lines.join(''));
}

async function main(args: string[]): Promise<number> {
  const {
    values,
    positionals: [path, ...more],
  } = readOptions({ args, allowPositionals: true, options: { help: { type: 'boolean', default: false } } });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const {
    COMPLIANCE_BASE_URL = 'http://127.0.0.1:8080',
    COMPLIANCE_API_KEY: key,
    COMPLIANCE_ACCESS_TOKEN: token,
  } = process.env;
  if (path === undefined || more.length > 0 || (key === undefined) === (token === undefined)) {
    console.error('Name one file, and give either COMPLIANCE_API_KEY or COMPLIANCE_ACCESS_TOKEN (--help says more).');
    return 2;
  }
  try {
    const client = new Client(
      COMPLIANCE_BASE_URL,
      key === undefined ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': key },
    );
    await exportLog(client, path);
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function exportLog(client: Client, path: string): Promise<void> {
  const found = await readExport(path);
  const signed = await signedEnd(client);
  const checkpoints = await checkpointsAfter(client, found.checkpointed, signed?.treeSize ?? Number.POSITIVE_INFINITY);
  const tenantId = signed?.tenantId ?? found.tenantId ?? checkpoints.items[0]?.tenantId;
  if (tenantId === undefined) throw new Refused('the log cannot be signed, and never was');
  if (found.tenantId !== null && found.tenantId !== tenantId)
    throw new Refused(`${path} holds the log of another tenant`);
  if (found.tenantId === null) await append(path, [headerLine(tenantId, checkpoints.publicKeys)]);
  const { events, last, missing } = await appendEvents(
    client,
    path,
    found.lastSequence,
    signed?.treeSize ?? Number.POSITIVE_INFINITY,
  );
  // Written after their events, so that a run that stops in between writes the checkpoints next time.
  await append(path, checkpoints.items.map(checkpointLine));
  console.log(`${events} events and ${checkpoints.items.length} checkpoints added; the last event is ${last}`);
  if (missing !== null)
    throw new Refused(`event ${missing} is missing: the log has a hole, or the credential does not see all of it`);
  if (signed === null) throw new Refused('the service does not sign this log any more: verify the export');
  if (last < signed.treeSize) throw new Refused(`${signed.treeSize} events were signed`);
}

/**
 * Requests the proof of the newest event, which makes the service sign the log in its present state; null if the
 * service cannot sign because the log is inconsistent.
 */
async function signedEnd(client: Client): Promise<Checkpoint | null> {
  const {
    items: [newest],
  } = await client.get<EventPage>('/v1/audit/events', { sort: '-sequence', limit: 1 });
  if (newest === undefined) throw new Refused('the log is empty');
  try {
    return (await client.get<Proof>(`/v1/audit/events/${newest.id}/proof`)).checkpoint;
  } catch (error) {
    if (error instanceof Refused && (error.code === 'not_checkpointed_yet' || error.code === 'internal_error'))
      return null;
    throw error;
  }
}

/** Returns the checkpoints oldest first, although the service lists the newest first. */
async function checkpointsAfter(
  client: Client,
  known: number,
  last: number,
): Promise<{ items: Checkpoint[]; publicKeys: readonly object[] }> {
  const items: Checkpoint[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: CheckpointPage = await client.get<CheckpointPage>('/v1/audit/checkpoints', { limit: PAGE, cursor });
    items.push(...page.items.filter(({ treeSize }) => treeSize > known && treeSize <= last));
    cursor = page.cursor;
    if (cursor === null || (page.items.at(-1)?.treeSize ?? 0) <= known)
      return { items: items.reverse(), publicKeys: page.publicKeys };
  }
}

/** Writes the events that exist, even if some are missing: the verifier decides if the log is intact. */
async function appendEvents(
  client: Client,
  path: string,
  known: number,
  end: number,
): Promise<{ events: number; last: number; missing: number | null }> {
  let last = known;
  let events = 0;
  let missing: number | null = null;
  for (let cursor: string | null = null; last < end; ) {
    const page: EventPage = await client.get<EventPage>('/v1/audit/events', {
      sort: 'sequence',
      fromSequence: known + 1,
      limit: PAGE,
      cursor,
    });
    const wanted = page.items.filter(({ sequence }) => sequence <= end);
    for (const { sequence } of wanted) {
      if (sequence !== last + 1) missing ??= last + 1;
      last = sequence;
    }
    await append(
      path,
      wanted.map((event) => eventLine(event)),
    );
    events += wanted.length;
    if (process.stderr.isTTY) process.stderr.write(`\r${last} events`);
    cursor = page.cursor;
    if (cursor === null) break;
  }
  return { events, last, missing };
}

process.exitCode = await main(process.argv.slice(2));
