#!/usr/bin/env node
/**
 * Entry point of the process: checks the version of Node and loads server/run.ts. It must stay readable for older
 * versions of Node, so it imports the service only after the check.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const MIN_NODE_VERSION = 24;

if (Number(process.versions.node.split('.')[0]) < MIN_NODE_VERSION) {
  console.error(
    `This service needs Node ${MIN_NODE_VERSION} or later and runs on ${process.version}. ` +
      '`make start` brings its own.',
  );
  process.exit(1);
}
// Compiled modules are cached for the next start, which then takes a third less time.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));
// The service is loaded only here, after the version check, because it needs Node 24. Node before 22.18 cannot read
// TypeScript and fails at this file by itself.
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2), process.env);
