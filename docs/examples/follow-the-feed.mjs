/**
 * Follows the funds-recovery feed with nothing but fetch: `node follow-the-feed.mjs`.
 *
 * COMPLIANCE_BASE_URL, COMPLIANCE_CLIENT_ID and COMPLIANCE_CLIENT_SECRET say where and as whom. What must
 * survive a crash lies in two files, which stand for your database: the events that were processed, and the
 * cursor of the last page that was processed as a whole. Kill it whenever you like: started again, it goes on
 * without loss and without doubles.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const {
  COMPLIANCE_BASE_URL: baseUrl,
  COMPLIANCE_CLIENT_ID: clientId,
  COMPLIANCE_CLIENT_SECRET: clientSecret,
  PAGE_SIZE = '100',
} = process.env;

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const processed = new Set(
  read('processed.jsonl')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).eventId),
);
let cursor = read('cursor');

/**
 * Events may come again, so one that was processed is left alone. In a database: one transaction
 * with a unique `eventId`.
 */
function take(event) {
  if (processed.has(event.eventId)) return;
  appendFileSync('processed.jsonl', `${JSON.stringify(event)}\n`);
  processed.add(event.eventId);
  console.log(event.timestamp, event.eventType, event.status, event.fundsRecoveryId);
}

/** Only after its whole page was processed: presenting a cursor acknowledges everything up to it. */
function save(next) {
  writeFileSync('cursor.new', next);
  renameSync('cursor.new', 'cursor');
  cursor = next;
}

let token = null;

async function authorize() {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const answer = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' }),
    signal: AbortSignal.timeout(30_000),
  });
  if (answer.ok) token = (await answer.json()).access_token;
  return answer;
}

async function next() {
  if (token === null) {
    const refused = await authorize();
    if (token === null) return refused;
  }
  const query = new URLSearchParams({ limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) });
  return fetch(`${baseUrl}/api/v1/funds-recovery/events?${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  });
}

/** Whether the call may succeed later: the network, a quota or the service failed, not the request. */
const passing = (answer) => answer === null || answer.status === 429 || answer.status >= 500;

for (let failures = 0, renewed = false; ; ) {
  const answer = await next().catch(() => null);
  if (passing(answer)) {
    const asked = Number(answer?.headers.get('retry-after') ?? NaN);
    await sleep(1000 * (asked > 0 ? asked : Math.min(60, 2 ** failures) * (0.5 + Math.random() / 2)));
    failures += 1;
    continue;
  }
  const body = await answer.json().catch(() => null);
  if (answer.status === 401 && token !== null && !renewed) {
    token = null; // It has expired. If a new one is refused, too, the client itself was.
    renewed = true;
    continue;
  }
  if (answer.status === 400 && body?.code === 'cursor_expired') {
    save(''); // The position is gone: begin again at the oldest event that was not acknowledged.
    continue;
  }
  if (!answer.ok)
    throw new Error(
      `${answer.status} ${body?.code ?? body?.error} ${body?.detail ?? ''} (request ` +
        `${answer.headers.get('x-request-id')})`,
    );
  if (body === null) continue; // The connection broke within the answer: the same request again.
  failures = 0;
  renewed = false;
  for (const event of body.events) take(event);
  if (body.cursor !== null) save(body.cursor);
  if (!body.hasMore) await sleep(1000 * Number(answer.headers.get('x-poll-interval') ?? 3600));
}
