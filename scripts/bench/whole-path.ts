/** Measures the whole path of a request, compared with bare servers, and the cost of the audit log. Used by main.ts. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { uuidv7 } from '../../server/base/uuid.ts';
import { withClient } from '../../server/database/pool.ts';
import { findApplication, insertApplication } from '../../server/modules/applications/record/store.ts';
import { BlindIndex } from '../../server/rules/blind-index.ts';
import { startBareServer } from './bare-server.ts';
import { amount, type Row, type Section } from './figures.ts';
import type { Caller, Laboratory } from './laboratory.ts';
import type { Request } from './load.ts';
import { residentMegabytes, speed, timesAsFast, type Samples } from './service.ts';
import { examples, ROOT } from './validation.ts';

const APPLICATIONS_PER_TENANT = 200;
const WRITERS = 200;
/** Number of client addresses, because no single address may have more than half of the requests in progress. */
const ADDRESSES = 10;

/** Returns, for each of these tenants, a request that can be repeated. */
function creations(callers: readonly Caller[]): Request[] {
  const { externalId: _, ...create } = examples().create;
  const body = JSON.stringify(create);
  return callers.map(({ apiKey }) => ({
    method: 'POST',
    path: '/v1/applications',
    headers: { ...apiKey, 'content-type': 'application/json' },
    body,
  }));
}

/** Compares the service with the least possible cost of its responses: bare servers that send the same statements. */
export async function measureWholePath(laboratory: Laboratory): Promise<Section[]> {
  const { callers } = laboratory;
  await using service = await laboratory.startService();
  const on = laboratory.contender;
  const writing = { requests: creations(callers), expectedStatus: 201 };
  const oneTenant = { ...writing, requests: creations(callers.slice(0, 1)) };
  // The application that is copied.
  const { path, ...first } = oneTenant.requests[0]!;
  const created = await fetch(`${service.url}${path}`, first);
  if (created.status !== 201) throw new Error(`${created.status} ${await created.text()}`);
  const { id } = (await created.json()) as { readonly id: string };
  await using sequence = await startBareServer(laboratory, id, false);
  await using pipelined = await startBareServer(laboratory, id, true);
  const reading = { requests: await copiesOf(laboratory, { tenantId: callers[0]!.id, id }), expectedStatus: 200 };
  const GET = await laboratory.compete('GET', {
    ours: on(service, reading),
    sequence: on(sequence, reading),
    pipelined: on(pipelined, reading),
  });
  const POST = await laboratory.compete('POST', {
    ours: on(service, writing),
    sequence: on(sequence, writing),
    withKey: on(service, { ...writing, idempotencyKeys: true }),
    pipelined: on(pipelined, writing),
    oneTenant: on(service, oneTenant),
  });
  return [
    {
      title: 'GET /v1/applications/{id}: both directions validated, row-level security',
      raw: GET,
      rows: [
        ['service', speed(GET.ours)],
        ['bare, in sequence', speed(GET.sequence)],
        ['bare, pipelined', speed(GET.pipelined)],
        ['service / bare in sequence', timesAsFast(GET.ours, GET.sequence), '≥ 0.90'],
        ['service / bare pipelined', timesAsFast(GET.ours, GET.pipelined), '≥ 0.70'],
      ],
    },
    {
      title: 'POST /v1/applications: the same, and an event in the audit chain',
      raw: POST,
      rows: [
        ['service', speed(POST.ours)],
        ['service, with Idempotency-Key', speed(POST.withKey)],
        ['bare, in sequence', speed(POST.sequence)],
        ['bare, pipelined', speed(POST.pipelined)],
        ['service / bare in sequence', timesAsFast(POST.ours, POST.sequence), '≥ 1.00'],
        ['service / bare pipelined', timesAsFast(POST.ours, POST.pipelined), '≥ 0.85'],
        ['service with key / bare in sequence', timesAsFast(POST.withKey, POST.sequence), '≥ 0.70'],
        ['service with key / bare pipelined', timesAsFast(POST.withKey, POST.pipelined)],
        ['service, one tenant / fifty tenants', timesAsFast(POST.oneTenant, POST.ours), '≥ 0.80'],
        await laboratory.brokenChains(),
        ['resident after all of it', amount(await residentMegabytes(service), 'MB')],
      ],
    },
  ];
}

