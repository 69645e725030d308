import { isTokenEndpoint } from '../walk.ts';
import type { Rule } from '../rule.ts';

/** A path says which version of the API it belongs to; the token endpoint stands where RFC 6749 clients look for it. */
export const pathVersion: Rule = (contract, report) => {
  for (const path of Object.keys(contract.paths)) {
    if (!/^\/(api\/)?v[1-9]\d*\//.test(path) && !isTokenEndpoint(path)) report(['paths', path], 'Begin the path with its version: `/v1/…` or `/api/v1/…`.');
  }
};
