import { exampleOf } from '../../generate/model-body.ts';
import type { Rule } from '../rule.ts';
import { operationSites, parametersOf } from '../walk.ts';

/** Code samples fill paths and required parameters from examples. */
export const parameterExamples: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    for (const parameter of parametersOf(contract, site)) {
      if (exampleOf(contract, parameter) === undefined) report(site.pointer, `Parameter \`${parameter.name}\` has no example.`);
      if ((parameter.description ?? '') === '') report(site.pointer, `Parameter \`${parameter.name}\` has no description.`);
    }
  }
};
