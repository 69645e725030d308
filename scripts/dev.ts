/** `make dev`: the running service follows openapi.yaml. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Background } from './dev/background.ts';
import { devDatabase } from './dev/database.ts';
import { latestOnly } from './dev/latest.ts';
import { Linter } from './dev/linter.ts';
import { pass } from './dev/pass.ts';
import { Service } from './dev/service.ts';
import { watchFolder } from './dev/watch.ts';

const HELP = `Run the service and follow openapi.yaml: validation first, then the reference, then types, SDKs and pages.
A broken contract leaves the running service alone and is reported with file, line, column and reason.

Usage: node scripts/dev.ts [options]
  --root DIR   repository to work in (default: this one)
  --help       this text

Environment: as the service (PORT, DATA_DIR, DATABASE_URL, …).`;

const { values } = parseArgs({ options: { root: { type: 'string' }, help: { type: 'boolean', default: false } } });

if (values.help) console.log(HELP);
else await main(resolve(values.root ?? join(import.meta.dirname, '..')));

async function main(root: string): Promise<void> {
  // The first thing to undo is done last; what a tool leaves lying about when it is ended goes with the folder.
  const undo: (() => void | Promise<void>)[] = [];
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(undo));
  const work = mkdtempSync(join(tmpdir(), 'dev-'));
  undo.push(() => { rmSync(work, { recursive: true, force: true }); });

  const database = await devDatabase(process.env);
  undo.push(() => database.stop());
  const service = new Service([join(import.meta.dirname, 'dev/standby.ts'), root], { ...process.env, ...database.environment });
  service.warm();
  const tools = { ...process.env, TMPDIR: work };
  const [linter, background] = [new Linter(tools), new Background(root, tools)];
  undo.push(() => linter.stop(), () => background.stop(), () => service.stop());

  let isSourceNew = false;
  const follow = latestOnly(async () => {
    const isReload = isSourceNew;
    isSourceNew = false;
    await background.stop();
    const sound = await pass({ root, staging: join(work, 'staging'), linter, service }, isReload);
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
  console.log(`dev: watching ${relative(process.cwd(), join(root, 'openapi.yaml'))} and ${relative(process.cwd(), join(root, 'server'))}`);
  follow();
}

async function end(undo: readonly (() => void | Promise<void>)[]): Promise<void> {
  for (const step of undo.toReversed()) await step();
  process.exit(0);
}

/** Generated files change together with the contract, which the service is told by itself. */
function isSource(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('generated');
}
