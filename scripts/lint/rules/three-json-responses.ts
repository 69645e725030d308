import type { Rule } from '../rule.ts';
import { isJson, operationSites, responsesOf } from '../walk.ts';

/** Success and failure are both documented: at least three answers in JSON. */
export const threeJsonResponses: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const json = responsesOf(contract, site).filter(({ response }) => Object.keys(response.content ?? {}).some(isJson));
    if (json.length < 3) report([...site.pointer, 'responses'], `Document at least three JSON responses; there are ${json.length}.`);
  }
};
