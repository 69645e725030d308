import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { closeAtInterrupt } from '../../interrupt.ts';
import { terminate } from '../../processes.ts';
import { readMetric } from '../../service.ts';
import type { Order } from './order.ts';

export interface BareServer {
  readonly port: number;
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startBareServer(order: Order): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const died = once(child, 'exit').then((): never => { throw new Error('the bare server ended unexpectedly'); });
  died.catch(() => {});
  child.send(order);
  const [port] = (await Promise.race([once(child, 'message'), died])) as [number];
  return { port, metric: (name) => readMetric(`http://127.0.0.1:${port}`, name), stop: closeAtInterrupt(() => terminate(child)) };
}
