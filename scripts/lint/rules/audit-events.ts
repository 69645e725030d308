import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** Every change leaves a trace in the audit log, and the contract says which. */
export const auditEvents: Rule = (contract, report) => {
  for (const { operation, method, pointer } of operationSites(contract)) {
    const events = operation['x-audit-events'];
    if (events === undefined && method !== 'get') report(pointer, 'A mutation states `x-audit-events`.');
    if (events?.length === 0) report([...pointer, 'x-audit-events'], 'Name at least one event.');
    for (const event of events ?? []) {
      if (!/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/.test(event)) report([...pointer, 'x-audit-events'], `\`${event}\` is not of the form \`noun.verb\`.`);
    }
  }
};
