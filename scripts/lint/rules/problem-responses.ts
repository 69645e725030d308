import { schemaName } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { isTokenEndpoint, operationSites, responsesOf } from '../walk.ts';

/** Every error is an RFC 9457 problem; only the token endpoint answers as RFC 6749 section 5.2 demands. */
export const problemResponses: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const token = isTokenEndpoint(site.path);
    const [type, schema] = token ? ['application/json', 'OAuthError'] as const : ['application/problem+json', 'Problem'] as const;
    for (const { status, response, pointer } of responsesOf(contract, site)) {
      if (!/^[45]/.test(status)) continue;
      const media = response.content?.[type];
      if (Object.keys(response.content ?? {}).length !== 1 || media === undefined) report(pointer, `Answer ${status} with \`${type}\` alone.`);
      else if (schemaName(media.schema) !== schema) report(pointer, `The body of ${status} is \`${schema}\`.`);
    }
  }
};
