import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** A transition says from where (nowhere: creation) and to where, and documents the refusal from anywhere else. */
export const stateTransitions: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    const transition: { readonly from?: unknown; readonly to?: unknown } | undefined = operation['x-state-transitions'];
    if (transition === undefined) continue;
    const { from, to } = transition;
    if (!Array.isArray(from) || typeof to !== 'string') report([...pointer, 'x-state-transitions'], 'Write `{ from: [status, …], to: status }`.');
    else if (from.length > 0 && operation.responses?.['409'] === undefined) report([...pointer, 'responses'], 'Document 409: the status may not allow it.');
  }
};
