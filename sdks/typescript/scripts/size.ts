/** What the built package weighs in a bundle. Run it after `npm run build`; it fails above a budget. */
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bytes, minified and gzipped. */
export const BUDGETS = [
  { title: 'the whole client', source: 'export { ComplianceOnboarding } from "./index.js"', gzip: 12_000 },
  { title: 'one operation as a function', source: 'export { createClient, createApplication } from "./functions.js"', gzip: 5_500 },
] as const;

export interface Weight {
  readonly min: number;
  readonly gzip: number;
}

export async function weigh(source: string, dist: string = join(import.meta.dirname, '../dist')): Promise<Weight> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: dist }, bundle: true, minify: true, format: 'esm', target: 'es2022', platform: 'browser', write: false,
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { min: code.length, gzip: gzipSync(code, { level: 9 }).length };
}

if (import.meta.main) {
  for (const { title, source, gzip: budget } of BUDGETS) {
    const { min, gzip } = await weigh(source);
    console.log(`${title.padEnd(30)} ${String(min).padStart(6)} bytes min  ${String(gzip).padStart(6)} gzip  of ${budget}`);
    if (gzip > budget) process.exitCode = 1;
  }
}
