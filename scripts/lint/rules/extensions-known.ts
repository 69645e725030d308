import { namesOn } from '../../contract/dialect.ts';
import type { Rule } from '../rule.ts';
import { operationSites, parameterSites } from '../walk.ts';
import { schemaSites } from '../walk-schemas.ts';

/** A mistyped extension would be silently without effect. */
export const extensionsKnown: Rule = (contract, report) => {
  const sites = [
    ...operationSites(contract).map(({ operation, pointer }) => ({ node: operation, pointer, known: namesOn('operation') })),
    ...parameterSites(contract).map(({ parameter, pointer }) => ({ node: parameter, pointer, known: namesOn('parameter') })),
    ...schemaSites(contract).map(({ schema, pointer }) => ({ node: schema, pointer, known: namesOn('schema') })),
  ];
  for (const { node, pointer, known } of sites) {
    for (const name of Object.keys(node)) if (name.startsWith('x-') && !known.has(name)) report([...pointer, name], `The dialect has no \`${name}\` here.`);
  }
};
