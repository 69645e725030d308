/**
 * Runs the Redocly CLI once per message, which holds its arguments, and answers with what it wrote. The CLI has no interface for
 * programs, but it runs when its entry is loaded, and under another address an entry is loaded anew while everything it needs stays.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REDOCLY } from '../generate/redocly.ts';
import type { RedoclyResult } from '../generate/redocly.ts';

const entry = pathToFileURL(join(REDOCLY, 'lib/index.js')).href;

let runs = 0;
let written = { stdout: '', stderr: '' };
let finish: (code: number) => void = () => undefined;

enableCompileCache();
const exit = process.exit.bind(process);
process.on('disconnect', () => exit(0));
// A run is over when it asks to be called before the process exits. Then it exits, which here ends the run alone.
process.on('newListener', (event) => { if (event === 'beforeExit') setImmediate(() => process.emit('beforeExit', 0)); });
process.exit = ((code?: number) => { finish(code ?? 0); }) as typeof process.exit;
process.stdout.write = ((text: string | Uint8Array) => {
  written.stdout += String(text);
  return true;
}) as typeof process.stdout.write;
process.stderr.write = ((text: string | Uint8Array) => {
  written.stderr += String(text);
  return true;
}) as typeof process.stderr.write;

process.on('message', (args: readonly string[]) => {
  written = { stdout: '', stderr: '' };
  finish = (code) => {
    finish = () => undefined;
    process.send?.({ code, ...written } satisfies RedoclyResult);
  };
  process.argv = [process.execPath, entry, ...args];
  import(`${entry}?run=${runs++}`).catch((error: unknown) => {
    written.stderr += String(error);
    finish(1);
  });
});
