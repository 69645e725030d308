import { schemaTypes } from '../../generate/schema.ts';
import type { Schema } from '../../generate/schema.ts';
import type { Rule } from '../rule.ts';
import { schemasReached } from '../walk-schemas.ts';

/** What clients hand back as they got it, and RFC 6749, which has rules of its own about characters (appendix A). */
const OPAQUE = new Set(['cursor', 'refreshToken']);
const FORM = 'TokenRequest';

/** One of each kind of what the shared patterns rule out. */
const HIDDEN = ['\0', '\t', '\r', '\x1b', '\x85', '\xad', '\u061c', '\u200b', '\u200d', '\u200e', '\u2028', '\u2029', '\u202e', '\u2060', '\u2066', '\u3164', '\ufeff'];

/**
 * Nothing hides in text that somebody writes and somebody else reads. Free text is every string of a request body whose
 * pattern, if it has one, does not list the characters that are allowed but those that are not.
 */
export const textFormats: Rule = (contract, report) => {
  for (const { schema, pointer } of schemasReached(contract, 'request')) {
    if (!schemaTypes(schema).includes('string') || pointer.includes(FORM) || OPAQUE.has(String(pointer.at(-1)))) continue;
    const { format } = schema;
    if (format === 'single-line' || format === 'multi-line') {
      const shown = shows(schema);
      const hidden = format === 'single-line' ? [...HIDDEN, '\n'] : HIDDEN;
      if (hidden.some(shown)) report(pointer, `Give this text the pattern of its format too: \`pattern: *${format}\`.`);
    } else if (format === undefined && isFree(schema)) {
      report(pointer, 'Give this text `format: single-line` and `pattern: *single-line`, or both `multi-line`.');
    }
  }
};

function isFree({ enum: values, const: value, pattern }: Schema): boolean {
  return values === undefined && value === undefined && (pattern === undefined || pattern.includes('[^'));
}

/** Whether the pattern lets a character pass. */
function shows({ pattern }: Schema): (character: string) => boolean {
  const regex = new RegExp(pattern ?? '', 'u');
  return (character) => regex.test(`ab${character}cd`);
}
