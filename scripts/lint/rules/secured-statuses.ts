import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** What the pipeline can answer before any handler runs is part of the contract. */
export const securedStatuses: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    const wanted = (operation.security ?? []).length > 0 ? ['401', '403', '429', '503'] : ['429', '503'];
    for (const status of wanted) {
      if (operation.responses?.[status] === undefined) report([...pointer, 'responses'], `Document status ${status}.`);
    }
  }
};
