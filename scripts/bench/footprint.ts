/**
 * Measures the cost of the service apart from its responses: start-up, memory, and the check of a credential. Used by
 * main.ts.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../server/contract/generated/operations.ts';
import { AccessTokens } from '../../server/identity/access-token.ts';
import { Authenticator } from '../../server/identity/authentication.ts';
import { ApiKeyVerifier, CredentialCache } from '../../server/identity/credential-cache.ts';
import { FailedAuthenticationLimiter } from '../../server/identity/rate-limit.ts';
import { CredentialStore } from '../../server/identity/store.ts';
import { alternate, amount, cpuPerCall, median, round, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { residentMegabytes, startService, type Replacements } from './service.ts';
import { GROWN_TO, growContract } from './validation.ts';

const CALLS = 20_000;

/**
 * Returns replacements that make the service start as if its contract had more operations, each copy served by the
 * handler of its original, and the paths of copies that respond to a GET.
 */
function grown(): { readonly replacements: Replacements; readonly paths: readonly string[] } {
  const { contract, operations: copies } = growContract(GROWN_TO);
  const table = Object.fromEntries(
    copies.map((operation) => [
      operation.operationId,
      { ...operation, operationId: operation.operationId.replace(/_copy\d+$/, '') },
    ]),
  );
  return {
    replacements: {
      '/contract/generated/operations.ts': `export const operations = ${JSON.stringify(table)};\n`,
      '/contract.runtime.json': JSON.stringify(contract),
    },
    paths: copies.filter(({ operationId }) => operationId.startsWith('listApplications')).map(({ path }) => path),
  };
}

/**
 * Measures start-up with the embedded database, as an operator sees it, and memory with the planned number of
 * operations.
 */
export async function measureFootprint(laboratory: Laboratory): Promise<Section[]> {
  const { replacements, paths } = grown();
  const DATA_DIR = join(laboratory.folder, 'start-up');
  const start = (more?: Replacements) => async (): Promise<number> => {
    await using service = await startService(laboratory.folder, { DATA_DIR }, more);
    return service.readyMilliseconds;
  };
  // The first start of each round finds no data directory.
  const startUps = await alternate(
    laboratory.extent.startUps,
    { first: start(), again: start(), grown: start(replacements) },
    (round) => {
      laboratory.say(`start-up, run ${round} …`);
      rmSync(DATA_DIR, { recursive: true, force: true });
    },
  );
  laboratory.say(`memory with ${GROWN_TO} operations …`);
  const headers = laboratory.callers[0]?.apiKey ?? {};
  await using service = await laboratory.startService({}, replacements);
  const ready = await residentMegabytes(service);
  const slowest: number[] = [];
  for (let round = 0; round < 3; round++) {
    const times: number[] = [];
    for (const path of paths) {
      const begun = performance.now();
      await (await fetch(service.url + path, { headers })).arrayBuffer();
      times.push(performance.now() - begun);
    }
    slowest.push(Math.max(...times));
  }
  await laboratory.contender(service, {
    requests: paths.map((path) => ({ method: 'GET', path, headers })),
    expectedStatus: 200,
  })(Math.max(0.05, laboratory.extent.warmUpSeconds));
  const warm = await residentMegabytes(service);
  return [
    {
      title: 'Start-up and memory',
      raw: {
        startUps,
        ready,
        slowest,
        warm,
      },
      rows: [
        ['ready, new data directory', amount(median(startUps.first), 'ms')],
        ['ready, existing data directory', amount(median(startUps.again), 'ms')],
        [`ready, existing data directory, ${GROWN_TO} operations`, amount(median(startUps.grown), 'ms'), '≤ 1500 ms'],
        [
          `slowest first call of an operation, ${GROWN_TO} operations`,
          amount(slowest[0] ?? Number.NaN, `ms (third: ${round(slowest[2] ?? Number.NaN)} ms)`),
        ],
        [`resident when ready, ${GROWN_TO} operations`, amount(ready, 'MB')],
        [`resident after load, ${GROWN_TO} operations`, amount(warm, 'MB'), '≤ 200 MB'],
      ],
    },
  ];
}

/** Measures the CPU microseconds per request if the credential was seen before. */
export async function measureAuthentication({
  database: { database, secrets },
  callers,
  extent,
  say,
}: Laboratory): Promise<Section[]> {
  say('authentication …');
  const clock = () => new Date();
  const credentials = new CredentialCache(new CredentialStore(database), clock, () => true);
  const failures = new FailedAuthenticationLimiter(1, clock);
  const keys = new ApiKeyVerifier(credentials, secrets, failures);
  const authenticator = new Authenticator({
    tokens: new AccessTokens(secrets, clock),
    credentials,
    clock,
    keys,
    failures,
    onKeyUse: () => {},
  });
  const turn = (presented: readonly Readonly<Record<string, string>>[]) => {
    // Node lower-cases the names of header fields.
    const headers = presented.map((fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])),
    );
    return () =>
      cpuPerCall(
        CALLS,
        (count) => headers[count % headers.length] ?? {},
        (fields) => authenticator.authenticate(operations.getApplication, fields, '127.0.0.1'),
      );
  };
  const contenders = {
    apiKey: turn(callers.map(({ apiKey }) => apiKey)),
    token: turn(await Promise.all(callers.map((caller) => caller.client(['read'])))),
  };
  await alternate(2, contenders);
  const raw = await alternate(extent.rounds, contenders);
  return [
    {
      title: 'Authentication of a request, warm, CPU',
      raw,
      rows: [
        ['API key', amount(median(raw.apiKey), 'µs'), '≤ 10 µs'],
        ['access token (JWT)', amount(median(raw.token), 'µs'), '≤ 10 µs'],
      ],
    },
  ];
}
