import type { Rule } from '../rule.ts';
import { operationSites, parametersOf } from '../walk.ts';

/** `x-idempotent` and the `Idempotency-Key` header stand together, and never on a read. */
export const idempotency: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const declared = site.operation['x-idempotent'] === true;
    const parameter = parametersOf(contract, site).some((p) => p.in === 'header' && p.name === 'Idempotency-Key');
    if (declared && !parameter) report(site.pointer, 'Declare the header parameter `IdempotencyKey`.');
    if (parameter && !declared) report(site.pointer, 'State `x-idempotent: true`.');
    if (declared && site.method === 'get') report(site.pointer, 'A read needs no idempotency key.');
    if (declared && site.operation.responses?.['409'] === undefined) report([...site.pointer, 'responses'], 'Document 409: the first call may still run.');
    // Without a body every call with the same key is the same call.
    if (declared && site.operation.requestBody !== undefined && site.operation.responses?.['422'] === undefined) report([...site.pointer, 'responses'], 'Document 422: the key may have been used for another request.');
  }
};
