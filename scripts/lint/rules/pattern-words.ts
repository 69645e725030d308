import { isTextFormat } from '../../../server/http/text-formats.ts';
import type { Rule } from '../rule.ts';
import { schemaSites } from '../walk-schemas.ts';

/** Whoever writes a text that is refused is told what it must be, and nobody reads regular expressions. */
export const patternWords: Rule = (contract, report) => {
  const known = new Map<string, string>();
  for (const { schema, pointer } of schemaSites(contract)) {
    const { pattern, format, 'x-must-be': words } = schema;
    if (pattern === undefined) {
      if (words !== undefined) report([...pointer, 'x-must-be'], '`x-must-be` says in words what a `pattern` says; there is none.');
    } else if (words === undefined) {
      if (!isTextFormat(format)) report(pointer, 'Say in words what the pattern allows: `x-must-be`, completing "must be …".');
    } else if ((known.get(pattern) ?? words) !== words) {
      report([...pointer, 'x-must-be'], 'The same pattern is put into other words elsewhere.');
    } else known.set(pattern, words);
  }
};
