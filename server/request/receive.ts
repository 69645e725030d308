/**
 * This file reads the parameters and the JSON, form and multipart bodies that a client sends. It refuses everything
 * that two readers could understand differently, and leaves the check against the schemas to the validator of the
 * operation. Used by context.ts, endpoint.ts and transact.ts.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { jsonPointer } from '../base/json-pointer.ts';
import type { UploadedFile } from '../contract/operation-types.ts';
import { type FieldError, Problem } from '../contract/problem.ts';
import type { BodyLimits, BodyShape } from './body-limits.ts';
import { hasBody, readBody, type ReserveBytes } from './body.ts';
import type { Exchange } from './exchange.ts';
import { isJson } from './handler.ts';
import { checkJsonLimits } from './json-limits.ts';
import { locateJsonFault, MAX_DEPTH } from './json-syntax.ts';
import { isUtf8Declared, mediaTypeOf } from './media-type.ts';
import { type FileParts, readMultipart } from './multipart.ts';
import type { OperationValidator, RequestInput } from './validate.ts';
import type { BodyRuleCheck } from './validation-errors.ts';

/** Reads application/x-www-form-urlencoded (URL standard §5.1). A repeated name is refused (RFC 6749 §3.2). */
function readForm(bytes: Buffer): Record<string, string> {
  if (!isUtf8(bytes)) throw invalidForm({ pointer: '', code: 'encoding', message: 'the form is not UTF-8' });
  const form: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (Object.hasOwn(form, name))
      throw invalidForm({ pointer: pointerTo(name), code: 'repeated', message: 'must be given once' });
    if (name.includes('\0') || value.includes('\0'))
      throw invalidForm({ pointer: pointerTo(name), code: 'pattern', message: 'must not contain NUL' });
    form[name] = value;
  }
  return form;
}

function pointerTo(name: string): string {
  return jsonPointer([name.slice(0, 100).replaceAll('\0', '')]);
}

function invalidForm(error: FieldError): Problem {
  return new Problem('validation_failed', { errors: [error] });
}

/**
 * Reads a JSON body strictly: refuses everything that two readers could understand differently (RFC 8259 §4, §8; RFC
 * 7493). A body that is larger than its schema allows, or repeats a member name, is refused before it is parsed. The
 * engine's parser is used because it is fast; only if it refuses a body is the body read again, slowly, to find the
 * position of the error.
 */
export function readJson(bytes: Buffer, shape: BodyShape): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw malformed('starts with a byte order mark', 0);
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
  const text = bytes.toString('utf8');
  const measured = checkJsonLimits(text, shape);
  if (measured.verdict === 'holds too much') throw new Problem('validation_failed', { errors: measured.errors });
  if (measured.verdict === 'is too deep') throw malformed(`is nested deeper than ${MAX_DEPTH} levels`);
  if (measured.verdict === 'repeats a name') throw malformedAt(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedAt(text);
  }
  if (text.includes('\\u')) refuseUnstorable(value);
  return value;
}

/**
 * Refuses text that PostgreSQL cannot store. Only escapes can produce such text: in unescaped form, the UTF-8 check or
 * the parser refuses it.
 */
function refuseUnstorable(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw malformed('contains the character NUL');
    if (!value.isWellFormed()) throw malformed('contains a lone surrogate');
  } else if (Array.isArray(value)) value.forEach(refuseUnstorable);
  else if (typeof value === 'object' && value !== null) Object.entries(value).flat().forEach(refuseUnstorable);
}

function malformedAt(text: string): Problem {
  const fault = locateJsonFault(text);
  return malformed(fault.reason, fault.position);
}

/**
 * Returns the problem for a malformed body. The message names the position of the error and never quotes the body,
 * because bodies contain personal data.
 */
function malformed(reason: string, position?: number): Problem {
  const location = position === undefined ? '' : ` at character ${position}`;
  return new Problem('malformed_json', { detail: `The body ${reason}${location}.` });
}

const MULTIPART = 'multipart/form-data';

/** Body that an operation expects. */
export interface BodyExpectation {
  readonly mediaTypes: readonly string[];
  readonly required: boolean;
  readonly fileParts: FileParts;
  /** Limits of a body that is not a file; null if the operation takes no such body. */
  readonly limits: BodyLimits | null;
}

interface ReceivedBody {
  readonly mediaType: string | null;
  readonly body: unknown;
  readonly files: UploadedFiles | undefined;
}

