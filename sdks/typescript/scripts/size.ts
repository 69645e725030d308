/**
 * What the built package weighs in a bundle. Run it after `npm run build`; it fails above a budget.
 */
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bytes, minified and gzipped. */
const BUDGETS = [
  {
    title: 'the whole client',
    names: ['ComplianceOnboarding'],
    module: 'index',
    gzip: 12_000,
  },
  {
    title: 'one operation as a function',
    names: ['createClient', 'createApplication'],
    module: 'functions',
    gzip: 5_500,
  },
] as const;

interface Weight {
  /** What a program loads at once. */
  readonly gzip: number;
  /** What it loads when it first needs it: what trades credentials for tokens, what masks bodies in logs. */
  readonly later: number;
}

/** Bundled as Rollup, Vite and webpack do it, too: what is imported when it is needed becomes a part of its own. */
async function weigh({ names, module }: (typeof BUDGETS)[number], folder: string): Promise<Weight> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ${names.join(', ')} } from "./${module}.js"`,
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
    metafile: true,
    outdir: folder,
    absWorkingDir: folder,
  });
  const { outputs } = metafile;
  const atOnce = new Set<string>(['stdin.js']);
  for (const path of atOnce)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') atOnce.add(imported);
  const weights = outputFiles.map(({ path, contents }) => ({
    isAtOnce: atOnce.has(path.slice(folder.length + 1)),
    gzip: gzipSync(contents, { level: 9 }).length,
  }));
  const sum = (isAtOnce: boolean): number =>
    weights.filter((weight) => weight.isAtOnce === isAtOnce).reduce((total, { gzip }) => total + gzip, 0);
  return { gzip: sum(true), later: sum(false) };
}

/** Each budget with what weighs on it. */
export async function weighAll(
  dist: string = join(import.meta.dirname, '../dist'),
): Promise<(Weight & { readonly title: string; readonly budget: number })[]> {
  return Promise.all(
    BUDGETS.map(async (budget) => ({ title: budget.title, budget: budget.gzip, ...(await weigh(budget, dist)) })),
  );
}

if (import.meta.main) {
  for (const { title, gzip, later, budget } of await weighAll()) {
    console.log(
      `${title.padEnd(50)} ${String(gzip).padStart(6)} bytes gzipped of ${budget}, and ${later} when they are needed`,
    );
    if (gzip > budget) process.exitCode = 1;
  }
}
