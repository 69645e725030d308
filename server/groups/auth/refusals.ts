import { Problem, type ProblemCode } from '../../http/problem.ts';

/** RFC 9110 §15.5.2 asks for a challenge with every 401. */
export function unauthorized(code: ProblemCode & ('invalid_credentials' | 'mfa_required' | 'invalid_mfa_code' | `refresh_token_${string}`)): Problem {
  return new Problem(code).with({ 'WWW-Authenticate': 'Bearer realm="api"' });
}

export function waitFor(code: 'account_locked' | 'rate_limited', seconds: number): Problem {
  return new Problem(code, { retryable: true, retryAfter: seconds }).with({ 'Retry-After': String(seconds) });
}
