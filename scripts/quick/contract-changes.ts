/**
 * Finds the operations that a change of openapi.yaml affects, from the changed lines: the layout written by `make
 * format` shows where each part begins.
 */
import { execFileSync } from 'node:child_process';

/** A part of the contract: an operation, the members of a path that apply to all its operations, or a component. */
interface Part {
  /** `operation <path> <method>`, `path <path>` or `<kind>/<name>` of a component. */
  readonly name: string;
  readonly operationId: string | null;
  readonly references: readonly string[];
  readonly from: number;
  readonly to: number;
}

interface Concerned {
  readonly operationIds: readonly string[];
  /** Changed parts, for the output. */
  readonly parts: readonly string[];
}

const METHOD = /^ {4}(get|put|post|delete|patch):/;

export function partsOf(text: string): readonly Part[] {
  const lines = text.split('\n');
  const starts: { name: string; line: number }[] = [];
  let [section, second] = ['', ''];
  for (const [index, line] of lines.entries()) {
    const line1 = index + 1;
    if (/^[a-z]/.test(line)) {
      section = line.split(':')[0] ?? '';
      starts.push({ name: section, line: line1 });
    } else if (/^ {2}[^\s#]/.test(line) && (section === 'paths' || section === 'components')) {
      second = line.trim().replace(/:.*$/, '').replaceAll("'", '');
      starts.push({ name: section === 'paths' ? `path ${second}` : second, line: line1 });
    } else if (section === 'paths' && METHOD.test(line)) {
      starts.push({ name: `operation ${second} ${METHOD.exec(line)?.[1]}`, line: line1 });
    } else if (section === 'paths' && /^ {4}[^\s#]/.test(line)) {
      starts.push({ name: `path ${second}`, line: line1 });
    } else if (section === 'components' && /^ {4}[^\s#]/.test(line)) {
      starts.push({ name: `${second}/${line.trim().split(':')[0] ?? ''}`, line: line1 });
    }
  }
  return starts.map(({ name, line }, index) => {
    const to = (starts[index + 1]?.line ?? lines.length + 1) - 1;
    const own = lines.slice(line - 1, to).join('\n');
    return {
      name,
      from: line,
      to,
      operationId: name.startsWith('operation ') ? (/^ {6}operationId: (\w+)/m.exec(own)?.[1] ?? null) : null,
      references: [...own.matchAll(/#\/components\/(\w+\/[\w.-]+)/g)].map(([, reference = '']) => reference),
    };
  });
}

/**
 * Returns the operations that reach a changed line by their references; null if the change affects the contract as a
 * whole.
 */
export function operationsOfLines(text: string, changed: readonly number[]): Concerned | null {
  const parts = partsOf(text);
  const begins = parts[0]?.from ?? 1;
  const touched = new Set(
    changed
      .filter((line) => line >= begins)
      .flatMap((line) => parts.find(({ from, to }) => from <= line && line <= to) ?? []),
  );
  if (
    [...touched].some(
      ({ name }) =>
        !/[ /]/.test(name) &&
        ![
          'paths',
          'components',
          'info',
          'tags',
          'schemas',
          'examples',
          'responses',
          'parameters',
          'headers',
          'links',
        ].includes(name),
    )
  )
    return null;
  const names = new Set([...touched].map(({ name }) => name));
  const byName = new Map(parts.map((part) => [part.name, part]));
  const memo = new Map<string, boolean>();
  const reaches = (name: string): boolean => {
    const known = memo.get(name);
    if (known !== undefined) return known;
    memo.set(name, names.has(name));
    const found = names.has(name) || (byName.get(name)?.references ?? []).some(reaches);
    memo.set(name, found);
    return found;
  };
  const operationIds = parts.flatMap(({ name, operationId }) => {
    if (operationId === null) return [];
    return reaches(name) || names.has(`path ${name.split(' ')[1]}`) ? [operationId] : [];
  });
  return { operationIds, parts: [...names].filter((name) => /[ /]/.test(name)) };
}

/** Returns the line numbers of a file that differ from a commit; for removed lines, the line before them. */
export function changedLines(root: string, base: string, file: string): readonly number[] {
  const diff = execFileSync('git', ['-C', root, 'diff', '-U0', base, '--', file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start, count = '1']) =>
    Array.from({ length: Math.max(Number(count), 1) }, (_, index) => Number(start) + index),
  );
}