/**
 * Gives every tenant copies of an application as the service wrote it, each sealed under its own key and with a
 * document. Returns requests for at most 2,000 of them, in random order.
 */
async function copiesOf(
  { database, callers }: Laboratory,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Request[]> {
  const template = await database.database.transaction({ tenantId, readOnly: true }, (tx) =>
    findApplication(tx, { tenantId, id }),
  );
  if (template === null) throw new Error('there is nothing to copy');
  const { erasedAt: _, ...record } = template;
  const index = new BlindIndex(database.secrets.deriveKey('blind-index'));
  for (const caller of callers) {
    await database.database.transaction({ tenantId: caller.id }, async (tx) => {
      for (let copy = 0; copy < APPLICATIONS_PER_TENANT; copy += 1)
        void insertApplication(tx, caller.id, { ...record, id: uuidv7() }, index);
    });
  }
  return withClient(database.superuser, async (client) => {
    await client.query(`
      INSERT INTO document (tenant_id, id, application_id, environment, type, side, country, file_name, mime_type,
        size_bytes, sha256, storage_key, created_by)
      SELECT tenant_id, uuidv7(), id, environment, 'passport', 'single', 'BR', 'passport.jpg', 'image/jpeg', 482113,
        encode(sha256(id::text::bytea), 'hex'), id::text, created_by
      FROM application`);
    await client.query('VACUUM ANALYZE application, document');
    const { rows } = await client.query<{ tenant: string; id: string }>(
      'SELECT tenant_id AS tenant, id FROM application ORDER BY sha256(id::text::bytea) LIMIT 2000',
    );
    const keys = new Map(callers.map(({ id, apiKey }) => [id, apiKey]));
    return rows.map(({ tenant, id }) => ({
      method: 'GET',
      path: `/v1/applications/${id}`,
      headers: keys.get(tenant) ?? {},
    }));
  });
}

/** Measures the cost of the audit log per write: the same service with and without its log, on the same database. */
export async function measureAudit(laboratory: Laboratory): Promise<Section[]> {
  const file = 'server/audit/chain.ts';
  // Throws if the module does not exist; otherwise nothing would be replaced, unnoticed.
  const original = JSON.stringify(`${pathToFileURL(realpathSync(join(ROOT, file))).href}?original`);
  const env = { TRUST_PROXY: '1' };
  await using audited = await laboratory.startService(env);
  await using unaudited = await laboratory.startService(env, {
    [file]: `export * from ${original};\nexport function appendAudit() {}\n`,
  });
  const raw: Record<string, Record<'audited' | 'unaudited', Samples>> = {};
  const rows: Row[] = [];
  const compete = async (what: string, callers: readonly Caller[], connections?: number): Promise<void> => {
    const requests = creations(callers).flatMap((request) =>
      Array.from({ length: ADDRESSES }, (_, address) => ({
        ...request,
        headers: { ...request.headers, 'x-forwarded-for': `203.0.113.${address}` },
      })),
    );
    const plan = {
      requests,
      expectedStatus: 201,
      idempotencyKeys: true,
      ...(connections !== undefined && { connections }),
    };
    const pair = (raw[what] = await laboratory.compete(`writes with and without audit, ${what}`, {
      audited: laboratory.contender(audited, plan),
      unaudited: laboratory.contender(unaudited, plan),
    }));
    rows.push(
      [`${what}, with audit`, speed(pair.audited)],
      [`${what}, without`, speed(pair.unaudited)],
      [`${what}, with / without`, timesAsFast(pair.audited, pair.unaudited), '≥ 0.70'],
    );
  };
  // Uses the last tenant, because other measurements have filled the chain of the first.
  await compete(`${WRITERS} writers on one tenant`, laboratory.callers.slice(-1), WRITERS);
  await compete('fifty tenants', laboratory.callers);
  return [
    {
      title: 'POST /v1/applications with an Idempotency-Key, with and without the audit log',
      raw,
      rows: [...rows, await laboratory.brokenChains()],
    },
  ];
}
