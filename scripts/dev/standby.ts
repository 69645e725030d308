/**
 * Program of each service that `make dev` runs. It loads everything, opens the database, compiles the present contract,
 * so that only the changes of the next contract are left to compile, and waits for that contract. Usage: node
 * standby.ts ROOT, with a channel.
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { RuntimeContract } from '../../server/contract/pruned-contract.ts';
import { GENERATED, replaceTables, TABLES } from './enforceable.ts';
import type { Answer, Order } from './service.ts';

const root = process.argv[2] as string;
const folder = Promise.withResolvers<string>();
const address = Promise.withResolvers<void>();
let isWanted = false;
let isServing = false;
let isSuccessor = false;

process.on('message', (order: Order) => {
  if (order === 'listen' || order === 'listen first') {
    isSuccessor = order === 'listen';
    address.resolve();
  } else if (order === 'release') release();
  else {
    isWanted = true;
    folder.resolve(order.enforce);
  }
});
// Ends itself if its parent is gone, because nothing else would end it.
process.on('disconnect', () => process.exit(1));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (!isServing) process.exit(0);
  });

enableCompileCache(join(root, 'node_modules/.cache/compile'));
const { run } = await load<typeof import('../../server/run.ts')>('server/run.ts');
const { operations } = await load<typeof import('../../server/contract/generated/operations.ts')>(
  `${GENERATED}/operations.ts`,
);
const { keepCompilations } = await load<typeof import('../../server/request/validator-adapter.ts')>(
  'server/request/validator-adapter.ts',
);
const { CachedValidators } = await load<typeof import('../../server/request/cached-validators.ts')>(
  'server/request/cached-validators.ts',
);
const { Validators } = await load<typeof import('../../server/request/validate.ts')>('server/request/validate.ts');

process.exit(await run([], process.env, { contract, address: prepared, isSuccessor: () => isSuccessor }));

async function contract(): Promise<RuntimeContract> {
  if (!isWanted) warm();
  const wanted = await folder.promise;
  for (const name of TABLES) await replaceTables(await load(`${GENERATED}/${name}.ts`), wanted, name);
  return read(wanted);
}

function prepared(): Promise<void> {
  say('prepared');
  return address.promise.then(() => {
    isServing = true;
  });
}

function warm(): void {
  keepCompilations();
  try {
    const generated = read(join(root, GENERATED));
    const validators = new Validators(generated, new CachedValidators(generated));
    for (const operation of Object.values(operations)) validators.compile(operation);
  } catch {
    // A failure is not final: the next contract may be valid.
  }
}

/** Ends as on SIGTERM: the service closes its port at once and finishes its open requests afterwards. */
function release(): void {
  process.emit('SIGTERM');
  setImmediate(() => say('released'));
}

function say(answer: Answer): void {
  process.send?.(answer);
}

function read(from: string): RuntimeContract {
  return JSON.parse(readFileSync(join(from, 'contract.runtime.json'), 'utf8')) as RuntimeContract;
}

function load<T>(path: string): Promise<T> {
  return import(join(root, path)) as Promise<T>;
}
