import type { Rule } from '../rule.ts';
import type { Pointer } from '../rule.ts';

/** Beside `$ref` of a parameter, body, response, header or example everything else is silently ignored. */
export const referenceAlone: Rule = (contract, report) => {
  walk(contract, [], (node, pointer) => {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return;
    if (!reference.startsWith('#/')) report(pointer, 'The contract is one file; refer to its own components.');
    if (!reference.startsWith('#/components/schemas/') && Object.keys(node).length > 1) report(pointer, 'Nothing may stand beside this `$ref`.');
  });
};

function walk(node: unknown, pointer: Pointer, visit: (node: Record<string, unknown>, pointer: Pointer) => void): void {
  if (typeof node !== 'object' || node === null || pointer.at(-1) === 'example' || pointer.at(-1) === 'value') return;
  if (!Array.isArray(node)) visit(node as Record<string, unknown>, pointer);
  for (const [key, child] of Object.entries(node)) walk(child, [...pointer, Array.isArray(node) ? Number(key) : key], visit);
}
