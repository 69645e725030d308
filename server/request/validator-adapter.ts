/**
 * The only code that reaches into express-openapi-validator: it compiles the validators of each operation at the start.
 * Used by validate.ts and result-check.ts. It relies on internals of the pinned version, so another version needs the
 * conformance tests.
 */
import { parse } from 'node:url';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import { HttpError } from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import type { RuntimeContent, RuntimeOperation } from '../contract/pruned-contract.ts';
import { readInstant } from '../base/time.ts';
import { emailFormat } from '../contract/email-format.ts';
import { textFormats } from '../contract/text-formats.ts';
import type { ValidatorCache, Part } from './cached-validators.ts';
import { orderKeywords } from './order-keywords.ts';

/** Usual notation of dates and instants. Every match is valid; other texts are checked in full. */
const USUAL_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const USUAL_INSTANT =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/**
 * The validator's own formats with a fast path, which saves a response full of instants a third of its validation. An
 * instant must also be one that all languages and the database read: RFC 3339 has no year 0, and an offset must not
 * lead beyond the year 9999.
 */
export const quickFormats = {
  'date': withFastPath(USUAL_DATE, 'date'),
  'date-time': withFastPath(USUAL_INSTANT, 'date-time', (text) =>
    /^(?!0000)\d{4}-/.test(readInstant(text)?.toISOString() ?? ''),
  ),
} as const;

function withFastPath(usual: RegExp, name: 'date' | 'date-time', isReadable: (text: string) => boolean = () => true) {
  const { validate } = fullFormats[name] as { readonly validate: (text: string) => boolean };
  return {
    type: 'string',
    validate: (text: string): boolean => usual.test(text) || (validate(text) && isReadable(text)),
  } as const;
}

let compilations: Map<string, unknown> | null = null;

/**
 * Makes compilations shared, for a process that creates several contracts or services (`make dev`, tests): their common
 * parts are compiled once.
 */
export function keepCompilations(): void {
  compilations ??= new Map();
}

/**
 * Compiles, or returns the earlier result for the same input. Without a cache, as in production, it always compiles.
 */
export function compileOnce<T>(input: readonly unknown[], compile: () => T): T {
  if (compilations === null) return compile();
  // The key is computed before compilation, which changes the documents that it receives.
  const key = JSON.stringify(input);
  const before = compilations.get(key);
  if (before !== undefined) return before as T;
  const compiled = compile();
  compilations.set(key, compiled);
  return compiled;
}

/**
 * The one place that reaches into express-openapi-validator (pinned to 5.6.2). Its request and response validators are
 * used as they are, but per operation, on pruned documents and compiled when the service starts. By itself the package
 * scans and compiles every route on each request, caches by raw Content-Type without bound and compiles at the first
 * request. What that costs and why this is sound: docs/decisions/0007-validator-driven-directly.md and
 * test/contract/eov-conformance.test.ts.
 *
 * Its schema preprocessor is left out: it merges path-level parameters and follows references at the top, which the
 * generator and `contract/pruned-contract.ts` have done, and handles readOnly, writeOnly and (de)serialisation, which
 * the dialect does not have.
 */

export { HttpError };

/** Options of the stock middleware, with the reasons. */
export const VALIDATOR_OPTIONS = {
  // The generator validates the contract against its meta-schema; at boot only compilation can still fail.
  validateApiSpec: false,
  validateRequests: {
    // Reports all errors at once, which is safe because json-limits.ts lets no body through that exceeds its schema by
    // more than a little.
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    allowUnknownQueryParameters: false,
    // Reports exact errors in unions instead of one per branch; needs a contract without `mapping`.
    discriminator: true,
  },
  validateResponses: { allErrors: true, coerceTypes: false, removeAdditional: false },
  validateFormats: true,
  // The mode `fast` accepts 1990-13-01.
  ajvFormats: { mode: 'full' },
  formats: { ...quickFormats, ...textFormats, email: emailFormat },
  // Handlers use wire types, so nothing is (de)serialised implicitly.
  serDes: [],
} as const;

/** Members of a request that the request validator reads. It fills defaults and coerces parameters in place. */
export interface Probe {
  method: string;
  path: string;
  originalUrl: string;
  headers: Record<string, unknown>;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  openapi: { schema: Omit<RuntimeOperation, 'responses'>; expressRoute: string; pathParams: Record<string, unknown> };
}

export interface CompiledRequest {
  /** Throws an `HttpError` if the request is refused. */
  readonly check: (probe: Probe) => void;
  /** Returns the raw errors of the last check. */
  readonly errors: () => { readonly parameters: readonly ErrorObject[]; readonly body: readonly ErrorObject[] };
  readonly parts: readonly Part[] | null;
}

export interface CompiledContent {
  readonly byType: Readonly<Record<string, ValidateFunction | undefined>>;
  readonly parts: readonly Part[] | null;
}

type RequestArguments = Parameters<RequestValidator['validate']>;
type Document = ConstructorParameters<typeof RequestValidator>[0];
/** Private members of the request validator that hold the compiled functions. */
interface Internals {
  readonly ajv: Ajv;
  readonly ajvBody: Ajv;
}

/**
 * Emits the deprecation of `url.parse` (DEP0169) silently. The validator calls `url.parse` for every request, and until
 * Node has announced the deprecation once, each such call walks the stack to see whether a package makes it: 4 µs, most
 * of a validation.
 */
