import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';
import { schemaSites } from '../walk-schemas.ts';

const OF_OPERATIONS = new Set([
  'x-acknowledges', 'x-assumption', 'x-audit-events', 'x-deprecated-since', 'x-follow', 'x-human-only', 'x-idempotent', 'x-mfa-exempt', 'x-needs-full-data', 'x-pagination', 'x-roles',
  'x-sdk', 'x-self', 'x-state-transitions', 'x-step-up', 'x-sunset',
]);
const OF_SCHEMAS = new Set(['x-enum-open', 'x-must-be', 'x-pii', 'x-problems']);

/** A mistyped extension would be silently without effect. */
export const extensionsKnown: Rule = (contract, report) => {
  const sites = [
    ...operationSites(contract).map(({ operation, pointer }) => ({ node: operation, pointer, known: OF_OPERATIONS })),
    ...schemaSites(contract).map(({ schema, pointer }) => ({ node: schema, pointer, known: OF_SCHEMAS })),
  ];
  for (const { node, pointer, known } of sites) {
    for (const name of Object.keys(node)) if (name.startsWith('x-') && !known.has(name)) report([...pointer, name], `The dialect has no \`${name}\` here.`);
  }
};
