/** Reads expressions and values from attributes and elements, and reports those that cannot be read. */
import type { Expression } from '../program.ts';
import { error, type Finding } from '../finding.ts';
import type { Element } from './read.ts';

const MAX_EXPRESSION = 2000;

/** Collects findings while a model is compiled. */
export interface Report {
  readonly add: (finding: Finding) => void;
}

/** Reads an expression that is FEEL even without the leading `=`, such as a condition. */
export function condition(text: string, elementId: string, report: Report): Expression {
  return feel(text.trim().replace(/^=/, ''), elementId, report);
}

/** Reads an expression that is FEEL after a leading `=`, and otherwise a value as it stands. */
export function valueOrFeel(text: string, elementId: string, report: Report): Expression {
  const trimmed = text.trim();
  if (!trimmed.startsWith('=')) return { value: refused(trimmed, elementId, report) };
  return feel(trimmed.slice(1), elementId, report);
}

function feel(text: string, elementId: string, report: Report): Expression {
  const trimmed = refused(text.trim(), elementId, report);
  if (trimmed === 'true' || trimmed === 'false') return { value: trimmed === 'true' };
  if (/^-?\d{1,15}$/.test(trimmed)) return { value: Number(trimmed) };
  return { feel: trimmed };
}

/** Reports an expression in a language of other engines, or one that is too long. */
function refused(text: string, elementId: string, report: Report): string {
  if (/^[$#]\{/.test(text)) {
    report.add(error('unsupported_expression', elementId, 'Expressions are written in FEEL, not between ${ and }.'));
  } else if (text.length > MAX_EXPRESSION) {
    report.add(error('unsupported_expression', elementId, `An expression is longer than ${MAX_EXPRESSION}.`));
  } else return text;
  return '';
}

/** Returns the text of an expression element, or undefined if it has none. */
export function textOf(element: Element | undefined): string | undefined {
  const text = element?.['body'] as string | undefined;
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** Returns the extension elements of a type, of the namespaces that the compiler knows. */
export function extensions(element: Element, type: string): readonly Element[] {
  const values = (element['extensionElements']?.values ?? []) as Element[];
  return values.filter(({ $type }) => $type === type);
}