function settleDeprecation(): void {
  const before = process.noDeprecation === true;
  process.noDeprecation = true;
  parse('/');
  process.noDeprecation = before;
}
settleDeprecation();

const ajvOptions = new AjvOptions(VALIDATOR_OPTIONS as unknown as ConstructorParameters<typeof AjvOptions>[0]);

/**
 * Errors after which a request is checked no further: more than any answer shows, also when repetitions are dropped.
 */
const ENOUGH_ERRORS = 1_000;

/**
 * Lets the loops over the items of arrays end after so many errors, because each error costs more than the check that
 * finds it. Whatever is skipped belongs to a value that is refused already.
 */
function endedEarly(source: string): string {
  return source.replaceAll(/\b(i\d+)<(len\d+); \1\+\+/g, `$1<$2 && errors<${ENOUGH_ERRORS}; $1++`);
}

function optionsFor(cache: ValidatorCache, rules: 'requests' | 'responses') {
  return {
    // The generator has checked the contract, and an Ajv instance without meta-schemas takes a quarter of the time.
    meta: false,
    // Optimising the generated code takes a fifth of the compilation, and the engine optimises the code anyway.
    code: {
      optimize: false,
      process: (source: string, schema?: SchemaEnv) => {
        const bounded = rules === 'requests' ? endedEarly(source) : source;
        return cache.remember?.(bounded, schema) ?? bounded;
      },
    },
    // These rules concern only requests, so responses are compiled without them.
    ...(rules === 'requests' && { keywords: orderKeywords }),
  };
}
const ignoreNext = (): void => undefined;

/**
 * Compiles the request of one operation for one media type, or loads it from `cache`. A probe without `content-type`
 * represents a request without a body.
 */
export function compileRequest(document: object, empty: Probe, name: string, cache: ValidatorCache): CompiledRequest {
  const validator = new RequestValidator(document as Document, {
    ...ajvOptions.request,
    ...optionsFor(cache, 'requests'),
  });
  const { ajv, ajvBody } = validator as unknown as Internals;
  const key = `${empty.method}-${empty.openapi.expressRoute}-${String(empty.headers['content-type'] ?? 'not_provided')}`;
  const cached = cache.find(name, () => ajv);
  if (cached !== undefined) {
    putIn(ajv, key, cached['parameters'] as ValidateFunction);
    putIn(ajvBody, key, cached['body'] as ValidateFunction);
  }
  const check = (probe: Probe): void =>
    void validator.validate(probe as unknown as RequestArguments[0], {} as RequestArguments[1], ignoreNext);
  // Compilation happens inside the first check; the result for an empty request is ignored.
  try {
    check(empty);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  const parameters = ajv.getSchema(key) as ValidateFunction;
  const body = ajvBody.getSchema(key) as ValidateFunction;
  return {
    check: (probe) => {
      parameters.errors = null;
      body.errors = null;
      check(probe);
    },
    errors: () => ({ parameters: parameters.errors ?? [], body: body.errors ?? [] }),
    parts:
      cached === undefined
        ? [
            { name: 'parameters', validate: parameters, ajv },
            { name: 'body', validate: body, ajv: ajvBody },
          ]
        : null,
  };
}

/** Stores a compiled schema where the package looks for one before it compiles. */
function putIn(ajv: Ajv, key: string, validate: ValidateFunction): void {
  (ajv.schemas as Record<string, SchemaEnv>)[key] = { validate } as SchemaEnv;
}

/** Compiles the bodies of one response by media type; types that are not JSON have no compiled body. */
export function compileContent(
  document: object,
  content: RuntimeContent,
  name: string,
  cache: ValidatorCache,
): CompiledContent {
  return compileBodies({ document, content, rules: 'responses' }, name, cache);
}

/** Compiles the schema of a patch result. The rules about requests apply, as if the result had been sent. */
export function compileResult(
  document: object,
  content: RuntimeContent,
  name: string,
  cache: ValidatorCache,
): CompiledContent {
  return compileBodies({ document, content, rules: 'requests' }, name, cache);
}

interface Bodies {
  readonly document: object;
  readonly content: RuntimeContent;
  readonly rules: 'requests' | 'responses';
}

function compileBodies({ document, content, rules }: Bodies, name: string, cache: ValidatorCache): CompiledContent {
  const making = (): ResponseValidator =>
    new ResponseValidator(document as Document, { ...ajvOptions.response, ...optionsFor(cache, rules) });
  const cached = cache.find(name, () => ajvOf(making()));
  if (cached !== undefined) return { byType: cached, parts: null };
  const validator = making();
  const compiled = validator._getOrBuildValidator(
    { method: '', headers: {}, openapi: { expressRoute: '' } } as unknown as Parameters<
      ResponseValidator['_getOrBuildValidator']
    >[0],
    { any: { content } } as unknown as Parameters<ResponseValidator['_getOrBuildValidator']>[1],
  ) as unknown as { readonly any?: Readonly<Record<string, ValidateFunction>> };
  const byType = compiled.any ?? {};
  return {
    byType,
    parts: Object.entries(byType).map(([type, validate]) => ({ name: type, validate, ajv: ajvOf(validator) })),
  };
}

function ajvOf(validator: ResponseValidator): Ajv {
  return (validator as unknown as { readonly ajvBody: Ajv }).ajvBody;
}
