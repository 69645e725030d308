import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** Names that an RFC fixes in snake_case (RFC 6749 sections 4.4, 5.1 and 5.2). */
const FIXED = new Set(['grant_type', 'client_id', 'client_secret', 'access_token', 'token_type', 'expires_in', 'error_description']);

/** Members are camelCase, and neither read-only nor write-only: what is sent and what is returned are separate schemas. */
export const memberNames: Rule = (contract, report) => {
  for (const { schema, pointer } of schemaSites(contract)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const place = [...pointer, 'properties', name];
      if (!/^[a-z][a-zA-Z0-9]*$/.test(name) && !FIXED.has(name)) report(place, `Write \`${name}\` in camelCase.`);
      if ('readOnly' in member || 'writeOnly' in member) report(place, 'Write separate schemas for what is sent and what is returned.');
    }
  }
};
