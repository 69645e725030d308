import { inspect } from 'node:util';
import { ApiError, ComplianceOnboarding, Download, type LogEvent } from '../../../sdks/typescript/src/index.ts';
import type { OperationModel } from '../../../scripts/generate/model.ts';
import type { CallOptions, Failure, Given, Outcome, Page, Sdk, SdkClient } from './sdk.ts';

type Answered = PromiseLike<unknown> & { pages(): AsyncIterable<Page> };
type Method = (...args: readonly unknown[]) => Answered;

/** The TypeScript SDK in this process. */
export function typescriptSdk(): Sdk {
  const logs: string[] = [];
  const tell = (message: string, event: LogEvent): void => void logs.push(`${message} ${inspect(event, { depth: null, maxStringLength: null })}`);
  return {
    name: 'TypeScript',
    logs,
    open: ({ debug = false, ...options }) => Promise.resolve(clientOf(new ComplianceOnboarding({
      ...options, ...(debug && { logLevel: 'debug' as const, logger: { debug: tell, info: tell, warn: tell } }),
    }))),
    stop: () => Promise.resolve(),
  };
}

function clientOf(client: ComplianceOnboarding): SdkClient {
  const send = (operation: OperationModel, given: Given, options?: CallOptions): Answered => methodOf(client, operation)(...argumentsOf(operation, given, options));
  const call: SdkClient['call'] = async (operation, given, options) => {
    try {
      return { ok: true, value: await plain(await send(operation, given, options)) };
    } catch (error) {
      return { ok: false, error: failureOf(error) };
    }
  };
  return {
    call,
    many: (operation, given, times) => Promise.all(Array.from({ length: times }, (): Promise<Outcome> => call(operation, given))),
    async walk(operation, given, most, options) {
      const pages: Page[] = [];
      try {
        for await (const { items, cursor, hasMore } of send(operation, given, options).pages()) {
          pages.push({ items, cursor, hasMore });
          if (pages.length === most) break;
        }
        return [pages, null];
      } catch (error) {
        return [pages, failureOf(error)];
      }
    },
    close: () => Promise.resolve(),
  };
}

function methodOf(client: ComplianceOnboarding, { sdk }: OperationModel): Method {
  const resource = sdk.resource.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], client) as Record<string, Method>;
  return (...args) => resource[sdk.method]!(...args);
}

function argumentsOf({ parameters, body }: OperationModel, given: Given, { extraHeaders, ...options }: CallOptions = {}): unknown[] {
  const headers = Object.fromEntries(parameters.header.map(({ name, typescript }) => [typescript, given.headers?.[name]]).filter(([, value]) => value !== undefined));
  const files = Object.fromEntries(Object.entries(given.files ?? {}).map(([name, { name: fileName, type, bytes }]) => [name, { name: fileName, type, data: bytes }]));
  const params = body !== null ? [given.body && { ...given.body, ...files }] : parameters.query.length > 0 ? [given.query] : [];
  return [...given.path ?? [], ...params, { ...headers, ...options, ...(extraHeaders && { headers: extraHeaders }) }];
}

async function plain(value: unknown): Promise<unknown> {
  return value instanceof Download ? Buffer.from(await value.bytes()).toString('base64') : value ?? null;
}

function failureOf(error: unknown): Failure {
  const { code, status } = error instanceof ApiError ? error : { code: null, status: null };
  const { name, message } = error as Error;
  return { name, message, code: code || null, status, shown: `${(error as Error).stack ?? ''}\n${inspect(error)}` };
}
