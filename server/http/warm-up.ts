import { generateApiKey } from './api-key.ts';

/** What is made of the documentation build for the first who asks, which would hold up everybody else. */
const PAGES = ['/', '/reference', '/openapi.json', '/openapi.yaml', '/explorer', '/explorer/openapi.json', '/problems'];

/** Rounds after which the engine has compiled the path through server, router and database client. */
const ROUNDS = 20;

/**
 * Checks are compiled at boot, but the code around them is slow until it has run, and database connections until they
 * are open. So before it reports ready, the service is sent requests that end at each stage and change nothing.
 */
export async function warmUp(url: string, openConnections: () => Promise<unknown>): Promise<void> {
  await openConnections();
  for (const path of PAGES) await call(url + path);
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      call(`${url}/.well-known/jwks.json`),
      call(`${url}/v1/applications`),
      call(`${url}/v1/applications`, { 'X-API-Key': generateApiKey('live').secret }),
      call(`${url}/v1/applications`, { Authorization: 'Bearer e30.e30.e30' }),
    ]);
  }
}

async function call(url: string, headers: Record<string, string> = {}): Promise<void> {
  await (await fetch(url, { headers })).arrayBuffer();
}
