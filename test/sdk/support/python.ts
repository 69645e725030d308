/** The Python SDK as a driver process, behind the same interface as the other. Used by sdks.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pythonLiteral } from '../../../scripts/generate/code-samples/python.ts';
import type { ApiModel, OperationModel } from '../../../scripts/generate/model.ts';
import type { CallInput, CallOptions, ClientOptions, Outcome, Sdk, SdkClient } from './sdk.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Returns the clients of the Python SDK, synchronous or not, in a separate process. */
export function pythonSdk(model: ApiModel, kind: 'sync' | 'async'): Sdk {
  const process_ = spawn(join(ROOT, '.venv/bin/python'), ['-X', 'utf8', join(ROOT, 'test/sdk/driver.py')], {
    env: { ...process.env, PYTHONPATH: join(ROOT, 'sdks/python/src') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const logs: string[] = [];
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>();
  let last = 0;
  createInterface({ input: process_.stdout }).on('line', (line) => {
    const {
      id = 0,
      result,
      broken,
      log,
    } = JSON.parse(line) as {
      id?: number;
      result?: unknown;
      broken?: string;
      log?: string;
    };
    if (log !== undefined) logs.push(log);
    if (broken === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(broken));
    waiting.delete(id);
  });
  process_.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the Python process ended'));
  });
  const command = <T>(members: object): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve: resolve as (value: unknown) => void, reject });
      process_.stdin.write(`${JSON.stringify({ id: last, ...members })}\n`);
    });
  return {
    name: `Python ${kind}`,
    logs,
    async open(options) {
      const client = `client-${last}`;
      await command({
        do: 'open',
        client,
        kind,
        options: optionsOf(options),
      });
      return clientOf(model, client, command);
    },
    async stop() {
      process_.stdin.end();
      if (process_.exitCode === null) await once(process_, 'exit');
    },
  };
}

function clientOf(model: ApiModel, client: string, command: <T>(members: object) => Promise<T>): SdkClient {
  return {
    call: (operation, input, options) =>
      command<Outcome>({ do: 'call', client, ...callOf(model, operation, input, options) }),
    many: (operation, input, times) =>
      command({
        do: 'many',
        client,
        times,
        ...callOf(model, operation, input),
      }),
    walk: (operation, input, most, options) =>
      command({
        do: 'walk',
        client,
        most,
        ...callOf(model, operation, input, options),
      }),
    follow: ({ sdk }, most) =>
      command({
        do: 'follow',
        client,
        most,
        method: sdk.python.replace(/\w+$/, 'follow'),
        positional: [],
        keywords: '{}',
        files: {},
        options: { min_interval: 0.01, max_interval: 0.01 },
      }),
    resume: (idempotencyKey) => command({ do: 'resume', client, idempotencyKey }),
    close: () => command({ do: 'close', client }),
  };
}

function membersOf(body: OperationModel['body'], input: CallInput) {
  if (body === null || input.body === undefined) return [];
  if (body.members === null)
    return [['body', input.body, { $ref: `#/components/schemas/${body.schemaName ?? ''}` }] as const];
  return body.members.map(({ name, python, schema }) => [python, input.body?.[name], schema] as const);
}

function callOf(
  { schemas }: ApiModel,
  { sdk, parameters, body }: OperationModel,
  input: CallInput,
  options: CallOptions = {},
): object {
  const named = [...parameters.query, ...parameters.header].map(
    ({ name, python, schema }) => [python, input.query?.[name] ?? input.headers?.[name], schema] as const,
  );
  const keywords = [...membersOf(body, input), ...named]
    .filter(([, value]) => value !== undefined)
    .map(([name, value, schema]) => `'${name}': ${pythonLiteral(value, schema, schemas)}`);
  const files = Object.entries(input.files ?? {}).map(([name, { name: fileName, bytes, type }]) => [
    body?.members?.find((member) => member.name === name)?.python,
    [fileName, Buffer.from(bytes).toString('base64'), type],
  ]);
  return {
    method: sdk.python,
    positional: input.path ?? [],
    keywords: `{${keywords.join(', ')}}`,
    files: Object.fromEntries(files),
    options: optionsOf(options),
  };
}

/** Converts the options: in Python times are in seconds, and names in snake case. */
function optionsOf({ timeout, deadline, idleTimeout, ...others }: Partial<ClientOptions> & CallOptions): object {
  const seconds = Object.entries({ timeout, deadline, idle_timeout: idleTimeout })
    .filter(([, ms]) => ms !== undefined)
    .map(([name, ms]) => [name, ms! / 1000]);
  const renamed = Object.entries(others).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries([...seconds, ...renamed]);
}
