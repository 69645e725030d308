import { ComplianceOnboardingError } from './errors.ts';

export type QueryValue = string | number | boolean | null | undefined;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** What a generated function hands to its client: the parts of one request. */
export interface Outgoing {
  /** Template of the path. */
  readonly url: string;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly headers?: object;
  readonly body?: unknown;
  readonly bodySerializer?: (body: unknown) => unknown;
}

/** The address with its path and query; arrays repeat their name (OpenAPI: `style: form`, `explode: true`). */
export function addressOf(baseUrl: string, { url, path = {}, query }: Outgoing, extra?: Query): string {
  const place = url.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]));
  const pairs = Object.entries({ ...query, ...extra }).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => (one === undefined || one === null ? [] : [`${name}=${encodeURIComponent(String(one))}`])));
  return baseUrl + place + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
}

/** An empty or dotted identifier would silently address another resource once the URL is normalised. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new ComplianceOnboardingError(`${name} must be a non-empty identifier`);
  return encodeURIComponent(value);
}

/**
 * Later layers win, and null takes a header away. A value that could smuggle a second header in is refused; the platform's own error
 * would print it, and it may be a secret.
 */
export function headersOf(...layers: readonly (object | false | undefined)[]): Headers {
  const headers = new Headers();
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer || {}) as [string, string | null | undefined][])) {
    if (value === undefined) continue;
    if (value === null) { headers.delete(name); continue; }
    try {
      headers.set(name, value);
    } catch {
      throw new ComplianceOnboardingError(`The header ${name} holds characters that no header may carry`);
    }
  }
  return headers;
}

export function bodyOf(body: unknown, serialize: (body: unknown) => unknown = JSON.stringify): BodyInit | undefined {
  return body === undefined ? undefined : serialize(body) as BodyInit;
}
