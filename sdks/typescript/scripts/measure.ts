/**
 * Measures what a user of the package would: how far limits are overshot, and what a call costs beside a bare `fetch`.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ComplianceOnboarding } from '../src/index.ts';

const ROUNDS = 100;
const CALLS = 2_000;

let answer: (response: ServerResponse) => void;
const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = new ComplianceOnboarding({
  baseUrl,
  apiKey: 'kyc_test_Abcdefgh_secret',
  retryBudget: Infinity,
  maxRetries: 9,
});

const FAULTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'no answer': () => undefined,
  'a body that stops': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
  },
  'a body that trickles': (response) => {
    const drops = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drops));
  },
  'retries and pauses': (response) => {
    response.writeHead(503).end();
  },
};

for (const [fault, handler] of Object.entries(FAULTS)) {
  answer = handler;
  const overshoots: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const deadline = 20 + (round % 10) * 20;
    // A busy machine is late with any timer; what counts is how much later than a bare one the call ends.
    const bare = new Promise<number>((resolve) => {
      setTimeout(() => resolve(performance.now()), deadline);
    });
    const ended = client.applications
      .get('a', { deadline, timeout: 10_000 })
      .catch(() => undefined)
      .then(() => performance.now());
    overshoots.push((await ended) - (await bare));
  }
  overshoots.sort((a, b) => a - b);
  console.log(
    `end of the call after a bare timer of its deadline, ${fault.padEnd(20)} p50 ${ms(overshoots[ROUNDS / 2])}  ` +
      `p99 ${ms(overshoots[ROUNDS - 2])}  max ${ms(overshoots.at(-1))}`,
  );
}

const body = JSON.stringify({ id: 'a', status: 'draft', applicant: { fullName: 'Ana Souza' } });
answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
};
const bare = async (): Promise<unknown> =>
  (await fetch(`${baseUrl}/v1/applications/a`, { headers: { 'X-API-Key': 'kyc_test_Abcdefgh_secret' } })).json();
const call = async (): Promise<unknown> => client.applications.get('a');
for (const work of [bare, call]) await timed(work);
const [fetched, called] = [await timed(bare), await timed(call)];
console.log(
  `one call after the other    fetch ${ms(fetched)}  client ${ms(called)}  difference ${ms(called - fetched)}`,
);
server.closeAllConnections();
server.close();

/** Milliseconds for one of many. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < CALLS; index++) await work();
  return (performance.now() - started) / CALLS;
}

function ms(value = Number.NaN): string {
  return `${value.toFixed(3).padStart(8)} ms`;
}
