/**
 * This file sends HTTPS requests to the directory with a client certificate (mutual TLS), with limits on time and size.
 * Used by client.ts and connection.ts. An answer that is late or too large is an error.
 */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { createGunzip } from 'node:zlib';
import type { Identity } from './certificate.ts';
import { DirectoryError, unreadable } from './directory.ts';
import { mostXmlBytes } from './wire/parse.ts';

/**
 * The client certificate of a participant, with a key in memory or the PKCS #11 URI (RFC 7512) of a
 * key in a security module.
 */
export type ClientIdentity = Identity | { readonly certificate: string; readonly pkcs11: string };

/**
 * Creates the TLS context. A key in a security module is used through OpenSSL's `pkcs11` engine (libp11), which the
 * operator installs and configures with OPENSSL_ENGINES and PKCS11_MODULE_PATH.
 *
 * @param authorities PEM; the only authorities that the directory's server certificate may come from
 */
export function secureContext(identity: ClientIdentity, authorities: string): SecureContext {
  const common = { ca: authorities, cert: identity.certificate, minVersion: 'TLSv1.2' } as const;
  if ('key' in identity) return createSecureContext({ ...common, key: identity.key });
  return createSecureContext({ ...common, privateKeyEngine: 'pkcs11', privateKeyIdentifier: identity.pkcs11 });
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body after decompression. */
  readonly body: Buffer;
}

export interface Timeouts {
  /** Limit for a new connection, including its TLS handshake. */
  readonly connectMilliseconds: number;
  /** Limit for a whole call, from its first attempt to the last byte of the answer. */
  readonly totalMilliseconds: number;
}

/** Keeps connections open, as the directory asks of its clients, because a mutual TLS handshake is expensive. */
export function keepAliveAgent(context: SecureContext): Agent {
  return new Agent({
    keepAlive: true,
    maxSockets: 4,
    maxFreeSockets: 4,
    secureContext: context,
    rejectUnauthorized: true,
  });
}

/**
 * Sends a GET request. If no answer arrives, sends it once more within the same total time, which is safe because it
 * only reads.
 */
export async function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
  timeouts: Timeouts,
): Promise<HttpAnswer> {
  const signal = AbortSignal.timeout(timeouts.totalMilliseconds);
  const attempt = (): Promise<HttpAnswer> => exchange(url, { agent, headers, signal }, timeouts.connectMilliseconds);
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.kind !== 'Transport') throw error;
    return attempt();
  }
}

async function exchange(url: URL, options: RequestOptions, connectMilliseconds: number): Promise<HttpAnswer> {
  const call = request(url, options);
  call.once('socket', (socket) => {
    // A pooled connection is authorized already. `reusedSocket` cannot tell, because it is not set for
    // a call that had to queue.
    if (!(socket instanceof TLSSocket) || socket.authorized) return;
    const timer = setTimeout(
      () => call.destroy(new DirectoryError('Transport', 'The directory did not accept a connection in time')),
      connectMilliseconds,
    );
    const stop = (): void => clearTimeout(timer);
    socket.once('secureConnect', stop);
    call.once('close', stop);
  });
  const response = once(call, 'response');
  // Errors after the answer has begun are reported by its stream. Without this listener they would end the process.
  call.on('error', () => undefined);
  call.end();
  try {
    const [answer]: IncomingMessage[] = await response;
    if (answer === undefined) throw noAnswer(null);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await readBody(answer) };
  } catch (error) {
    throw error instanceof DirectoryError ? error : noAnswer(error);
  }
}

const TOO_LARGE = 'it is larger than 8 MiB';

async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  const refusal = refusalOf(encoding, Number(answer.headers['content-length'] ?? 0));
  if (refusal !== null) {
    answer.destroy();
    throw unreadable(refusal);
  }
  return encoding === 'gzip' ? pipeline(answer, createGunzip(), collect) : pipeline(answer, collect);
}

function refusalOf(encoding: string, contentLength: number): string | null {
  if (encoding !== 'gzip' && encoding !== 'identity') return 'it is compressed in a way that was not asked for';
  return contentLength > mostXmlBytes ? TOO_LARGE : null;
}

/** Stops at the size limit, whatever Content-Length said: a few kilobytes of gzip can unpack to gigabytes. */
async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > mostXmlBytes) throw unreadable(TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reports only the code of a system error, because the messages of TLS errors repeat what the other side sent. */
function noAnswer(error: unknown): DirectoryError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
  if (code.startsWith('Z_')) return unreadable('its compression is broken');
  return new DirectoryError('Transport', `The directory did not answer (${code})`);
}
