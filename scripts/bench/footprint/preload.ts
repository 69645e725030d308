/**
 * Loaded before the service: puts a grown contract where the generated one is read. The service itself knows nothing of
 * this, so what is measured is its own code.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import type { Replacement } from './grown-service.ts';

const { operationsFile, contractFile } = JSON.parse(process.env['BENCH_REPLACEMENT'] ?? '{}') as Replacement;
const source = fs.readFileSync(operationsFile, 'utf8');
const { readFileSync } = fs;

registerHooks({
  load: (url, context, next) => (url.endsWith('/contract/generated/operations.ts') ? { format: 'module', source, shortCircuit: true } : next(url, context)),
});

fs.readFileSync = ((path: unknown, ...rest: unknown[]) =>
  Reflect.apply(readFileSync, fs, [String(path).endsWith('/contract.runtime.json') ? contractFile : path, ...rest]) as unknown) as typeof readFileSync;
syncBuiltinESMExports();
