/**
 * Replaces modules and files of the service for a benchmark, for example its contract by one with more operations
 * (footprint.ts). service.ts starts the service with `--import` of this file, so the service itself needs no
 * switch for benchmarks. BENCH_REPLACEMENTS names a JSON file that maps ends of paths to the texts to load instead.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

const { readFileSync } = fs;
const replacements = Object.entries(
  JSON.parse(readFileSync(process.env['BENCH_REPLACEMENTS'] ?? '', 'utf8')) as Record<string, string>,
);
const replacementFor = (path: string): string | undefined =>
  replacements.find(([suffix]) => path.endsWith(suffix))?.[1];

registerHooks({
  load(url, context, next) {
    const source = replacementFor(url);
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

fs.readFileSync = ((path: unknown, ...rest: unknown[]) =>
  replacementFor(String(path)) ?? (Reflect.apply(readFileSync, fs, [path, ...rest]) as unknown)) as typeof readFileSync;
syncBuiltinESMExports();
