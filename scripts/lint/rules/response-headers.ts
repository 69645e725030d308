import type { Rule } from '../rule.ts';
import { operationSites, responsesOf } from '../walk.ts';

/**
 * Every answer carries its request id; some statuses carry what HTTP demands of them (RFC 9110, RFC 6585), and a used-up quota says
 * which one it was.
 */
const BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  201: ['Location'], 401: ['WWW-Authenticate'], 405: ['Allow'], 429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'], 503: ['Retry-After'],
};

export const responseHeaders: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    for (const { status, response, pointer } of responsesOf(contract, site)) {
      for (const name of ['X-Request-Id', ...BY_STATUS[status] ?? []]) {
        if (response.headers?.[name] === undefined) report(pointer, `Document the header \`${name}\`.`);
      }
    }
  }
};
