/** What a call costs with an SDK beside the bare HTTP library on loopback, how late a deadline ends it, and what an SDK weighs. */
import { execFile } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ComplianceOnboarding } from '../../sdks/typescript/src/index.ts';
import { BUDGETS, weigh } from '../../sdks/typescript/scripts/size.ts';
import { alternate, atMost, median, percentile, plain, round, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { runOnce, serve } from './program.ts';
import { examples, ROOT } from './validation.ts';

const PYTHON = join(ROOT, '.venv/bin/python');
const CALLS = 500;
const KEY = 'kyc_test_Abcdefgh_secret';
const ID = '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21';
const run = promisify(execFile);

/** How an answer can keep a caller waiting; each is the first segment of an address. */
const SLOW: Readonly<Record<string, { readonly what: string; readonly answer: (response: ServerResponse) => void }>> = {
  silence: { what: 'no answer', answer: () => undefined },
  stop: { what: 'a body that stops', answer: (response) => { response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"id":'); } },
  trickle: {
    what: 'a body that trickles',
    answer: (response) => {
      const drops = setInterval(() => response.write(' '), 5);
      response.writeHead(200, { 'content-type': 'application/json' }).on('close', () => clearInterval(drops));
    },
  },
  refusal: { what: 'refusals without end', answer: (response) => { response.writeHead(503).end(); } },
};

/** Answers at once with `body`, or as slowly as the address says. */
async function startServer(body: unknown): Promise<{ readonly url: string; stop(): void }> {
  const fast = Buffer.from(JSON.stringify(body));
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    const slow = SLOW[request.url?.split('/')[1] ?? ''];
    if (slow === undefined) response.writeHead(200, { 'content-type': 'application/json', 'content-length': fast.length }).end(fast);
    else slow.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => { server.closeAllConnections(); server.close(); } };
}

interface Order { readonly url: string; readonly rounds: number; readonly deadlines: number }

/** Microseconds of a call, by round, and milliseconds by which calls ended later than a bare timer of their deadline. */
interface Figures {
  readonly cost: Readonly<Record<'raw' | 'sdk', readonly number[]>>;
  readonly late: Readonly<Record<string, readonly number[]>>;
}

/** The program: the same as python_client.py, for TypeScript. */
async function measureTypeScript({ url, rounds, deadlines }: Order): Promise<Figures> {
  const client = new ComplianceOnboarding({ baseUrl: url, apiKey: KEY });
  const timed = (work: () => PromiseLike<unknown>) => async (): Promise<number> => {
    const begun = performance.now();
    for (let call = 0; call < CALLS; call++) await work();
    return (performance.now() - begun) / CALLS * 1_000;
  };
  const contenders = {
    raw: timed(async () => (await fetch(`${url}/v1/applications/${ID}`, { headers: { 'X-API-Key': KEY } })).json()),
    sdk: timed(() => client.applications.get(ID)),
  };
  await alternate(1, contenders);
  const cost = await alternate(rounds, contenders);
  const late: Record<string, number[]> = {};
  for (const slow of Object.keys(SLOW)) {
    const slowly = new ComplianceOnboarding({ baseUrl: `${url}/${slow}`, apiKey: KEY, timeout: 10_000, maxRetries: 1_000, retryBudget: Infinity });
    late[slow] = [];
    for (let turn = 0; turn < deadlines; turn++) {
      const deadline = 100 + (turn % 5) * 20;
      // A busy machine is late with any timer; what counts is how much later than a bare one the call ends.
      const bare = new Promise<number>((resolve) => { setTimeout(() => resolve(performance.now()), deadline); });
      const ended = slowly.applications.get(ID, { deadline }).catch(() => undefined).then(() => performance.now());
      late[slow].push(await ended - await bare);
    }
  }
  return { cost, late };
}

export async function measureSdks({ extent: { rounds, deadlines }, say }: Laboratory): Promise<Section[]> {
  say('SDKs …');
  const server = await startServer(examples().application);
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'sdks/python/src') };
  const python = async (...args: string[]): Promise<string> => (await run(PYTHON, args, { env })).stdout;
  try {
    const order = { url: server.url, rounds, deadlines };
    const typescript = await runOnce<Order, Figures>(import.meta.filename, order);
    const both = JSON.parse(await python(join(import.meta.dirname, 'python_client.py'), ...[server.url, KEY, ID, rounds, CALLS, deadlines, Object.keys(SLOW)].map(String))) as Record<'sync' | 'async', Figures>;
    const clients = { 'TypeScript': typescript, 'Python, synchronous': both.sync, 'Python, asynchronous': both.async };
    const start = async (program: string): Promise<{ readonly wall: number; readonly output: number }> => {
      const begun = performance.now();
      return { output: Number(await python('-c', program)), wall: performance.now() - begun };
    };
    const interpreters = { bare: () => start(''), sdk: () => start('import time; a = time.process_time(); import compliance_onboarding; print(time.process_time() - a)') };
    // The first start reads from the disk what the others find in memory.
    await alternate(1, interpreters);
    const imports = await alternate(rounds, interpreters);
    const wall = (turns: typeof imports.sdk): number => median(turns.map((one) => one.wall));
    // What was built before may be of an older source.
    await run('npm', ['run', '--silent', '--prefix', join(ROOT, 'sdks/typescript'), 'build']);
    const weights = await Promise.all(BUDGETS.map(async ({ title, source, gzip: budget }) => ({ title, budget, bytes: (await weigh(source)).gzip })));
    return [{
      title: 'SDKs: a call beside the bare HTTP library on loopback, and how much later than a bare timer a deadline ends a call', raw: { clients, imports, weights },
      rows: [
        ...Object.entries(clients).map(([name, { cost }]) => costRow(name, median(cost.raw), median(cost.sdk))),
        ...Object.entries(clients).flatMap(([name, { late }]) => Object.entries(late).map(([slow, times]) => lateRow(`${name}: late, ${SLOW[slow]?.what}`, times))),
        plain('Python: a new interpreter, with the import / without', `${round(wall(imports.sdk))} / ${round(wall(imports.bare))} ms`),
        atMost('Python: import', wall(imports.sdk) - wall(imports.bare), 500, 'ms'),
        plain('Python: import, CPU', `${round(median(imports.sdk.map((one) => one.output * 1_000)))} ms`),
        ...weights.map(({ title, bytes, budget }) => atMost(`TypeScript: ${title}, minified and gzipped`, bytes, budget, 'bytes', `${bytes} bytes`)),
      ],
    }];
  } finally {
    server.stop();
  }
}

function costRow(name: string, raw: number, sdk: number): Row {
  return plain(`${name}: one call after the other`, `${round(sdk)} µs, bare ${round(raw)} µs: ${round(sdk - raw)} µs more`);
}

function lateRow(what: string, times: readonly number[]): Row {
  const sorted = Float64Array.from(times).sort();
  const [middle, most] = [percentile(sorted, 0.5), percentile(sorted, 1)];
  return atMost(what, most, 50, 'ms', `${round(middle)} ms, most ${round(most)} ms`);
}

if (import.meta.main) serve(measureTypeScript);
