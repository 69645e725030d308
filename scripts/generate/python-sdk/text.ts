import { generatedBy } from '../source-text.ts';

/** First line of a generated module. */
export function header(): string {
  return `# ${generatedBy('scripts/generate.ts')}\n`;
}

/** A Python string literal. */
export function str(value: string): string {
  return JSON.stringify(value);
}

/** A docstring, indented for a body at `indent`. Contract prose is Markdown, which may hold quotes and backslashes. */
export function docstring(text: string, indent: string): string {
  const safe = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  const lines = safe.split('\n').map((line) => line.trimEnd());
  const [first = '', ...rest] = lines;
  if (rest.length === 0) return `${indent}"""${first}"""\n`;
  return `${indent}"""${first}\n${rest.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('')}${indent}"""\n`;
}

/** `createApplication` → `CREATE_APPLICATION` */
export function constantName(snake: string): string {
  return snake.toUpperCase();
}
