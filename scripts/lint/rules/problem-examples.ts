import { resolve } from '../../generate/contract.ts';
import type { Example } from '../../generate/contract.ts';
import type { Rule } from '../rule.ts';
import { operationSites, responsesOf } from '../walk.ts';

interface Body { readonly code?: string; readonly status?: number; readonly type?: string; readonly title?: string }

/** An example of a problem agrees with the catalogue and with the status under which it stands. */
export const problemExamples: Rule = (contract, report) => {
  const catalogue = contract.components.schemas?.['ProblemCode']?.['x-problems'] ?? {};
  for (const site of operationSites(contract)) {
    for (const { status, response, pointer } of responsesOf(contract, site)) {
      for (const [name, node] of Object.entries(response.content?.['application/problem+json']?.examples ?? {})) {
        const { code = '', ...example } = resolve<Example>(contract, node).value as Body;
        const entry = catalogue[code];
        if (entry === undefined) report(pointer, `Example \`${name}\`: \`${code}\` is not in the catalogue.`);
        else if (example.status !== entry.status || String(entry.status) !== status) report(pointer, `Example \`${name}\`: \`${code}\` is a ${entry.status}.`);
        else if (example.type !== `/problems/${code}` || example.title !== entry.title) report(pointer, `Example \`${name}\`: \`type\` and \`title\` of \`${code}\` differ from the catalogue.`);
      }
    }
  }
};
