/**
 * This file compiles the schemas of an operation into two checks: one for its requests, which reports every error at
 * once, and one for its responses, which names the positions that break the contract. The router runs the first check
 * before the handler and the second after it. Used by the API, the mock and development. A contract that cannot be
 * enforced stops the start.
 */
import { Problem } from '../contract/problem.ts';
import {
  type ContractNode,
  inlined,
  type PatternWords,
  pruneContract,
  requestPart,
  responsePart,
  type RuntimeContract,
  type RuntimeOperation,
} from '../contract/pruned-contract.ts';
import { idRewriter } from './ids.ts';
import { type ValidatorCache, NO_CACHE } from './cached-validators.ts';
import type { FileParts } from './multipart.ts';
import { QueryReader } from './query.ts';
import { type ResultCheck, resultCheckOf } from './result-check.ts';
import { bodyErrors, type BodyRuleCheck, parameterErrors, withRuleErrors } from './validation-errors.ts';
import {
  compileContent,
  type CompiledContent,
  type CompiledRequest,
  compileOnce,
  compileRequest,
  HttpError,
  type Probe,
} from './validator-adapter.ts';

/** The parts of a request that the contract describes. */
export interface RequestInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
}

/**
 * A position at which a response breaks the contract. It never repeats the content, because responses contain personal
 * data.
 */
export interface Violation {
  readonly at: string;
  readonly rule: string;
}

export interface OperationValidator {
  readonly pathParameters: readonly string[];
  /** Header parameters, in lower case. */
  readonly headerParameters: readonly string[];
  readonly bodyRequired: boolean;
  /** The members of a multipart body that are files. */
  readonly fileParts: FileParts;
  readonly query: QueryReader;
  /**
   * Fills defaults, coerces parameters and converts ids to lower case, in place. Throws a `Problem` with all errors,
   * those of the rules of the body that its schema cannot express included.
   */
  readonly request: (input: RequestInput, mediaType: string | null, faults?: BodyRuleCheck) => void;
  /**
   * Lists the positions at which the result of a merge patch breaks the rules for creating the record, if the patch is
   * the cause.
   */
  readonly resultOfPatch: ResultCheck;
  /** Lists the positions at which a response breaks the contract; null if there are none. */
  readonly response: (status: number, mediaType: string | null, body: unknown) => readonly Violation[] | null;
}

/**
 * Data that error messages need in addition to the errors of the validator: names as clients know them, patterns in
 * words, rules of the body.
 */
interface ErrorContext {
  readonly displayName: (name: string) => string;
  readonly words: PatternWords;
  readonly faults: BodyRuleCheck | undefined;
}
type RequestCheck = (input: RequestInput, context: ErrorContext) => void;

/**
 * Compiles the operations of one contract. Operations share equal response bodies, above all the problems, so each body
 * is compiled once.
 */
export class Validators {
  readonly #contract: RuntimeContract;
  readonly #cache: ValidatorCache;
  readonly #contents = new Map<string, CompiledContent>();

  constructor(contract: RuntimeContract, cache: ValidatorCache = NO_CACHE) {
    this.#contract = contract;
    this.#cache = cache;
  }