/** Files of a multipart body by the names of their parts. */
export type UploadedFiles = Readonly<Record<string, UploadedFile>>;

const NOTHING: ReceivedBody = { mediaType: null, body: undefined, files: undefined };

/** Reads the body of an operation. A wrong media type is refused before the first byte is read. */
export function receiveBody(
  { request, permit, awaitBody }: Pick<Exchange, 'request' | 'permit' | 'awaitBody'>,
  rule: BodyExpectation,
): ReceivedBody | Promise<ReceivedBody> {
  if (rule.mediaTypes.length === 0) return NOTHING;
  const field = request.headers['content-type'];
  const present = hasBody(request);
  if (!present && (field === undefined || !rule.required)) {
    if (rule.required) throw missingBody(rule);
    return NOTHING;
  }
  const mediaType = field === undefined ? null : mediaTypeOf(field);
  if (mediaType === null || !rule.mediaTypes.includes(mediaType)) throw new Problem('unsupported_media_type');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new Problem('unsupported_media_type', { detail: 'Compressed bodies are not supported.' });
  if (!present) throw missingBody(rule);
  awaitBody();
  const reserve: ReserveBytes = (bytes) => permit?.reserveBodyBytes(bytes);
  return mediaType === MULTIPART
    ? receiveMultipart(request, rule, reserve)
    : receiveText(request, mediaType, rule, reserve);
}

async function receiveText(
  request: Exchange['request'],
  mediaType: string,
  rule: BodyExpectation,
  reserve: ReserveBytes,
): Promise<ReceivedBody> {
  if (!isUtf8Declared(request.headers['content-type'] ?? ''))
    throw new Problem('unsupported_media_type', { detail: 'Only UTF-8 is supported.' });
  const { limits } = rule;
  if (limits === null) throw new TypeError('a body without limits is not part of the dialect');
  const bytes = await readBody(request, limits.bytes, reserve);
  if (bytes.length === 0) {
    if (rule.required) throw missingBody(rule);
    return NOTHING;
  }
  return { mediaType, body: isJson(mediaType) ? readJson(bytes, limits.shape) : readForm(bytes), files: undefined };
}

async function receiveMultipart(
  request: Exchange['request'],
  { fileParts }: BodyExpectation,
  reserve: ReserveBytes,
): Promise<ReceivedBody> {
  if (fileParts.size === 0) throw new TypeError('a multipart body without a file is not part of the dialect');
  const { fields, files } = await readMultipart(request, fileParts, reserve);
  return { mediaType: MULTIPART, body: fields, files };
}

function missingBody({ mediaTypes }: BodyExpectation): Problem {
  return mediaTypes.includes(MULTIPART)
    ? new Problem('multipart_malformed', { detail: 'The body is missing.' })
    : new Problem('malformed_json', { detail: 'The body is missing.' });
}

/** Reads the declared parameters of the path, the query and the headers; the body is added later. */
export function readParameters(
  validator: OperationValidator,
  headers: IncomingHttpHeaders,
  search: string,
  pathValues: readonly string[],
): RequestInput {
  return {
    params: pathParameters(validator, pathValues),
    query: validator.query.read(search),
    headers: headerParameters(validator, headers),
    body: undefined,
  };
}

/** Adds the body to the input and checks all of the input against the contract. */
export function validateInput(
  validator: OperationValidator,
  input: RequestInput,
  { mediaType, body, files }: ReceivedBody,
  faults?: BodyRuleCheck,
): void {
  // The validator sees an empty string in place of each file; the handler gets the files separately and
  // the fields without them.
  input.body =
    files === undefined
      ? body
      : { ...(body as object), ...Object.fromEntries(Object.keys(files).map((name) => [name, ''])) };
  validator.request(input, mediaType, faults);
  for (const name of Object.keys(files ?? {})) delete (input.body as Record<string, unknown>)[name];
}

function pathParameters({ pathParameters }: OperationValidator, values: readonly string[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  pathParameters.forEach((name, index) => {
    const value = values[index] as string;
    try {
      params[name] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch {
      throw new Problem('invalid_parameter', {
        errors: [{ parameter: name, code: 'encoding', message: 'must be percent-encoded UTF-8' }],
      });
    }
  });
  return params;
}

/** Picks the declared headers; no others reach the validator and the handler. */
function headerParameters(
  { headerParameters }: OperationValidator,
  sent: IncomingHttpHeaders,
): Record<string, unknown> {
  const headers: Record<string, unknown> = {};
  for (const name of headerParameters) {
    const value = sent[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
