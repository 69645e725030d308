/** Fills an NDJSON file with an audit log, for `verify-audit.mjs` and for keeping elsewhere. */
import { Client, Refused, type Checkpoint, type CheckpointPage, type EventPage, type Proof } from './export-audit/client.ts';
import { append, readExport } from './export-audit/file.ts';
import { readOptions } from './options.ts';

const HELP = `Export the audit log of your tenant: every event up to a signed checkpoint, the checkpoints, and the public keys.

Usage: node scripts/export-audit.mjs <export.ndjson>

Run it again on the same file to add what is new; a run that was interrupted goes on where it stopped. The credential needs
the scope read, and must see both environments (no test key).

Environment:
  COMPLIANCE_BASE_URL      address of the service (default http://127.0.0.1:8080)
  COMPLIANCE_API_KEY       an API key, or instead of it
  COMPLIANCE_ACCESS_TOKEN  an access token

Exit status: 0 exported; 1 the service refused or the log has a hole; 2 wrong options.`;

const PAGE = 100;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const { values, positionals: [path, ...more] } = readOptions({ args, allowPositionals: true, options: { help: { type: 'boolean', default: false } } });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { COMPLIANCE_BASE_URL = 'http://127.0.0.1:8080', COMPLIANCE_API_KEY: key, COMPLIANCE_ACCESS_TOKEN: token } = process.env;
  if (path === undefined || more.length > 0 || (key === undefined) === (token === undefined)) {
    console.error('Name one file, and give either COMPLIANCE_API_KEY or COMPLIANCE_ACCESS_TOKEN (--help says more).');
    return 2;
  }
  try {
    const client = new Client(COMPLIANCE_BASE_URL, key === undefined ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': key });
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
  if (found.tenantId !== null && found.tenantId !== tenantId) throw new Refused(`${path} holds the log of another tenant`);
  if (found.tenantId === null) await append(path, [{ type: 'header', tenantId, publicKeys: checkpoints.publicKeys }]);
  const { events, last, missing } = await appendEvents(client, path, found.lastSequence, signed?.treeSize ?? Number.POSITIVE_INFINITY);
  // After their events, so that a run that stops in between writes them next time.
  await append(path, checkpoints.items.map((checkpoint) => ({ type: 'checkpoint', checkpoint })));
  console.log(`${events} events and ${checkpoints.items.length} checkpoints added; the last event is ${last}`);
  if (missing !== null) throw new Refused(`event ${missing} is missing: the log has a hole, or the credential does not see all of it`);
  if (signed === null) throw new Refused('the service does not sign this log any more: verify the export');
  if (last < signed.treeSize) throw new Refused(`${signed.treeSize} events were signed`);
}

/** Asking for the proof of the newest event makes the service sign the log as it is; null if it cannot, because the log does not hold. */
async function signedEnd(client: Client): Promise<Checkpoint | null> {
  const { items: [newest] } = await client.get<EventPage>('/v1/audit/events', { sort: '-sequence', limit: 1 });
  if (newest === undefined) throw new Refused('the log is empty');
  try {
    return (await client.get<Proof>(`/v1/audit/events/${newest.id}/proof`)).checkpoint;
  } catch (error) {
    if (error instanceof Refused && (error.code === 'not_checkpointed_yet' || error.code === 'internal_error')) return null;
    throw error;
  }
}

/** Oldest first; the service lists the newest first. */
async function checkpointsAfter(client: Client, known: number, last: number): Promise<{ items: Checkpoint[]; publicKeys: readonly object[] }> {
  const items: Checkpoint[] = [];
  for (let cursor: string | null = null; ;) {
    const page: CheckpointPage = await client.get<CheckpointPage>('/v1/audit/checkpoints', { limit: PAGE, cursor });
    items.push(...page.items.filter(({ treeSize }) => treeSize > known && treeSize <= last));
    cursor = page.cursor;
    if (cursor === null || (page.items.at(-1)?.treeSize ?? 0) <= known) return { items: items.reverse(), publicKeys: page.publicKeys };
  }
}

/** Writes what there is, also of a log with holes: whether it holds is for the verifier to say. */
async function appendEvents(client: Client, path: string, known: number, end: number): Promise<{ events: number; last: number; missing: number | null }> {
  let last = known;
  let events = 0;
  let missing: number | null = null;
  for (let cursor: string | null = null; last < end;) {
    const page: EventPage = await client.get<EventPage>('/v1/audit/events', { sort: 'sequence', fromSequence: known + 1, limit: PAGE, cursor });
    const wanted = page.items.filter(({ sequence }) => sequence <= end);
    for (const { sequence } of wanted) {
      if (sequence !== last + 1) missing ??= last + 1;
      last = sequence;
    }
    await append(path, wanted.map((event) => ({ type: 'event', event })));
    events += wanted.length;
    if (process.stderr.isTTY) process.stderr.write(`\r${last} events`);
    cursor = page.cursor;
    if (cursor === null) break;
  }
  return { events, last, missing };
}
