import type { Rule } from '../rule.ts';
import { operationSites, parametersOf } from '../walk.ts';

/** A parameter that takes personal data finds persons by them: masking is undone by trying, unless only they may who see them anyway. */
export const needsFullData: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    for (const { name, in: place, schema, 'x-needs-full-data': marked } of parametersOf(contract, site)) {
      if (place === 'query' && schema?.['x-pii'] === true && marked !== true) report(site.pointer, `Mark the parameter \`${name}\` with \`x-needs-full-data: true\`.`);
    }
  }
};
