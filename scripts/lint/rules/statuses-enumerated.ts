import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** `default` and `4XX` leave the status open, and a typed handler or client cannot. */
export const statusesEnumerated: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    for (const status of Object.keys(operation.responses ?? {})) {
      if (!/^[1-5]\d\d$/.test(status)) report([...pointer, 'responses', status], `List every status by number instead of \`${status}\`.`);
    }
  }
};
