import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** Only a list that is read with GET has a cursor that can acknowledge; everything else that writes says so by its method. */
export const acknowledges: Rule = (contract, report) => {
  for (const { operation, method, pointer } of operationSites(contract)) {
    if (operation['x-acknowledges'] === undefined) continue;
    const place = [...pointer, 'x-acknowledges'];
    if (operation['x-acknowledges'] !== true) report(place, 'Leave it out where nothing is acknowledged.');
    if (method !== 'get' || operation['x-pagination'] === undefined) report(place, 'Only a list that is read with GET has a cursor that acknowledges.');
  }
};
