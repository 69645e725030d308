/** `make sdks`: builds both SDK packages, as they would be published, into build/packages. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

if (process.argv.includes('--help')) {
  console.log(
    'Build the npm tarball and the Python wheel and sdist into build/packages and check them.\n\n' +
      'Usage: npx node scripts/build-sdks.ts\n' +
      'Exit status: 0 built and checked, 1 not.',
  );
  process.exit(0);
}

const root = resolve(import.meta.dirname, '..');
const out = join(root, 'build/packages');
const typescript = join(root, 'sdks/typescript');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Fixed timestamp, so that the same sources give the same bytes (reproducible-builds.org). */
const SOURCE_DATE_EPOCH = '1767225600';

run(typescript, 'tsdown', []);
run(typescript, 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out]);
run(typescript, 'publint', ['--strict']);
const [tarball = ''] = readdirSync(out);
run(root, 'attw', [join(out, tarball), '--no-emoji']);
run(root, '.venv/bin/python', ['-m', 'build', '--no-isolation', '--outdir', out, 'sdks/python']);
for (const name of readdirSync(out))
  console.log(`${String(statSync(join(out, name)).size).padStart(8)} bytes  build/packages/${name}`);

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, SOURCE_DATE_EPOCH },
  });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}`);
  process.exit(1);
}
