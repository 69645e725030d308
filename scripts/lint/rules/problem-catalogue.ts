import type { Rule } from '../rule.ts';

interface Entry { readonly status?: unknown; readonly title?: unknown; readonly description?: unknown }

/** The catalogue of problems and the enumeration of their codes are the same list. */
export const problemCatalogue: Rule = (contract, report) => {
  const schema = contract.components.schemas?.['ProblemCode'] as { enum?: readonly string[]; 'x-problems'?: Record<string, Entry> } | undefined;
  if (schema === undefined) return;
  const pointer = ['components', 'schemas', 'ProblemCode'];
  const codes = schema.enum ?? [];
  const catalogue = schema['x-problems'] ?? {};
  for (const code of codes) if (!(code in catalogue)) report([...pointer, 'enum'], `\`${code}\` is missing in \`x-problems\`.`);
  for (const [code, entry] of Object.entries(catalogue)) {
    const place = [...pointer, 'x-problems', code];
    if (!codes.includes(code)) report(place, `\`${code}\` is missing in \`enum\`.`);
    if (!/^[a-z][a-z0-9_]*$/.test(code)) report(place, 'A code is snake_case.');
    if (typeof entry.status !== 'number' || entry.status < 400 || entry.status > 599) report(place, 'A problem has a `status` from 400 to 599.');
    if (typeof entry.title !== 'string' || typeof entry.description !== 'string') report(place, 'A problem has a `title` and a `description`.');
  }
};
