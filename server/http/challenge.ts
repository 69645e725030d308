import { Problem, type ProblemCode } from './problem.ts';

const BEARER = 'Bearer realm="api"';
/** Not a registered scheme, but the field has no other way to name the header. */
const API_KEY = 'ApiKey realm="api", header="X-API-Key"';

/** What an operation takes, as far as a challenge can name it. */
interface Guarded {
  readonly security: readonly { readonly bearerAuth?: readonly string[]; readonly oauth2?: readonly string[]; readonly apiKey?: readonly string[] }[];
}

/** What the operation would accept (RFC 9110 §11.6.1). */
export function challengeOf({ security }: Guarded): Record<string, string> {
  const bearer = security.some((requirement) => requirement.bearerAuth !== undefined || requirement.oauth2 !== undefined);
  const key = security.some((requirement) => requirement.apiKey !== undefined);
  return { 'WWW-Authenticate': [...(bearer ? [BEARER] : []), ...(key ? [API_KEY] : [])].join(', ') };
}

/** RFC 6750 §3.1. */
export function invalidToken(code: ProblemCode, operation: Guarded): Problem {
  const problem = new Problem(code as 'token_invalid');
  const key = operation.security.some((requirement) => requirement.apiKey !== undefined);
  return problem.with({ 'WWW-Authenticate': `${BEARER}, error="invalid_token"${key ? `, ${API_KEY}` : ''}` });
}

export function insufficientScope(scopes: readonly string[]): Record<string, string> {
  return { 'WWW-Authenticate': `${BEARER}, error="insufficient_scope", scope="${scopes.join(' ')}"` };
}
