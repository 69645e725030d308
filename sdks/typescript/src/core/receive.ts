import { until } from './abort.ts';
import { ConnectionError, RedirectError } from './errors.ts';

/** Waits for an answer. One that comes after it was given up is cancelled, so that its connection is free again. */
export async function arrival(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    return await until(answer, signal);
  } catch (failure) {
    answer.then(({ body }) => body?.cancel()).catch(() => undefined);
    throw failure;
  }
}

/** The body of an answer as it came, parsed: unknown members and values stay. Undefined if there is none. */
export async function receive(response: Response, binary: boolean | undefined): Promise<unknown> {
  const { ok, status, type, body } = response;
  // A browser tells of a redirect only by the type.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await body?.cancel();
    throw new RedirectError('Redirects are not followed: is baseUrl right?');
  }
  if (ok && binary) return undefined;
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message would quote the body.
    if (ok) throw new ConnectionError(new Error('the body is not JSON'));
    return text;
  }
}
