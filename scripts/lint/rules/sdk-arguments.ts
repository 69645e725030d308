import { bodyModel } from '../../generate/model-body.ts';
import { argumentName, camelCase, pythonName } from '../../generate/naming.ts';
import type { Rule } from '../rule.ts';
import { operationSites, parametersOf } from '../walk.ts';

/** Options that every SDK method has besides the arguments of the contract. */
const RESERVED = new Set(['self', 'body', 'options', 'params', 'signal', 'timeout', 'max_retries', 'extra_headers', 'headers']);

/**
 * Parameters and body members become arguments of one method: their names must differ, whatever their place. The
 * validator, too, matches parameters by name alone.
 */
export const sdkArguments: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const parameters = parametersOf(contract, site);
    const body = site.operation.requestBody === undefined ? null : bodyModel(contract, site.operation.requestBody);
    const seen = new Set<string>();
    for (const name of [...parameters.map(argumentName), ...(body?.members ?? []).map((m) => m.name)]) {
      const argument = pythonName(camelCase(name));
      if (seen.has(argument)) report(site.pointer, `Two arguments are named \`${argument}\`.`);
      if (RESERVED.has(argument)) report(site.pointer, `\`${argument}\` is the name of an option of every SDK method.`);
      seen.add(argument);
    }
    if (body !== null && parameters.some((p) => p.in === 'query')) report(site.pointer, 'An operation has a body or query parameters, not both.');
  }
};
