/**
 * Loaded before the service: puts other modules and files in the place of its own, as BENCH_REPLACEMENTS says. The service
 * itself knows nothing of this, so what is measured is its own code.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import type { Replacements } from './service.ts';

const { modules, files } = JSON.parse(process.env['BENCH_REPLACEMENTS'] ?? '{}') as Replacements;
const replacementOf = (replaced: Readonly<Record<string, string>>, name: string): string | undefined => Object.entries(replaced).find(([end]) => name.endsWith(end))?.[1];
const { readFileSync } = fs;

registerHooks({
  load(url, context, next) {
    const file = replacementOf(modules, url);
    return file === undefined ? next(url, context) : { format: 'module', source: readFileSync(file, 'utf8'), shortCircuit: true };
  },
});

fs.readFileSync = ((path: unknown, ...rest: unknown[]) => Reflect.apply(readFileSync, fs, [replacementOf(files, String(path)) ?? path, ...rest]) as unknown) as typeof readFileSync;
syncBuiltinESMExports();
