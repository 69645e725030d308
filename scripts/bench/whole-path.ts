import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startBareServer } from './bare-server.ts';
import { plain, round, type Section } from './figures.ts';
import { creations, get, type Laboratory } from './laboratory.ts';
import { stopping } from './program.ts';
import { ratio, replacement, residentMegabytes, speed, type MeasuredService, type Turns } from './service.ts';
import { ROOT, examples } from './validation.ts';

const APPLICATIONS_PER_TENANT = 200;
const WRITERS = 200;
/** No single address may have more than half of the requests at work. */
const ADDRESSES = 10;

/** A body of createApplication that can be sent again and again. */
function bodyToCreate(): object {
  const { externalId: _, ...create } = examples().create;
  return create;
}

/** The service beside the least that its answers could cost: bare servers that send the same statements. */
export async function measureWholePath(laboratory: Laboratory): Promise<Section[]> {
  const { tenants } = laboratory;
  const create = bodyToCreate();
  return stopping(async (open) => {
    const service = await open(laboratory.startService());
    const applicationId = await createOne(service, laboratory, create);
    const [sequence, pipelined] = [await open(startBareServer(laboratory, applicationId, false)), await open(startBareServer(laboratory, applicationId, true))];
    const rows = await laboratory.copyApplication(applicationId, APPLICATIONS_PER_TENANT);
    const keys = new Map(tenants.map(({ id, apiKey }) => [id, apiKey]));
    // The platform is a tenant too, and has no key.
    const reading = { requests: rows.filter(({ tenantId }) => keys.has(tenantId)).map(({ tenantId, id }) => get(`/v1/applications/${id}`, keys.get(tenantId) ?? '')), expectedStatus: 200 };
    const writing = { requests: creations(tenants, create), expectedStatus: 201 };
    const GET = await laboratory.compete('GET', {
      ours: laboratory.contender(service, reading), sequence: laboratory.contender(sequence, reading), pipelined: laboratory.contender(pipelined, reading),
    });
    const POST = await laboratory.compete('POST', {
      ours: laboratory.contender(service, writing), sequence: laboratory.contender(sequence, writing),
      withKey: laboratory.contender(service, { ...writing, idempotencyKeys: true }), pipelined: laboratory.contender(pipelined, writing),
      oneTenant: laboratory.contender(service, { ...writing, requests: creations(tenants.slice(0, 1), create) }),
    });
    return [{
      title: 'GET /v1/applications/{id}: both directions validated, row-level security', raw: GET,
      rows: [
        speed('service', GET.ours), speed('bare, in sequence', GET.sequence), speed('bare, pipelined', GET.pipelined),
        ratio('service / bare in sequence', GET.ours, GET.sequence, 0.9), ratio('service / bare pipelined', GET.ours, GET.pipelined, 0.7),
      ],
    }, {
      title: 'POST /v1/applications: the same, and an event in the audit chain', raw: POST,
      rows: [
        speed('service', POST.ours), speed('service, with Idempotency-Key', POST.withKey), speed('bare, in sequence', POST.sequence), speed('bare, pipelined', POST.pipelined),
        ratio('service / bare in sequence', POST.ours, POST.sequence, 1), ratio('service / bare pipelined', POST.ours, POST.pipelined, 0.85),
        ratio('service with key / bare in sequence', POST.withKey, POST.sequence, 0.7), ratio('service with key / bare pipelined', POST.withKey, POST.pipelined),
        ratio('service, one tenant / fifty tenants', POST.oneTenant, POST.ours, 0.8),
        await laboratory.verifiedChains(), plain('resident after all of it', `${round(await residentMegabytes(service))} MB`),
      ],
    }];
  });
}

/** The application of which all others are copies; also the check that the service answers at all. */
async function createOne({ url }: MeasuredService, { tenants }: Laboratory, create: object): Promise<string> {
  const [request] = creations(tenants, create);
  const response = await fetch(`${url}${request?.path}`, request);
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST /v1/applications was answered by ${response.status}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

/** The same service with and without its audit log, on the same database: what the log costs a write. */
export async function measureAudit(laboratory: Laboratory): Promise<Section[]> {
  const file = 'server/audit/chain.ts';
  // Throws where the module is not there: nothing would be replaced, and nobody would notice.
  const original = JSON.stringify(`${pathToFileURL(realpathSync(join(ROOT, file))).href}?original`);
  const unlogged = replacement(laboratory.folder, 'audit-chain.js', `export * from ${original};\nexport function appendAudit() {}\n`);
  return stopping(async (open) => {
    const env = { TRUST_PROXY: '1' };
    const [audited, unaudited] = [await open(laboratory.startService(env)), await open(laboratory.startService(env, { modules: { [file]: unlogged }, files: {} }))];
    const compete = (what: string, tenants: Laboratory['tenants'], more: { readonly connections?: number; readonly idempotencyKeys: boolean }) => {
      const requests = creations(tenants, bodyToCreate()).flatMap((request) =>
        Array.from({ length: ADDRESSES }, (_, address) => ({ ...request, headers: { ...request.headers, 'x-forwarded-for': `203.0.113.${address}` } })));
      const plan = { requests, expectedStatus: 201, ...more };
      return laboratory.compete(`writes with and without audit, ${what}`, { audited: laboratory.contender(audited, plan), unaudited: laboratory.contender(unaudited, plan) });
    };
    // The last tenant: other measurements have filled the chain of the first.
    const one = laboratory.tenants.slice(-1);
    const oneTenant = await compete('one tenant', one, { connections: WRITERS, idempotencyKeys: true });
    const withoutKey = await compete('one tenant, no key', one, { connections: WRITERS, idempotencyKeys: false });
    const manyTenants = await compete('fifty tenants', laboratory.tenants, { idempotencyKeys: true });
    const rows = (what: string, pair: Readonly<Record<'audited' | 'unaudited', Turns>>) =>
      [speed(`${what}, with audit`, pair.audited), speed(`${what}, without`, pair.unaudited), ratio(`${what}, with / without`, pair.audited, pair.unaudited, 0.7)];
    return [{
      title: 'POST /v1/applications with an Idempotency-Key, with and without the audit log', raw: { oneTenant, withoutKey, manyTenants },
      rows: [
        ...rows(`${WRITERS} writers on one tenant`, oneTenant), ...rows('fifty tenants', manyTenants),
        ratio('one tenant and no key, with / without', withoutKey.audited, withoutKey.unaudited), await laboratory.verifiedChains(),
      ],
    }];
  });
}
