#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const LEAST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  console.error(`This service needs Node ${LEAST_NODE} or later and runs on ${process.version}. \`make start\` brings its own.`);
  process.exit(1);
}
// What was compiled and freed of its types once is kept for the next start: a third less time until ready.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));
// Loaded only now: they need what Node 24 brings. A Node before 22.18 reads no TypeScript at all, so it stops at this file by itself.
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2), process.env);
