import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buildProblem, buildXml, signXml, type Signer } from '../providers/directory/index.ts';
import type { Reply } from './answering.ts';
import { hour, iso } from './core/time.ts';
import { Refusal } from './wire/refusal.ts';

const compress = promisify(gzip);

export interface SendingOptions {
  readonly signer: Signer;
  readonly clock: () => Date;
  readonly slowMilliseconds: number;
  readonly signal: AbortSignal;
}

/** Writes a reply as the directory does: signed, compressed when that was asked for, and disturbed where that is armed. */
export async function send(request: IncomingMessage, response: ServerResponse, reply: Reply, { signer, clock, slowMilliseconds, signal }: SendingOptions): Promise<void> {
  const { answer, disturbances } = reply;
  if (disturbances.has('slow')) await sleep(slowMilliseconds, undefined, { signal });
  const correlationId = randomBytes(16).toString('hex');
  const now = (reply.now ?? clock().getTime()) + (disturbances.has('clock_skew') ? hour : 0);
  const refused = answer instanceof Refusal;
  const signed = signXml(refused
    ? buildProblem({ ...answer.problem, correlationId })
    : buildXml(answer.root, { ResponseTime: iso(now), CorrelationId: correlationId, ...answer.content }), signer);
  // Another correlation than was signed.
  const xml = Buffer.from(disturbances.has('wrong_signature') ? signed.replace(correlationId, correlationId.split('').reverse().join('')) : signed);
  const body = disturbances.has('truncated') ? xml.subarray(0, Math.floor(xml.length / 2)) : xml;
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  response.writeHead(refused ? answer.problem.status : 200, {
    'Content-Type': refused ? 'application/problem+xml' : 'application/xml',
    ...(zipped && { 'Content-Encoding': 'gzip' }),
    ...(refused && answer.retryAfterSeconds !== null && { 'Retry-After': String(answer.retryAfterSeconds) }),
  });
  response.end(zipped ? await compress(body) : body);
}
