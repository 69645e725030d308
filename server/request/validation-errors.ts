/**
 * This file turns the errors of the JSON Schema validator (Ajv) into the `errors` of a problem document (RFC 9457): one
 * entry for each offending member, with a stable code and a message that people understand. Used by validate.ts and the
 * other checks of a request. Values that were sent must never be quoted.
 */
import type { ErrorObject } from 'ajv';
import { jsonPointer, segmentsOf } from '../base/json-pointer.ts';
import type { FieldError } from '../contract/problem.ts';
import type { PatternWords } from '../contract/pruned-contract.ts';
import { isTextFormat } from '../contract/text-formats.ts';
import { codeOf, messageOf, type Params } from './validation-messages.ts';

/**
 * Maximum number of errors in one response, because a hostile body could otherwise make the response arbitrarily large.
 */
export const MAX_ERRORS = 100;
const MAX_POINTER = 400;

/**
 * Returns one entry per offending member of a body. Values are never repeated, because bodies contain personal data.
 */
export function bodyErrors(errors: readonly ErrorObject[], words: PatternWords, body?: unknown): FieldError[] {
  return distinct(withoutRepetitions(errors), (error) => {
    const pointer = error.instancePath.slice('/body'.length);
    const found = fieldError(error.keyword, pointer + memberOf(error), withPatternWords(error, errors, words));
    return isBeyondNumbers(body, pointer) ? { ...found, message: BEYOND_NUMBERS } : found;
  });
}

const BEYOND_NUMBERS =
  'must be a number of at most 1.7976931348623157e308 either way: what was sent, such as 1e400, is read as infinity';

/**
 * Tells whether a number is infinite: JSON allows numbers that 64-bit floating point cannot hold (RFC 8259 §6), and the
 * parser makes them infinite.
 */
function isBeyondNumbers(body: unknown, pointer: string): boolean {
  const value = segmentsOf(pointer).reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string, unknown>)[step]
        : undefined,
    body,
  );
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

export function fieldError(keyword: string, pointer: string, params: object = {}): FieldError {
  return { pointer: pointer.slice(0, MAX_POINTER), code: codeOf(keyword, params), message: messageOf(keyword, params) };
}

/** Returns one entry per offending path, query or header parameter, under the name that the contract gives it. */
export function parameterErrors(
  errors: readonly ErrorObject[],
  words: PatternWords,
  displayName: (name: string) => string,
  query: Readonly<Record<string, unknown>> = {},
): FieldError[] {
  return distinct(withoutRepetitions(errors), (error) => {
    const [where, name = ''] = segmentsOf(`${error.instancePath}${memberOf(error)}`);
    const message = messageOf(error.keyword, withPatternWords(error, errors, words));
    const isSpaced =
      where === 'query' &&
      FORMS.has(error.keyword) &&
      [query[name]].flat().some((value) => String(value).includes(' '));
    return {
      parameter: displayName(name),
      code: codeOf(error.keyword, error.params),
      message: isSpaced ? `${message}; a plus sign is written %2B in a query, where + is a space` : message,
    };
  });
}

const FORMS = new Set(['format', 'pattern']);

/**
 * Drops errors that only repeat another one: the error of a union whose branches are reported, the error of a nullable
 * schema that the value is not null, the inner error of an invalid member name, and the error of a pattern if the
 * format of the same text already explains it in words.
 */
function withoutRepetitions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const texts = new Set(
    errors.filter(({ params }) => isTextFormat((params as Params).format)).map(({ instancePath }) => instancePath),
  );
  const distinctErrors = errors.filter(
    (error) =>
      !isSummary(error) &&
      error.propertyName === undefined &&
      !(error.keyword === 'pattern' && texts.has(error.instancePath)),
  );
  return distinctErrors.length > 0 ? distinctErrors : errors.slice(0, 1);
}
const SUMMARIES = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'if']);

/**
 * Tells whether the error belongs to a union whose branches are reported too, or says that the value of a nullable
 * schema is not null.
 */
function isSummary({ keyword, params }: ErrorObject): boolean {
  return SUMMARIES.has(keyword) || (keyword === 'type' && (params as Params).type === 'null');
}

/**
 * Adds to the parameters of an error, in words, what the pattern of a value or of a member name allows (`x-patterns`).
 */
