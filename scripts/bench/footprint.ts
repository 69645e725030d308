/** What the service costs before and beside its answers: start-up, memory, and the check of a credential. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { AccessTokens } from '../../server/identity/access-token.ts';
import { parseApiKey } from '../../server/identity/api-key.ts';
import { ApiKeyVerifier, CredentialCache } from '../../server/identity/credential-cache.ts';
import { CredentialStore } from '../../server/identity/store.ts';
import { FailedAuthenticationLimiter } from '../../server/identity/rate-limit.ts';
import { Authenticator } from '../../server/identity/authentication.ts';
import type { RuntimeContract } from '../../server/contract/pruned-contract.ts';
import { alternate, atMost, median, plain, round, type Section } from './figures.ts';
import { get, type Laboratory } from './laboratory.ts';
import { stopping } from './program.ts';
import { middle, replacement, residentMegabytes, startService, type Replacements } from './service.ts';
import { growContract, RUNTIME_CONTRACT } from './validation.ts';

const GROWN_TO = 150;
const CALLS = 20_000;
const LIFETIME_SECONDS = 3600;

/** What makes the service start as if its contract had more operations, where a copy is served by the handler of its original; and a path of each copy that answers a GET. */
function grown(folder: string): { readonly replacements: Replacements; readonly paths: readonly string[] } {
  const { contract, operations: copies } = growContract(JSON.parse(readFileSync(RUNTIME_CONTRACT, 'utf8')) as RuntimeContract, GROWN_TO);
  const table = Object.fromEntries(copies.map((operation) => [operation.operationId, { ...operation, operationId: operation.operationId.replace(/_copy\d+$/, '') }]));
  return {
    replacements: {
      modules: { '/contract/generated/operations.ts': replacement(folder, 'operations.js', `export const operations = ${JSON.stringify(table)};\n`) },
      files: { '/contract.runtime.json': replacement(folder, 'contract.json', JSON.stringify(contract)) },
    },
    paths: copies.filter(({ operationId }) => operationId.startsWith('listApplications')).map(({ path }) => path),
  };
}

/** Start-up with the embedded database, as an operator sees it, and memory with as many operations as the contract is to have. */
export async function measureFootprint(laboratory: Laboratory): Promise<Section[]> {
  const { replacements, paths } = grown(laboratory.folder);
  const startUps = { first: [] as number[], again: [] as number[], grown: [] as number[] };
  for (let run = 1; run <= laboratory.extent.startUps; run++) {
    laboratory.say(`start-up, run ${run} of ${laboratory.extent.startUps} …`);
    const folder = join(laboratory.folder, 'start-up');
    for (const [kind, times] of Object.entries(startUps)) {
      const service = await startService({ DATA_DIR: folder }, kind === 'grown' ? replacements : undefined);
      times.push(service.readyMilliseconds);
      await service.stop();
    }
    rmSync(folder, { recursive: true });
  }
  laboratory.say(`memory with ${GROWN_TO} operations …`);
  const apiKey = laboratory.tenants[0]?.apiKey ?? '';
  const memory = await stopping(async (open) => {
    const service = await open(laboratory.startService({}, replacements));
    const ready = await residentMegabytes(service);
    const slowest: number[] = [];
    for (let round = 0; round < 3; round++) {
      const times: number[] = [];
      for (const path of paths) times.push(await call(service.url + path, apiKey));
      slowest.push(Math.max(...times));
    }
    await laboratory.contender(service, { requests: paths.map((path) => get(path, apiKey)), expectedStatus: 200 })(laboratory.extent.warmUpSeconds);
    return { ready, warm: await residentMegabytes(service), slowest };
  });
  const milliseconds = (times: readonly number[]): string => `${middle(times, (time) => time)} ms`;
  return [{
    title: 'Start-up and memory', raw: { startUps, memory },
    rows: [
      plain('ready, new data directory', milliseconds(startUps.first)), plain('ready, existing data directory', milliseconds(startUps.again)),
      atMost(`ready, existing data directory, ${GROWN_TO} operations`, median(startUps.grown), 1500, 'ms'),
      plain(`slowest first call of an operation, ${GROWN_TO} operations`, `${round(memory.slowest[0] ?? Number.NaN)} ms (third: ${round(memory.slowest[2] ?? Number.NaN)} ms)`),
      plain(`resident when ready, ${GROWN_TO} operations`, `${round(memory.ready)} MB`),
      atMost(`resident after load, ${GROWN_TO} operations`, memory.warm, 200, 'MB'),
    ],
  }];
}

async function call(url: string, apiKey: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url, { headers: { 'X-API-Key': apiKey } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} was answered by ${response.status}`);
  return performance.now() - begun;
}

/** Microseconds of CPU per request, when the credential was seen before. */
export async function measureAuthentication({ database, secrets, tenants, extent, say }: Laboratory): Promise<Section[]> {
  say('authentication …');
  const clock = () => new Date();
  const credentials = new CredentialCache(new CredentialStore(database), clock, () => true);
  const tokens = new AccessTokens(secrets, clock);
  const failures = new FailedAuthenticationLimiter(1, clock);
  const security = new Authenticator({ tokens, credentials, clock, keys: new ApiKeyVerifier(credentials, secrets, failures), failures, onKeyUse: () => {} });
  const operation: Operation = operations.getApplication;
  const headers = {
    apiKey: tenants.map(({ apiKey }) => ({ 'x-api-key': apiKey })),
    token: tenants.map(({ id, apiKey }) => {
      const prefix = parseApiKey(apiKey)?.prefix ?? '';
      return { authorization: `Bearer ${tokens.forClient({ prefix, tenantId: id, scopes: ['read'], environment: 'live' }, LIFETIME_SECONDS)}` };
    }),
  };
  const turn = (kind: keyof typeof headers) => async (): Promise<number> => {
    const begun = process.threadCpuUsage();
    for (let count = 0; count < CALLS; count++) {
      const caller = security.authenticate(operation, headers[kind][count % tenants.length] ?? {}, '127.0.0.1');
      if (caller instanceof Promise) await caller;
    }
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / CALLS;
  };
  const contenders = { apiKey: turn('apiKey'), token: turn('token') };
  await alternate(2, contenders);
  const raw = await alternate(extent.rounds, contenders);
  return [{
    title: 'Authentication of a request, warm, CPU', raw,
    rows: [atMost('API key', median(raw.apiKey), 10, 'µs'), atMost('access token (JWT)', median(raw.token), 10, 'µs')],
  }];
}
