/**
 * Waits for a response and reads its body. Used by the transport. Redirects and successes that are not JSON are errors;
 * unread responses are released.
 */
import { until } from './abort.ts';
import { InvalidResponseError, isRecord, RedirectError } from './errors.ts';
import type { Operation } from './operation.ts';

/**
 * Waits for a response. A response that arrives after the call was aborted is cancelled, so that its connection is
 * released.
 */
export async function arrival(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    return await until(answer, signal);
  } catch (failure) {
    answer.then(drop).catch(() => undefined);
    throw failure;
  }
}

/** Releases the connection of a response that is not read. The body of `node-fetch` is a stream of Node. */
export async function drop({ body }: Response): Promise<void> {
  const stream = body as (Partial<ReadableStream> & { readonly destroy?: () => void }) | null;
  await (stream?.cancel ? stream.cancel() : stream?.destroy?.());
}

/** Returns the parsed body without changes: unknown members and values are kept. Undefined if there is none. */
export async function receive(
  response: Response,
  { marks, members: [list] }: Operation,
  unread: boolean,
): Promise<unknown> {
  const { ok, status, type } = response;
  // A browser reveals a redirect only by the type of the response.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await drop(response);
    throw new RedirectError('Redirects are not followed: is baseUrl right?');
  }
  if (ok && unread) return undefined;
  const text = await response.text();
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    // The parser's own message would quote the body.
    if (ok) throw new InvalidResponseError(response, 'the body is not JSON');
    return text;
  }
  if (
    ok &&
    !marks.includes('n') &&
    !(
      isRecord(body) &&
      (list === undefined || marks.includes('f') || (Array.isArray(body[list.split('.', 1)[0]!]) && 'hasMore' in body))
    )
  ) {
    throw new InvalidResponseError(
      response,
      body === undefined ? 'the body is empty' : 'the body is not as documented',
    );
  }
  return body;
}
