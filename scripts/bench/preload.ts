/**
 * Loaded before the service: puts texts in the place of its modules and files, as the file BENCH_REPLACEMENTS says, whose
 * members end paths. The service itself knows nothing of this, so what is measured is its own code.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

const { readFileSync } = fs;
const replacements = Object.entries(JSON.parse(readFileSync(process.env['BENCH_REPLACEMENTS'] ?? '', 'utf8')) as Record<string, string>);
const textFor = (path: string): string | undefined => replacements.find(([end]) => path.endsWith(end))?.[1];

registerHooks({
  load(url, context, next) {
    const source = textFor(url);
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

fs.readFileSync = ((path: unknown, ...rest: unknown[]) => textFor(String(path)) ?? Reflect.apply(readFileSync, fs, [path, ...rest]) as unknown) as typeof readFileSync;
syncBuiltinESMExports();
