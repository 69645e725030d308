/**
 * Loaded before the service: replaces its modules and files by texts from the file that BENCH_REPLACEMENTS names, whose
 * keys are ends of paths. The service does not contain any of this, so its own code is measured.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

const { readFileSync } = fs;
const replacements = Object.entries(
  JSON.parse(readFileSync(process.env['BENCH_REPLACEMENTS'] ?? '', 'utf8')) as Record<string, string>,
);
const textFor = (path: string): string | undefined => replacements.find(([end]) => path.endsWith(end))?.[1];

registerHooks({
  load(url, context, next) {
    const source = textFor(url);
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

fs.readFileSync = ((path: unknown, ...rest: unknown[]) =>
  textFor(String(path)) ?? (Reflect.apply(readFileSync, fs, [path, ...rest]) as unknown)) as typeof readFileSync;
syncBuiltinESMExports();
