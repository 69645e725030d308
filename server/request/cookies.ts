/**
 * Reads and sets cookies, and refuses requests that a page of another site makes a browser send. Used by the endpoint
 * for operations of browsers. Cookies are not readable by scripts; two cookies of one name are treated as none, because
 * one may be forged.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../contract/problem.ts';
import type { Cookies } from './handler.ts';

/**
 * Attributes that, with the prefix `__Host-`, make a browser send the cookie only to this host, only over TLS (or to
 * itself), and never for a page of another site (RFC 6265bis §4.1.3, §5.2).
 */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Strict';

/** Cookies of one request and its response. */
export class CookieJar implements Cookies<string> {
  readonly #headers: IncomingHttpHeaders;
  readonly #kept = new Map<string, string>();

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  read(name: string): string | undefined {
    const pairs = (this.#headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`));
    return pairs.length === 1 ? pairs[0]?.slice(name.length + 1) : undefined;
  }

  keep(name: string, value: string, seconds: number): void {
    this.#kept.set(name, `${name}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}`);
  }

  clear(name: string): void {
    this.keep(name, '', 0);
  }

  /** `Set-Cookie` fields of the response. */
  get fields(): string[] {
    return [...this.#kept.values()];
  }
}

/**
 * Refuses a request that a browser makes for a page of another origin. Browsers state the origin in `Sec-Fetch-Site`
 * and `Origin`, which no script can change; if both are missing, the caller is not a current browser, and the other
 * guards must suffice. The own origin is that of the public address, or the address that the request was sent to, which
 * the service itself offers by plain HTTP. Scheme, host and port count (RFC 6454 §4), because a page that an attacker
 * on the network has injected into a plain HTTP response has the host of the public address, too.
 */
export function assertOwnPage(
  { 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders,
  publicUrl: string | null,
): void {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Problem('cross_site_request');
  if (origin === undefined) return;
  const open = URL.parse(publicUrl ?? '');
  const requested = host === undefined ? null : URL.parse(`http://${host}`);
  const isOwn =
    origin === open?.origin ||
    (origin === requested?.origin && !(open?.protocol === 'https:' && open.hostname === requested.hostname));
  if (!isOwn) throw new Problem('cross_site_request');
}
