/**
 * Codes and messages of the errors of the JSON Schema validator, by keyword. Used by validation-errors.ts. Clients rely
 * on the codes.
 */
import { emailFormat } from '../contract/email-format.ts';
import { isTextFormat, textFormats } from '../contract/text-formats.ts';

const MAX_MESSAGE = 400;

/** JSON Schema keyword → stable error code. */
const CODES: Readonly<Record<string, string>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  type: 'type',
  enum: 'enum',
  const: 'enum',
  format: 'format',
  pattern: 'pattern',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  multipleOf: 'multiple_of',
  minItems: 'too_few_items',
  maxItems: 'too_many_items',
  uniqueItems: 'duplicate_item',
  contains: 'missing_item',
  minProperties: 'too_few_members',
  maxProperties: 'too_many_members',
  propertyNames: 'member_name',
  dependentRequired: 'required',
  discriminator: 'unknown_variant',
  readOnly: 'read_only',
  'x-not-before': 'range',
  'x-in-order': 'range',
  'x-max-bytes': 'too_long',
};

/**
 * Returns the code of an error. A text format is a pattern with a better message, so its errors have the code of a
 * pattern.
 */
export function codeOf(keyword: string, params: Params): string {
  return CODES[isTextFormat(params.format) ? 'pattern' : keyword] ?? 'invalid';
}

/**
 * Messages that say in words what each keyword demands. They repeat neither the value that was sent nor a regular
 * expression.
 */
const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  dependentRequired: () => 'is required here',
  additionalProperties: () => 'is not a member of this object',
  unevaluatedProperties: () => 'is not a member of this object',
  propertyNames: ({ allowed }) =>
    `is not a permitted member name${allowed === undefined ? '' : `, which must be ${allowed}`}`,
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues = [] }) => `must be one of: ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  format: ({ format }) =>
    isTextFormat(format) ? textFormats[format].message : (FORMATS.get(format ?? '') ?? `must be a valid ${format}`),
  pattern: ({ allowed }) =>
    allowed === undefined ? 'does not have the form that the contract describes' : `must be ${allowed}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} items`),
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  uniqueItems: () => 'must not repeat an item',
  minProperties: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} members`),
  maxProperties: ({ limit }) => `must have at most ${limit} members`,
  discriminator: () => 'does not name a known variant',
  'x-not-before': ({ earliest }) => `must not be before ${earliest}`,
  'x-max-bytes': ({ limit }) => `must have at most ${limit} bytes of JSON`,
  'x-in-order': ({ earlier }) => `must not be before ${earlier}`,
};

/** Requirements of formats, in words. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', emailFormat.message],
  ['date-time', 'must be a valid date-time (RFC 3339), of the years 1 to 9999 in UTC'],
]);

/** Parameters of an error, of which each keyword has some. */
export interface Params {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly limit?: number;
  readonly pattern?: string;
  readonly propertyName?: string;
  readonly allowed?: string | undefined;
  readonly allowedValues?: readonly unknown[];
  readonly allowedValue?: unknown;
  readonly earliest?: string;
  readonly earlier?: string;
}

export function messageOf(keyword: string, params: Params): string {
  const text = MESSAGES[keyword]?.(params) ?? 'is not valid';
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text;
}
