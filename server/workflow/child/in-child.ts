/**
 * Carries out orders of the engine in child processes without environment and without rights, and ends a child that
 * exceeds its limits. Used by the module of workflows for everything that reads files or evaluates expressions.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Semaphore } from '../../base/semaphore.ts';
import type { Answer, Order } from '../compute.ts';

/** Processor time of an order, in milliseconds. A busy machine does not shorten it. */
const LIMITS: Readonly<Record<Order['do'], number>> = { read: 300, step: 300, decide: 300 };
const MEMORY_MB = 128;
const CHILDREN = 2;
const IDLE_MILLISECONDS = 30_000;
/** After this time a child has not failed by its order, but something is wrong with the machine. */
const PATIENCE_MILLISECONDS = 30_000;
const SERVER = join(import.meta.dirname, '../..');

/** Order with the processor time after which the child ends itself. */
export interface Limited {
  readonly order: Order;
  readonly milliseconds: number;
}

/** Messages of a child: it is ready, it has begun an order, or it has carried one out. */
export type Message = 'ready' | 'begun' | { readonly answer: Answer };

const running = new Semaphore(CHILDREN);
const idle = new Set<ChildProcess>();

/** Carries out an order in a child process. Resolves to `exceeded` if it takes too much processor time or memory. */
export function inChild(order: Order): Promise<Answer | 'exceeded'> {
  return running.run(async () => (await ordered(order)) ?? (await ordered(order)) ?? fail());
}

const fail = (): never => {
  throw new Error('A child process of the engine ended before it received its order.');
};

/**
 * Gives an order to a child. Resolves to null if the child ended, for whatever reason, before it received the order.
 */
async function ordered(order: Order): Promise<Answer | 'exceeded' | null> {
  const kept = idle.values().next().value;
  const child = kept ?? started();
  idle.delete(child);
  const { promise, resolve, reject } = Promise.withResolvers<Answer | 'exceeded' | null>();
  let hasBegun = false;
  const send = (): unknown => child.send({ order, milliseconds: LIMITS[order.do] } satisfies Limited, () => undefined);
  const onMessage = (message: Message): void => {
    if (message === 'ready') send();
    else if (message === 'begun') hasBegun = true;
    else resolve(message.answer);
  };
  const onExit = (_: number | null, signal: NodeJS.Signals | null): void => {
    if (!hasBegun && child.pid !== undefined) resolve(null);
    else if (child.pid === undefined || signal === 'SIGKILL' || signal === 'SIGTERM') reject(new Error(ENDED));
    else resolve('exceeded');
  };
  const timer = setTimeout(() => reject(new Error(ENDED)), PATIENCE_MILLISECONDS);
  child.on('message', onMessage).once('exit', onExit).once('error', onExit);
  if (kept !== undefined) send();
  try {
    const answer = await promise;
    if (answer === 'exceeded' || answer === null) child.kill('SIGKILL');
    else keep(child);
    return answer;
  } catch (failure) {
    child.kill('SIGKILL');
    throw failure;
  } finally {
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit).off('error', onExit);
  }
}

const ENDED = 'A child process of the engine ended without a fault of its order.';

/** Keeps a child for a while, because starting one takes longer than most orders. */
function keep(child: ChildProcess): void {
  idle.add(child);
  setTimeout(() => {
    if (idle.delete(child)) child.kill('SIGKILL');
  }, IDLE_MILLISECONDS).unref();
}

function started(): ChildProcess {
  const packages = join(SERVER, '../node_modules');
  // Where the packages are a link, a module is found by the link and read from its target.
  const readable = [SERVER, ...(existsSync(packages) ? [packages, realpathSync(packages)] : [])];
  const child = fork(join(import.meta.dirname, 'child.ts'), {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [
      '--permission',
      '--allow-worker',
      `--max-old-space-size=${MEMORY_MB}`,
      ...readable.map((path) => `--allow-fs-read=${join(path, '*')}`),
    ],
  });
  // An error without a listener would end the service.
  child.on('error', () => undefined);
  child.on('exit', () => void idle.delete(child));
  child.unref();
  child.channel?.unref();
  return child;
}
