/**
 * Addresses, headers and bodies as they are sent. Used by options and transport. Empty or dotted identifiers are
 * refused, because they would address something else; errors never print a header value.
 */
import { ComplianceOnboardingError } from './errors.ts';
import type { Input } from './operation.ts';

export type QueryValue = string | number | boolean | null | undefined;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** Returns the address with its path and query; arrays repeat their name (OpenAPI: `style: form`, `explode: true`). */
export function addressOf(baseUrl: string, template: string, { path = [], query, options }: Input): string {
  let position = 0;
  const values = path as Readonly<Record<string, unknown>>;
  const place = template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, values[name] ?? values[position++]));
  const pairs = Object.entries({ ...query, ...options?.query }).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
      one === undefined || one === null ? [] : [`${name}=${encodeURIComponent(String(one))}`],
    ),
  );
  return baseUrl + place + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
}

/** Rejects an empty or dotted identifier, which would silently address another resource once the URL is normalised. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new ComplianceOnboardingError(`${name} must be a non-empty identifier`);
  return encodeURIComponent(value);
}

/**
 * Merges headers; later layers win. Rejects a value that could add a second header: the platform's own error would
 * print the value, which may be a secret.
 */
export function headersOf(...layers: readonly (object | false | undefined)[]): Headers {
  const headers = new Headers();
  for (const [name, value] of layers.flatMap(
    (layer) => Object.entries(layer || {}) as [string, string | null | undefined][],
  )) {
    try {
      if (value !== undefined && value !== null) headers.set(name, value);
    } catch {
      throw new ComplianceOnboardingError(`The header ${name} has an invalid value`);
    }
  }
  return headers;
}

/** Returns the encoded body and its media type. */
export function payloadOf(
  marks: string,
  body: unknown,
  encode?: Input['encode'],
): readonly [string | Blob | null, string | null] {
  if (body === undefined) return [null, null];
  const blob = encode?.(body as object);
  return blob
    ? [blob, blob.type]
    : [JSON.stringify(body), `application/${marks.includes('m') ? 'merge-patch+' : ''}json`];
}
