import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

const EXTENSIONS = 'x-';
const ORDER = ['operationId', 'summary', 'description', 'tags', 'deprecated', 'security', EXTENSIONS, 'parameters', 'requestBody', 'responses'];

/** Who has read one operation knows where to look in the next: their members stand in one order. */
export const operationOrder: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    let reached = 0;
    for (const name of Object.keys(operation)) {
      const place = ORDER.indexOf(name.startsWith(EXTENSIONS) ? EXTENSIONS : name);
      if (place < reached) report([...pointer, name], `Order the members of an operation: ${ORDER.join(', ')}.`);
      reached = Math.max(reached, place);
    }
  }
};
