import { schemaName } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { operationSites, parametersOf, responsesOf } from '../walk.ts';

/** A list takes `cursor` and `limit` and answers `{items, cursor, hasMore}` (the event feed: `events`). */
export const pagination: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const declared = site.operation['x-pagination'];
    const success = responsesOf(contract, site).find(({ status }) => status === '200')?.response.content?.['application/json'];
    const envelope = contract.components.schemas?.[schemaName(success?.schema) ?? ''];
    if (declared === undefined) {
      if (envelope?.properties?.['hasMore'] !== undefined) report(site.pointer, 'A list states `x-pagination: { items }`.');
      continue;
    }
    const place = [...site.pointer, 'x-pagination'];
    if (!['items', 'events'].includes(declared.items)) report(place, '`items` is `items` or `events`.');
    for (const member of [declared.items, 'cursor', 'hasMore']) {
      if (envelope?.required?.includes(member) !== true) report(place, `The list requires \`${member}\`.`);
    }
    if (schemaName(envelope?.properties?.[declared.items]?.items) === null) report(place, `\`${declared.items}\` is an array of a named schema.`);
    const names = parametersOf(contract, site).filter((p) => p.in === 'query').map((p) => p.name);
    for (const name of ['cursor', 'limit']) if (!names.includes(name)) report(place, `A list takes the query parameter \`${name}\`.`);
  }
};
