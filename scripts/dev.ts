/** `make dev`: the running service follows openapi.yaml. */
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cycle } from './dev/cycle.ts';
import { devDatabase } from './dev/database.ts';
import { latestOnly } from './dev/latest.ts';
import { Service } from './dev/service.ts';
import { watchFolder } from './dev/watch.ts';

const HELP = `Run the service and follow openapi.yaml: types and validation first, then the SDKs and the pages.
A broken contract leaves the running service alone and is reported with file, line, column and reason.

Usage: node scripts/dev.ts [options]
  --root DIR         repository to work in (default: this one)
  --command "A B"    run this instead of the service, without a database
  --help             this text

Environment: as the service (PORT, DATA_DIR, DATABASE_URL, …).`;

const { values } = parseArgs({
  options: { root: { type: 'string' }, command: { type: 'string' }, help: { type: 'boolean', default: false } },
});

if (values.help) console.log(HELP);
else await main(resolve(values.root ?? join(import.meta.dirname, '..')), values.command?.split(' '));

async function main(root: string, command: readonly string[] | undefined): Promise<void> {
  const database = command === undefined ? await devDatabase(process.env) : null;
  const environment = database === null ? process.env : { ...process.env, DATABASE_URL: database.url };
  const service = new Service(command ?? [process.execPath, join(root, 'server/main.ts')], environment);

  const derive = latestOnly(async () => { await cycle(root, ['typescript', 'python', 'docs'], 'SDKs and pages generated'); });
  const enforce = latestOnly(async () => {
    const pass = await cycle(root, ['lint', 'server'], 'contract enforced');
    if (pass === 'broken') console.error('dev: the contract is broken; the service goes on with the last sound one');
    if (pass === 'changed' || !service.running) await service.restart();
    // What is derived next would only slow the start that people are waiting for.
    await service.ready;
    if (pass !== 'broken') derive();
  });
  const reload = latestOnly(() => service.restart());

  const closers = [
    watchFolder(root, { recursive: false, matches: (path) => path === 'openapi.yaml' }, enforce),
    watchFolder(join(root, 'server'), { recursive: true, matches: isSource }, reload),
  ];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const close of closers) close();
      void service.stop().then(() => database?.stop()).then(() => process.exit(0));
    });
  }
  console.log(`dev: watching ${relative(process.cwd(), join(root, 'openapi.yaml'))} and ${relative(process.cwd(), join(root, 'server'))}`);
  enforce();
}

/** Generated files change together with the contract, which restarts the service itself. */
function isSource(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('generated');
}
