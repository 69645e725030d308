import type { Operation } from '../contract/operation.ts';

type Headers = Readonly<Record<string, string>>;
const NONE: Headers = {};

/**
 * What every answer of an operation says that will go: since when it is deprecated (RFC 9745), when it ends (RFC 8594) and
 * where to read what to call instead.
 */
export function deprecationHeaders({ deprecation }: Pick<Operation, 'deprecation'>): Headers {
  if (deprecation === null) return NONE;
  return {
    Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: '</reference>; rel="deprecation"; type="text/html"',
  };
}
