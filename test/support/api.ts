import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../generated/types.ts';
import type { Answer } from './service.ts';

export type Api = Client<paths>;

export function clientOf(baseUrl: string): Api {
  return createClient<paths>({ baseUrl });
}

/** What a method of the client promises, of whichever operation. */
interface Fetched {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer to a call that must succeed, with the body that the contract describes. */
export async function success<F extends Fetched>(answering: Promise<F>): Promise<Answer<NonNullable<F['data']>>> {
  const { data, error, response } = await answering;
  const text = textOf(data ?? error);
  if (!response.ok) throw new Error(`${response.status} in place of a success: ${text}`);
  return { status: response.status, headers: response.headers, text, body: data as NonNullable<F['data']> };
}

/** The answer to a call that must be refused, with the problem that the contract describes. */
export async function refusal<F extends Fetched>(answering: Promise<F>): Promise<Answer<NonNullable<F['error']>>> {
  const { data, error, response } = await answering;
  const text = textOf(error ?? data);
  if (response.ok) throw new Error(`${response.status} in place of a refusal: ${text}`);
  return { status: response.status, headers: response.headers, text, body: error as NonNullable<F['error']> };
}

const textOf = (body: unknown): string => (body === undefined ? '' : JSON.stringify(body));
