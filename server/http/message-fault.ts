import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.ts';

/** RFC 9110 §7.2: uri-host [ ":" port ], which may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\dA-Fa-f:.]+\])(?::\d{0,5})?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)$/i;
/** Fields of which the parser keeps the first and drops the others, while a proxy may have gone by the last. */
const SINGLE: ReadonlySet<string> = new Set(['host', 'content-type', 'authorization']);
const MOST_FIELDS = 100;

/** What is wrong with a message that is HTTP for the parser; brings its target into origin-form. */
export function faultOf(request: IncomingMessage): Problem | null {
  const { rawHeaders, headers } = request;
  if (rawHeaders.length > 2 * MOST_FIELDS) return closing(new Problem('header_fields_too_large', { detail: `At most ${MOST_FIELDS} header fields.` }));
  const repeated = repeatedField(rawHeaders);
  if (repeated !== null) return malformed(`There is more than one ${repeated} field.`);
  // RFC 9112 §3.2; HTTP/1.0 had no such field.
  if (headers.host === undefined && request.httpVersion !== '1.0') return malformed('The Host field is missing.');
  if (headers.host !== undefined && !HOST.test(headers.host)) return malformed('The Host field names no host.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return closing(new Problem('transfer_coding_unsupported'));
  if (!takeOrigin(request)) return malformed('The target names no host.');
  // A client of HTTP/1.0 cannot expect anything (RFC 9110 §10.1.1).
  const expectation = headers.expect;
  return expectation !== undefined && expectation.toLowerCase() !== '100-continue' && request.httpVersion !== '1.0' ? new Problem('expectation_failed') : null;
}

/** RFC 9112 §3.2.2: a target in absolute-form is as good as one in origin-form, and its host counts instead of the field. */
function takeOrigin(request: IncomingMessage): boolean {
  const [, host, rest = ''] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (host === undefined) return true;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return host !== '' && HOST.test(host);
}

function repeatedField(rawHeaders: readonly string[]): string | null {
  let seen = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.includes(` ${name} `)) return rawHeaders[i] as string;
    seen += ` ${name} `;
  }
  return null;
}

function malformed(detail: string): Problem {
  return closing(new Problem('malformed_request', { detail }));
}

/** Whoever disagrees about one message may disagree about where the next one begins. */
function closing(problem: Problem): Problem {
  return problem.with({ Connection: 'close' });
}
