/** Typed client of the API for tests. */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { operations } from '../../server/contract/generated/operations.ts';
import type { components, paths } from '../../server/contract/generated/client-types.ts';
import type { Answer } from './service.ts';

export type Api = Client<paths>;
export type Problem = components['schemas']['Problem'];

/** Documented success statuses of the operation of each response. */
const documented = new WeakMap<Response, readonly number[]>();

const rememberOperation: Middleware = {
  onResponse({ request: { method }, schemaPath, response }) {
    const operation = Object.values(operations).find(
      ({ path, method: own }) => path === schemaPath && own === method.toLowerCase(),
    );
    documented.set(
      response,
      Object.keys(operation?.responses ?? {})
        .map(Number)
        .filter((status) => status < 300),
    );
  },
};

export function clientOf(baseUrl: string): Api {
  const client = createClient<paths>({ baseUrl });
  client.use(rememberOperation);
  return client;
}

/** Requests an access token as the OAuth client of this API key (RFC 6749, section 4.4.2). */
export function requestToken(
  api: Api,
  key: string,
  { scope, headers = {} }: { readonly scope?: string; readonly headers?: Readonly<Record<string, string>> } = {},
) {
  return api.POST('/oauth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: {
      grant_type: 'client_credentials',
      client_id: key.slice(0, key.lastIndexOf('_')),
      client_secret: key,
      ...(scope !== undefined && { scope }),
    },
  });
}

/** Returns a body as a multipart form, for `bodySerializer`. */
export function multipart(body: Readonly<Record<string, string | Blob | undefined>>): FormData {
  const form = new FormData();
  for (const [name, member] of Object.entries(body)) if (member !== undefined) form.set(name, member);
  return form;
}

/** Result of any method of the client. */
interface Fetched {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the response to a call that may succeed or be refused. */
export async function outcome<F extends Fetched>(answering: Promise<F>): Promise<Answer<F['data'] | F['error']>> {
  const { data, error, response } = await answering;
  const body = data ?? error;
  return {
    status: response.status,
    headers: response.headers,
    text: body === undefined ? '' : JSON.stringify(body),
    body,
  };
}

/**
 * Returns the response to a call that must succeed, with the documented body; if several successes are documented, the
 * caller names the expected one.
 */
export async function success<F extends Fetched>(
  answering: Promise<F>,
  expected?: number,
): Promise<Answer<NonNullable<F['data']>>> {
  const { data, response } = await answering;
  const answer = await outcome(answering);
  const [only, ...others] = documented.get(response) ?? [];
  if (expected === undefined && others.length > 0)
    throw new Error(`the contract documents ${[only, ...others].join(' and ')}: name the one that is expected`);
  if (answer.status !== (expected ?? only))
    throw new Error(`${answer.status} in place of ${expected ?? only}: ${answer.text}`);
  return { ...answer, body: data as NonNullable<F['data']> };
}

/** Returns the response to a call that must be refused, with the documented problem. */
export async function refusal<F extends Fetched>(answering: Promise<F>): Promise<Answer<NonNullable<F['error']>>> {
  const { error, response } = await answering;
  const answer = await outcome(answering);
  if (response.ok) throw new Error(`${answer.status} in place of a refusal: ${answer.text}`);
  return { ...answer, body: error as NonNullable<F['error']> };
}

/** Returns status and code of a refusal. */
export const refused = ({ status, body }: Answer<unknown>): [number, string | undefined] => [status, codeOf(body)];

/** Returns the code of a problem; undefined if the body is no problem. */
export const codeOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' ? body.code : undefined;
