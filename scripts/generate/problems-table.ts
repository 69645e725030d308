import { generatedBy } from './header.ts';
import { literal } from './literal.ts';
import type { ApiModel } from './model.ts';

/** `server/contract/generated/problems.ts`: the catalogue of RFC 9457 problems. */
export function problemsTable(model: ApiModel): string {
  const entries = model.problems.map(({ code, status, title, description }) => [code, { status, title, description }]);
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    `export const problems = ${literal(Object.fromEntries(entries), 1)} as const;`,
    '',
    'export type ProblemCode = keyof typeof problems;',
    '',
  ].join('\n');
}
