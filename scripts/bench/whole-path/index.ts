import { loginAs } from '../../../server/database/login.ts';
import type { LoadGenerator } from '../load/generator.ts';
import type { Repeating } from '../load/plan.ts';
import { alternate } from '../rounds.ts';
import { type Service, startService } from '../service.ts';
import { type BareServer, startBareServer } from './bare/index.ts';
import { type ChainFigures, verifyChains } from './chains.ts';
import { contender, type Timed } from './contender.ts';
import { environmentOf, type Laboratory, POOL_SIZE } from './laboratory.ts';
import { creations, reads } from './requests.ts';
import { multiply, type Row } from './rows.ts';

export interface WholePathOrder {
  readonly applicationsPerTenant: number;
  readonly rounds: number;
  readonly secondsPerTurn: number;
  readonly warmUpSeconds: number;
  /** The body of createApplication. */
  readonly create: object;
  readonly nodeOptions?: readonly string[];
}

export interface WholePathFigures {
  readonly GET: Readonly<Record<'ours' | 'sequence' | 'pipelined', readonly Timed[]>>;
  readonly POST: Readonly<Record<'ours' | 'sequence' | 'withKey' | 'pipelined' | 'oneTenant', readonly Timed[]>>;
  readonly chains: ChainFigures;
  /** Resident megabytes of the service after all of it. */
  readonly residentMegabytes: number;
}

/** Connections of the load, the same for every server. */
const CONNECTIONS = 16;

export async function measureWholePath(laboratory: Laboratory, generator: LoadGenerator, order: WholePathOrder, say: (line: string) => void): Promise<WholePathFigures> {
  const running: { stop(): Promise<void> }[] = [];
  try {
    const service = await startService({ folder: laboratory.folder, env: environmentOf(laboratory), nodeOptions: order.nodeOptions ?? [] });
    running.push(service);
    const bare = (pipelined: boolean): Promise<BareServer> =>
      startBareServer({ login: loginAs('app', laboratory.location, laboratory.secrets), poolSize: POOL_SIZE, pipelined, tenants: laboratory.tenants });
    const sequence = await bare(false);
    running.push(sequence);
    const pipelined = await bare(true);
    running.push(pipelined);
    const rows = await multiply(laboratory, await createOne(service, laboratory, order.create), order.applicationsPerTenant);
    const figures = await compete(order, { laboratory, generator, service, sequence, pipelined, rows }, say);
    say('walking the audit chains …');
    return { ...figures, residentMegabytes: await service.residentMegabytes(), chains: await verifyChains(laboratory) };
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

interface Field {
  readonly laboratory: Laboratory;
  readonly generator: LoadGenerator;
  readonly service: Service;
  readonly sequence: BareServer;
  readonly pipelined: BareServer;
  readonly rows: readonly Row[];
}

async function compete(order: WholePathOrder, { laboratory, generator, service, sequence, pipelined, rows }: Field, say: (line: string) => void) {
  const turns = (seconds: number) => {
    const load = { connections: CONNECTIONS, seconds, idempotencyKeys: false };
    const get: Omit<Repeating, 'port'> = { ...load, requests: reads(rows, laboratory.tenants), expectedStatus: 200 };
    const post: Omit<Repeating, 'port'> = { ...load, requests: creations(laboratory.tenants, order.create), expectedStatus: 201 };
    const onePost = { ...post, requests: creations(laboratory.tenants.slice(0, 1), order.create) };
    return {
      GET: { ours: contender(generator, service, get), sequence: contender(generator, sequence, get), pipelined: contender(generator, pipelined, get) },
      POST: {
        ours: contender(generator, service, post), sequence: contender(generator, sequence, post),
        withKey: contender(generator, service, { ...post, idempotencyKeys: true }), pipelined: contender(generator, pipelined, post),
        oneTenant: contender(generator, service, onePost),
      },
    };
  };
  const warming = turns(order.warmUpSeconds);
  await alternate(1, warming.GET, () => say('warming up GET …'));
  await alternate(1, warming.POST, () => say('warming up POST …'));
  const { GET, POST } = turns(order.secondsPerTurn);
  const show = (method: string) => (round: number): void => say(`${method}, round ${round} of ${order.rounds} …`);
  return { GET: await alternate(order.rounds, GET, show('GET')), POST: await alternate(order.rounds, POST, show('POST')) };
}

/** The application of which all others are copies; also the check that the service answers at all. */
async function createOne({ port }: Service, { tenants }: Laboratory, create: object): Promise<string> {
  const headers = { 'X-API-Key': tenants[0]?.apiKey ?? '', 'Content-Type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/v1/applications`, { method: 'POST', headers, body: JSON.stringify(create) });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST /v1/applications was answered by ${response.status}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}
