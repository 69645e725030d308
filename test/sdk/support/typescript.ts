/** The TypeScript SDK behind the common interface. Used by sdks.ts. */
import { inspect } from 'node:util';
import {
  ApiError,
  ComplianceOnboarding,
  type ComplianceOnboardingError,
  Download,
  type LogEvent,
} from '../../../sdks/typescript/src/index.ts';
import type { OperationModel } from '../../../scripts/generate/model.ts';
import type { CallInput, CallOptions, Failure, Outcome, Page, Sdk, SdkClient } from './sdk.ts';

type Answered = PromiseLike<unknown> & { pages(): AsyncIterable<Page> };
type Method = (...args: readonly unknown[]) => Answered;

/** Returns the TypeScript SDK in this process. */
export function typescriptSdk(): Sdk {
  const logs: string[] = [];
  const tell = (message: string, event: LogEvent): void =>
    void logs.push(`${message} ${inspect(event, { depth: null, maxStringLength: null })}`);
  return {
    name: 'TypeScript',
    logs,
    open: ({ debug = false, ...options }) =>
      Promise.resolve(
        clientOf(
          new ComplianceOnboarding({
            ...options,
            ...(debug && { logLevel: 'debug' as const, logger: { debug: tell, info: tell, warn: tell } }),
          }),
        ),
      ),
    stop: () => Promise.resolve(),
  };
}

function clientOf(client: ComplianceOnboarding): SdkClient {
  const send = (operation: OperationModel, input: CallInput, options?: CallOptions): Answered =>
    methodOf(client, operation)(...argumentsOf(operation, input, options));
  const failed = new Map<string, unknown>();
  const outcomeOf = async (answer: () => PromiseLike<unknown>): Promise<Outcome> => {
    try {
      return { ok: true, value: await plain(await answer()) };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.idempotencyKey !== null) failed.set(failure.idempotencyKey, error);
      return { ok: false, error: failure };
    }
  };
  const call: SdkClient['call'] = (operation, input, options) => outcomeOf(() => send(operation, input, options));
  return {
    call,
    many: (operation, input, times) =>
      Promise.all(Array.from({ length: times }, (): Promise<Outcome> => call(operation, input))),
    async walk(operation, input, most, options) {
      const pages: Page[] = [];
      try {
        for await (const { items, cursor, hasMore } of send(operation, input, options).pages()) {
          pages.push({ items, cursor, hasMore });
          if (pages.length === most) break;
        }
        return [pages, null];
      } catch (error) {
        return [pages, failureOf(error)];
      }
    },
    async follow({ sdk }, most) {
      const taken: unknown[] = [];
      try {
        const feed = resourceOf(client, sdk)['follow']!({
          minInterval: 10,
          maxInterval: 10,
        }) as unknown as AsyncIterable<unknown>;
        for await (const event of feed) if (taken.push(event) === most) break;
        return [taken, null];
      } catch (error) {
        return [taken, failureOf(error)];
      }
    },
    resume: (idempotencyKey) => outcomeOf(() => client.resume(failed.get(idempotencyKey))),
    close: () => Promise.resolve(),
  };
}

function methodOf(client: ComplianceOnboarding, { sdk }: OperationModel): Method {
  return (...args) => resourceOf(client, sdk)[sdk.method]!(...args);
}

function resourceOf(client: ComplianceOnboarding, { resource }: OperationModel['sdk']): Record<string, Method> {
  return resource.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], client) as Record<
    string,
    Method
  >;
}

function argumentsOf(
  { parameters, body }: OperationModel,
  input: CallInput,
  { extraHeaders, ...options }: CallOptions = {},
): unknown[] {
  const headers = Object.fromEntries(
    parameters.header
      .map(({ name, typescript }) => [typescript, input.headers?.[name]])
      .filter(([, value]) => value !== undefined),
  );
  const files = Object.fromEntries(
    Object.entries(input.files ?? {}).map(([name, { name: fileName, type, bytes }]) => [
      name,
      { name: fileName, type, data: bytes },
    ]),
  );
  const query = parameters.query.length > 0 ? [input.query] : [];
  const params = body !== null ? [input.body && { ...input.body, ...files }] : query;
  return [...(input.path ?? []), ...params, { ...headers, ...options, ...(extraHeaders && { headers: extraHeaders }) }];
}

async function plain(value: unknown): Promise<unknown> {
  return value instanceof Download ? Buffer.from(await value.bytes()).toString('base64') : (value ?? null);
}

function failureOf(error: unknown): Failure {
  const { code, status } = error instanceof ApiError ? error : { code: null, status: null };
  const { name, message, outcome, idempotencyKey } = error as ComplianceOnboardingError;
  return {
    name,
    message,
    code: code || null,
    status,
    outcome: outcome ?? null,
    idempotencyKey: idempotencyKey ?? null,
    shown: `${(error as Error).stack ?? ''}\n${inspect(error)}`,
  };
}
