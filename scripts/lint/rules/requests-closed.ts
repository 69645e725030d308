import type { Rule } from '../rule.ts';
import { schemasReached } from '../walk-schemas.ts';

/**
 * A mistyped member must be refused, not dropped. RFC 6749 section 3.2 asks the opposite of the token endpoint, so
 * bodies that are form-encoded there are exempt.
 */
export const requestsClosed: Rule = (contract, report) => {
  for (const { schema, pointer } of schemasReached(contract, 'request')) {
    if (pointer.at(-1) === 'TokenRequest') continue;
    const part = pointer.at(-2) === 'allOf';
    const open = schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
    if ((schema.properties !== undefined || schema.allOf !== undefined) && open && !part) {
      report(pointer, 'Close this request schema: `additionalProperties: false`, or `unevaluatedProperties: false` beside `allOf`.');
    }
  }
};
