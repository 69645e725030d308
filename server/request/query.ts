/**
 * Reads query strings into the shape that the contract declares. Used by receiving; `instantParameter` also by
 * handlers. Unknown, repeated and wrongly encoded parameters are refused together, because a misspelt filter would
 * otherwise return too much.
 */
import { readInstant } from '../base/time.ts';
import { type FieldError, Problem } from '../contract/problem.ts';
import type { RuntimeParameter } from '../contract/pruned-contract.ts';
import { MAX_ERRORS } from './validation-errors.ts';

interface DeclaredParameter {
  /** Maximum number of occurrences; null, which means once, unless the parameter is an array. */
  readonly most: number | null;
  /** Pattern of a number, because the validator would also accept `0x10` and `1e1`. */
  readonly form: RegExp | null;
  readonly mayBeEmpty: boolean;
}

/** Reads a query string into the shape that the contract declares. The values are checked afterwards. */
export class QueryReader {
  readonly #declared = new Map<string, DeclaredParameter>();

  constructor(parameters: readonly RuntimeParameter[]) {
    for (const { name, schema, allowEmptyValue } of parameters.filter((parameter) => parameter.in === 'query')) {
      const { type, maxItems } = schema;
      this.#declared.set(name, {
        most: type === 'array' ? Number(maxItems) : null,
        form: FORMS[String(type)] ?? null,
        mayBeEmpty: allowEmptyValue === true,
      });
    }
  }

  /** Reads `search`, the part after `?`. Unknown, repeated and empty parameters are refused together. */
  read(search: string): Record<string, string | string[]> {
    const query: Record<string, string | string[]> = {};
    if (search === '') return query;
    const unknown: FieldError[] = [];
    const invalid: FieldError[] = [];
    for (const part of search.split('&')) {
      if (part === '') continue;
      if (unknown.length === MAX_ERRORS || invalid.length === MAX_ERRORS) break;
      const separator = part.indexOf('=');
      const name = decode(separator === -1 ? part : part.slice(0, separator));
      const value = decode(separator === -1 ? '' : part.slice(separator + 1));
      if (name === null) {
        invalid.push({ code: 'encoding', message: `the name of a parameter ${ENCODING}` });
        continue;
      }
      const declared = this.#declared.get(name);
      const present = query[name];
      if (declared === undefined)
        unknown.push(fault(name, 'unknown_parameter', 'is not a parameter of this operation'));
      else if (value === null) invalid.push(fault(name, 'encoding', ENCODING));
      else if (value === '' && !declared.mayBeEmpty) invalid.push(fault(name, 'empty', 'must not be empty'));
      else if (declared.form?.test(value) === false) invalid.push(fault(name, 'type', 'must be a decimal number'));
      else if (present === undefined) query[name] = declared.most === null ? value : [value];
      else if (!Array.isArray(present)) invalid.push(fault(name, 'repeated', 'must be given once'));
      // One excess value is enough for the validator to refuse them.
      else if (present.length <= (declared.most ?? 0)) present.push(value);
    }
    if (unknown.length > 0) throw new Problem('unknown_parameter', { errors: unknown });
    if (invalid.length > 0) throw new Problem('invalid_parameter', { errors: invalid });
    return query;
  }
}

const FORMS: Readonly<Record<string, RegExp>> = { integer: /^-?\d+$/, number: /^-?\d+(\.\d+)?$/ };
const MAX_NAME = 100;

function fault(parameter: string, code: string, message: string): FieldError {
  return { parameter: parameter.slice(0, MAX_NAME), code, message };
}

const ENCODING = 'must be percent-encoded UTF-8 without NUL';

/**
 * Decodes a text. Returns null if RFC 3986 §2.1 does not allow it, or if it contains characters that no text of the
 * service may contain.
 */
function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * Reads a timestamp from the query if it is present. The text is never passed to the database, which accepts fewer
 * years and offsets than RFC 3339.
 */
export function instantParameter(parameter: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = readInstant(text);
  if (instant === null) {
    throw new Problem('invalid_parameter', {
      errors: [{ parameter, code: 'format', message: 'must be a timestamp as in RFC 3339' }],
    });
  }
  return instant;
}
