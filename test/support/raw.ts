/** Sends raw bytes over TCP and reads the raw responses. Used by tests of HTTP that no client library would send. */
import { connect } from 'node:net';

/**
 * Sends bytes unchanged, which no client library does, and returns everything received until the server closes the
 * connection.
 */
export function raw(url: string, bytes: string | Buffer, { timeout = 5000 } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.setEncoding('latin1').setTimeout(timeout, () => socket.destroy());
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(received) : reject(error),
    );
    socket.on('close', () => resolve(received));
  });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Sends one request with an unchanged target and unchanged header lines. */
export async function rawRequest(
  url: string,
  method: string,
  target: string,
  { headers = [], body = '' }: { readonly headers?: readonly string[]; readonly body?: string } = {},
): Promise<RawAnswer> {
  return parse(
    await raw(
      url,
      [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n'),
    ),
  );
}

export function parse(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map((field): [string, string] => [
      field.slice(0, field.indexOf(':')),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  const isJson = /json/.test(headers.get('content-type') ?? '');
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    body: isJson && body !== '' ? (JSON.parse(body) as Record<string, unknown>) : {},
  };
}