function withPatternWords(error: ErrorObject, errors: readonly ErrorObject[], words: PatternWords): Params {
  const { pattern } = error.params as Params;
  const broken = error.keyword === 'propertyNames' ? patternOfName(error, errors) : pattern;
  return broken !== undefined && Object.hasOwn(words, broken)
    ? { ...error.params, allowed: words[broken] }
    : error.params;
}

/** Returns the pattern that the name of a member breaks. The validator reports it as an error of its own. */
function patternOfName(error: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  const { propertyName } = error.params as Params;
  const inner = errors.find(
    ({ keyword, propertyName: name, instancePath }) =>
      keyword === 'pattern' && name === propertyName && instancePath === error.instancePath,
  );
  return (inner?.params as Params | undefined)?.pattern;
}

function memberOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName, later } = error.params as Record<
    string,
    string | undefined
  >;
  const member =
    later ??
    missingProperty ??
    additionalProperty ??
    unevaluatedProperty ??
    (error.keyword === 'propertyNames' ? propertyName : undefined);
  return member === undefined ? '' : pointerStep(member);
}

/**
 * Returns one step of a JSON Pointer. A name that is longer than any pointer of a response is cut before it is copied.
 */
export function pointerStep(name: string | number): string {
  return jsonPointer([String(name).slice(0, MAX_POINTER)]);
}

/** Returns the entries of distinct errors, and makes no more of them than one response may have. */
function distinct(errors: readonly ErrorObject[], entryOf: (error: ErrorObject) => FieldError): FieldError[] {
  const seen = new Map<string, FieldError>();
  for (const found of errors) {
    const error = entryOf(found);
    const key = `${error.pointer ?? ''}\n${error.parameter ?? ''}\n${error.code}`;
    if (!seen.has(key)) seen.set(key, error);
    if (seen.size === MAX_ERRORS) break;
  }
  return [...seen.values()];
}

/** Checks the rules of an operation that need only its body (`BodyRules` in request/handler.ts). */
export type BodyRuleCheck = (body: unknown) => readonly FieldError[];

/** Adds the errors of the body rules to those of the schema, so that a client gets all of them in one response. */
export function withRuleErrors(
  errors: readonly FieldError[],
  raw: readonly ErrorObject[],
  body: unknown,
  faults: BodyRuleCheck,
): FieldError[] {
  const part = validPart(body, raw);
  if (typeof part !== 'object' || part === null) return [...errors];
  const further = faults(part).filter(
    ({ pointer = '' }) => !errors.some((error) => overlap(error.pointer ?? '', pointer)),
  );
  return [...errors, ...further].slice(0, MAX_ERRORS);
}

/**
 * Keywords whose errors concern one member that is missing or not allowed, so the object around it can still be
 * checked.
 */
const ABOUT_A_MEMBER = new Set(['required', 'dependentRequired', 'additionalProperties', 'unevaluatedProperties']);

function validPart(body: unknown, errors: readonly ErrorObject[]): unknown {
  const root = { body: structuredClone(body) };
  const specific = errors.filter((error) => !isSummary(error));
  // A union that fails only because of a reported error inside it does not make the rest of the object invalid.
  const summaries = errors.filter(
    (error) =>
      isSummary(error) && !specific.some(({ instancePath }) => `${instancePath}/`.startsWith(`${error.instancePath}/`)),
  );
  for (const { keyword, instancePath } of [...specific, ...summaries]) {
    if (!ABOUT_A_MEMBER.has(keyword)) remove(root, segmentsOf(instancePath));
  }
  return root.body;
}

/**
 * Removes a member or an array element. An element leaves a hole, so that the indexes of the other elements, and with
 * them their pointers, stay correct.
 */
function remove(root: object, path: readonly string[]): void {
  const owner = path
    .slice(0, -1)
    .reduce<unknown>(
      (node, step) =>
        typeof node === 'object' && node !== null && Object.hasOwn(node, step)
          ? (node as Record<string, unknown>)[step]
          : undefined,
      root,
    );
  if (typeof owner === 'object' && owner !== null) Reflect.deleteProperty(owner, path.at(-1) ?? '');
}

/** Tells whether two JSON Pointers are equal, or one names a member inside the other. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
