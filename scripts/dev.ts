/** `make dev`: runs the service and applies each change of openapi.yaml to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { ConfigError } from '../server/base/config.ts';
import { EmbeddedDatabaseError } from '../server/database/embedded/account.ts';
import { Background } from './dev/background.ts';
import { developDashboard } from './dev/dashboard.ts';
import { Linter } from './dev/linter.ts';
import { pass } from './dev/pass.ts';
import { devDatabase, Service } from './dev/service.ts';
import { latestOnly, watchFolder } from './dev/watch.ts';
import { readOptions } from './options.ts';

const HELP = `Run the service and follow openapi.yaml: validation first, then the reference, then types, SDKs and pages.
A contract that cannot be read or that the linter refuses leaves the running service alone; the reason is told with
file, line and column. Examples are held against their schemas in the background, with the types.

Usage: npx node scripts/dev.ts [options]
  --root DIR   repository to work in (default: this one)
  --help       this text

Environment: as the service (PORT, DATA_DIR, DATABASE_URL, …), but with DEMO=true and LOG_LEVEL=warn unless they are
set.`;

const DEFAULT_PORT = '8080';

const { values } = readOptions({ options: { root: { type: 'string' }, help: { type: 'boolean', default: false } } });

if (values.help) console.log(HELP);
else {
  await main(resolve(values.root ?? join(import.meta.dirname, '..'))).catch((error: Error) => {
    // Errors in the environment or the folder are printed as one sentence, all others with their stack trace.
    console.error(error instanceof ConfigError || error instanceof EmbeddedDatabaseError ? error.message : error);
    process.exit(1);
  });
}

async function main(root: string): Promise<void> {
  // Cleanups, run last in, first out. Removing the folder last also removes the temporary files of tools that were
  // ended.
  const undo: (() => void | Promise<void>)[] = [];
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(undo));
  // Enables the demo login, and keeps request lines from hiding the messages about the contract.
  const environment = { DEMO: 'true', LOG_LEVEL: 'warn', ...process.env };
  const database = await devDatabase(environment);
  undo.push(() => database.stop());
  const work = mkdtempSync(join(tmpdir(), 'dev-'));
  undo.push(() => {
    rmSync(work, { recursive: true, force: true });
  });
  const service = new Service([join(import.meta.dirname, 'dev/standby.ts'), root], {
    ...environment,
    ...database.environment,
  });
  service.warm();
  const tools = { ...process.env, TMPDIR: work };
  const [linter, background] = [new Linter(tools), new Background(root, tools)];
  undo.push(
    () => linter.stop(),
    () => background.stop(),
    () => service.stop(),
  );

  let isSourceNew = false;
  const follow = latestOnly(async () => {
    const isReload = isSourceNew;
    isSourceNew = false;
    await background.stop();
    const sound = await pass(
      {
        root,
        staging: join(work, 'staging'),
        linter,
        service,
      },
      isReload,
    );
    service.warm();
    if (sound !== null) background.start();
  });
  undo.push(
    watchFolder(root, { recursive: false, matches: (path) => path === 'openapi.yaml' }, follow),
    watchFolder(join(root, 'server'), { recursive: true, matches: isSource }, () => {
      isSourceNew = true;
      follow();
    }),
  );
  const dashboard = await developDashboard(root, process.env['PORT'] ?? DEFAULT_PORT);
  undo.push(() => dashboard.close());
  console.log(`dev: the dashboard with hot reload at ${dashboard.address}`);
  console.log(
    `dev: watching ${relative(process.cwd(), join(root, 'openapi.yaml'))} and ` +
      `${relative(process.cwd(), join(root, 'server'))}`,
  );
  follow();
}

async function end(undo: readonly (() => void | Promise<void>)[]): Promise<void> {
  for (const step of undo.toReversed()) await step();
  process.exit(0);
}

/**
 * Returns whether a file is a source of the service. Generated files do not count: they change together with the
 * contract, of which the service is informed separately.
 */
function isSource(path: string): boolean {
  return (
    path.endsWith('.ts') &&
    !path.startsWith(`pages${sep}dashboard${sep}`) &&
    !path.endsWith('.test.ts') &&
    !path.includes('generated')
  );
}