  /** Compiles one operation. Throws at boot if its contract cannot be enforced; the error names the operation. */
  compile({
    operationId,
    method,
    path,
  }: {
    readonly operationId: string;
    readonly method: string;
    readonly path: string;
  }): OperationValidator {
    try {
      const described = this.#contract.paths[path]?.[method];
      if (described === undefined) throw new Error(`the runtime contract has no ${method.toUpperCase()} ${path}`);
      return this.#compile(described, path, method.toUpperCase());
    } catch (error) {
      throw new Error(`The contract of ${operationId} cannot be enforced: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  #compile(described: RuntimeOperation, path: string, method: string): OperationValidator {
    const parameters = described.parameters ?? [];
    const displayNames = new Map(parameters.map(({ name }) => [name.toLowerCase(), name]));
    const checks = this.#requestChecks(described, path, method);
    const rewriteIds = idRewriter(described, this.#contract);
    const contents = Object.fromEntries(
      Object.entries(described.responses).map(([status, { content }]) => [status, content && this.#content(content)]),
    );
    const declared = { responses: described.responses, contents };
    return {
      pathParameters: [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string),
      headerParameters: parameters
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name.toLowerCase()),
      bodyRequired: described.requestBody?.required === true,
      fileParts: this.#fileParts(described),
      query: new QueryReader(
        parameters.map((parameter) => ({ ...parameter, schema: inlined(parameter.schema, this.#contract) })),
      ),
      request: (input, mediaType, faults) => {
        const check = checks.get(mediaType);
        if (check === undefined) throw new Problem('unsupported_media_type');
        check(input, {
          displayName: (name) => displayNames.get(name.toLowerCase()) ?? name,
          words: this.#contract['x-patterns'] ?? {},
          faults,
        });
        rewriteIds(input, mediaType);
      },
      resultOfPatch: resultCheckOf(described['x-result'], this.#contract, this.#cache),
      response: (status, mediaType, body) => violations(declared, status, mediaType, body),
    };
  }

  /**
   * Returns one check per media type, with the key `null` for a request without a body. Media types with the same
   * schema share one check.
   */
  #requestChecks(described: RuntimeOperation, path: string, method: string): Map<string | null, RequestCheck> {
    const compiled = new Map<string, RequestCheck>();
    const types: (string | null)[] = Object.keys(described.requestBody?.content ?? {});
    if (described.requestBody?.required !== true) types.push(null);
    return new Map(
      types.map((type) => {
        const key = type === null ? '' : JSON.stringify(described.requestBody?.content[type]?.schema);
        const check = compiled.get(key) ?? this.#requestCheck(described, path, method, type);
        compiled.set(key, check);
        return [type, check];
      }),
    );
  }

  #requestCheck(described: RuntimeOperation, path: string, method: string, mediaType: string | null): RequestCheck {
    const { part, document } = pruneContract(this.#contract, requestPart(described, this.#contract));
    const probe = (input: RequestInput): Probe => {
      if (mediaType !== null) input.headers['content-type'] = mediaType;
      return {
        method,
        path,
        originalUrl: '/',
        headers: input.headers,
        params: input.params,
        query: input.query,
        body: input.body,
        openapi: { schema: part, expressRoute: path, pathParams: input.params },
      };
    };
    const empty = probe({
      params: {},
      query: {},
      headers: {},
      body: undefined,
    });
    const name = `request ${method} ${path} ${mediaType ?? 'without a body'}`;
    const compiled = compileOnce([document, empty], () => compileRequest(document, empty, name, this.#cache));
    this.#cache.record(name, compiled.parts);
    return (input, context) => check(compiled, probe(input), context);
  }

  #fileParts({ requestBody }: RuntimeOperation): FileParts {
    const { properties = {}, required = [] } = inlined(
      requestBody?.content['multipart/form-data']?.schema ?? {},
      this.#contract,
    ) as { properties?: Record<string, ContractNode>; required?: string[] };
    const files = Object.keys(properties).filter(
      (name) => inlined(properties[name]!, this.#contract)['format'] === 'binary',
    );
    return new Map(files.map((name) => [name, { required: required.includes(name) }]));
  }

  #content(content: NonNullable<RuntimeOperation['responses'][string]['content']>): CompiledContent {
    const key = JSON.stringify(content);
    let compiled = this.#contents.get(key);
    if (compiled === undefined) {
      const { part, document } = pruneContract(this.#contract, responsePart(content, this.#contract));
      compiled = compileOnce([document, part], () => compileContent(document, part, `answer ${key}`, this.#cache));
      this.#cache.record(`answer ${key}`, compiled.parts);
      this.#contents.set(key, compiled);
    }
    return compiled;
  }
}

function check(compiled: CompiledRequest, probe: Probe, { displayName, words, faults }: ErrorContext): void {
  try {
    compiled.check(probe);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { parameters, body } = compiled.errors();
    if (parameters.length > 0)
      throw new Problem('invalid_parameter', { errors: parameterErrors(parameters, words, displayName, probe.query) });
    if (body.length > 0) {
      const errors = bodyErrors(body, words, probe.body);
      throw new Problem('validation_failed', {
        errors: faults === undefined ? errors : withRuleErrors(errors, body, probe.body, faults),
      });
    }
    throw new Problem('invalid_parameter', {
      errors: [
        {
          parameter: displayName((error.path ?? '').split('/').at(-1) ?? ''),
          code: 'invalid',
          message: 'is not valid',
        },
      ],
    });
  }
}

interface DeclaredResponses {
  readonly responses: RuntimeOperation['responses'];
  /** Compiled content of each status that has a body. */
  readonly contents: Readonly<Record<string, CompiledContent | undefined>>;
}

function violations(
  { responses, contents }: DeclaredResponses,
  status: number,
  mediaType: string | null,
  body: unknown,
): readonly Violation[] | null {
  const declared = responses[status];
  if (declared === undefined) return [{ at: '', rule: `status ${status} is not documented` }];
  if (mediaType === null) return declared.content === undefined ? null : [{ at: '', rule: 'a body is required' }];
  if (declared.content?.[mediaType] === undefined)
    return [{ at: '', rule: `media type ${mediaType} is not documented` }];
  const validate = contents[status]?.byType[mediaType];
  if (validate === undefined || validate({ response: body })) return null;
  return (validate.errors ?? []).map((error) => ({
    at: error.instancePath,
    rule: `${error.keyword} ${error.schemaPath}`,
  }));
}
