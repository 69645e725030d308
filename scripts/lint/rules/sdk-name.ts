import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** Both SDKs take the name of a method from `x-sdk`, so it is present, well formed and unique. */
export const sdkName: Rule = (contract, report) => {
  const taken = new Map<string, string>();
  const sites = operationSites(contract);
  const resources = new Set(sites.map(({ operation }) => operation['x-sdk']?.resource));
  for (const { operation, pointer } of sites) {
    const sdk = operation['x-sdk'];
    const place = [...pointer, 'x-sdk'];
    if (sdk === undefined) { report(pointer, 'Name the SDK method: `x-sdk: { resource, method }`.'); continue; }
    const name = `${sdk.resource}.${sdk.method}`;
    if (!/^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)+$/.test(name)) report(place, `\`${name}\` is not a chain of camelCase names.`);
    const other = taken.get(name);
    if (other !== undefined) report(place, `\`${name}\` is already ${other}.`);
    if (resources.has(name)) report(place, `\`${name}\` is also a resource.`);
    taken.set(name, operation.operationId ?? '');
  }
};
