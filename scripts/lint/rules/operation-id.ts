import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** `operationId` names types and handlers: camelCase. */
export const operationIdCamelCase: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    if (!/^[a-z][a-zA-Z0-9]*$/.test(operation.operationId ?? '')) report([...pointer, 'operationId'], 'Write `operationId` in camelCase, verb first.');
  }
};
