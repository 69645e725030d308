/**
 * Runs modules one after the other in one process, each with variables of its own, and reports how each ended. Started
 * by runner.ts.
 */
import { inspect } from 'node:util';

interface Order {
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
}

let output = '';
process.stdout.write = (chunk: string | Uint8Array) => {
  output += String(chunk);
  return true;
};

process.on('message', ({ url, variables }: Order) => {
  for (const name of Object.keys(process.env)) if (name.startsWith('COMPLIANCE_')) delete process.env[name];
  Object.assign(process.env, variables);
  output = '';
  const end = (failure: string | null): boolean => process.send!({ output, failure });
  import(url).then(
    () => end(null),
    (error: unknown) => end(inspect(error)),
  );
});
