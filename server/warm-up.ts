/** Warms a service up before it reports ready. Called by start.ts. */
import { generateApiKey } from './identity/api-key.ts';

/**
 * Pages that are rendered on their first request. The warm-up requests them, because rendering would delay other
 * requests.
 */
const PAGES = ['/', '/reference', '/openapi.json', '/openapi.yaml', '/explorer', '/explorer/openapi.json', '/problems'];

/** Number of rounds after which V8 has optimised the code of the server, the router and the database client. */
const ROUNDS = 20;

/**
 * Sends the service, before it reports ready, requests that change nothing and end at different stages. The validators
 * are compiled at boot, but the surrounding code is slow until it has run, and so is the database until connections are
 * open.
 */
export async function warmUp(url: string, openConnections: () => Promise<unknown>): Promise<void> {
  await openConnections();
  for (const path of PAGES) await warmUpRequest(url + path);
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      warmUpRequest(`${url}/.well-known/jwks.json`),
      warmUpRequest(`${url}/v1/applications`),
      warmUpRequest(`${url}/v1/applications`, { 'X-API-Key': generateApiKey('live').secret }),
      warmUpRequest(`${url}/v1/applications`, { Authorization: 'Bearer e30.e30.e30' }),
    ]);
  }
}

async function warmUpRequest(url: string, headers: Record<string, string> = {}): Promise<void> {
  await (await fetch(url, { headers })).arrayBuffer();
}
