import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadGenerator } from '../load/generator.ts';
import type { Repeating } from '../load/plan.ts';
import { alternate } from '../rounds.ts';
import { startService, type Service } from '../service.ts';
import { verifyChains, type ChainFigures } from '../whole-path/chains.ts';
import { contender, type Timed } from '../whole-path/contender.ts';
import { environmentOf, type Laboratory } from '../whole-path/laboratory.ts';
import { creations } from '../whole-path/requests.ts';

export interface AuditOrder {
  readonly rounds: number;
  readonly secondsPerTurn: number;
  readonly warmUpSeconds: number;
  /** The body of createApplication. */
  readonly create: object;
}

export type Pair = Readonly<Record<'audited' | 'unaudited', readonly Timed[]>>;

export interface AuditFigures {
  /** Of 200 connections that all write to one tenant, whose chain they share, as the SDKs write: with an idempotency key. */
  readonly oneTenant: Pair;
  /** The same without the key, which nobody who might have to repeat a write should leave out. */
  readonly withoutKey: Pair;
  readonly manyTenants: Pair;
  readonly chains: ChainFigures;
}

export const WRITERS = 200;
const CONNECTIONS = 16;

/** The same service with and without its audit log, on the same database: what the log costs a write. */
export async function measureAudit(laboratory: Laboratory, generator: LoadGenerator, order: AuditOrder, say: (line: string) => void): Promise<AuditFigures> {
  const start = (nodeOptions: readonly string[]): Promise<Service> => startService({ folder: laboratory.folder, env: environmentOf(laboratory), nodeOptions });
  const running: Service[] = [];
  try {
    running.push(await start([]), await start(['--import', pathToFileURL(join(import.meta.dirname, 'preload.ts')).href]));
    const [audited, unaudited] = running as [Service, Service];
    const pair = (connections: number, tenants: Laboratory['tenants'], seconds: number, idempotencyKeys = true) => {
      const plan: Omit<Repeating, 'port'> = { connections, seconds, idempotencyKeys, requests: creations(tenants, order.create), expectedStatus: 201 };
      return { audited: contender(generator, audited, plan), unaudited: contender(generator, unaudited, plan) };
    };
    // The last tenant: other sections have filled the chain of the first.
    const one = laboratory.tenants.slice(-1);
    await alternate(1, pair(CONNECTIONS, laboratory.tenants, order.warmUpSeconds), () => say('warming up writes with and without audit …'));
    const show = (what: string) => (round: number): void => say(`writes with and without audit, ${what}, round ${round} of ${order.rounds} …`);
    return {
      oneTenant: await alternate(order.rounds, pair(WRITERS, one, order.secondsPerTurn), show('one tenant')),
      withoutKey: await alternate(order.rounds, pair(WRITERS, one, order.secondsPerTurn, false), show('one tenant, no key')),
      manyTenants: await alternate(order.rounds, pair(CONNECTIONS, laboratory.tenants, order.secondsPerTurn), show('fifty tenants')),
      chains: await verifyChains(laboratory),
    };
  } finally {
    await Promise.all(running.map((service) => service.stop()));
  }
}
