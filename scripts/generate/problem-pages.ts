/**
 * What the pages of problem codes show. Used by the pipeline. A code of which no operation shows an example needs an
 * entry here.
 */
import { METHODS, resolve } from '../contract/contract.ts';
import type { Contract, Example, Response } from '../contract/contract.ts';
import type { ProblemFacts, ProblemPages } from '../../server/contract/problem-facts.ts';
import type { ApiModel, OperationModel, ProblemModel } from './model.ts';
import { problemClass as pythonClass } from './python-sdk/text.ts';
import { baseName, problemClassName } from './typescript-sdk/problems.ts';

const REQUEST = '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00';
const accepts =
  (...schemes: readonly string[]) =>
  ({ security }: OperationModel): boolean =>
    security.some((requirement) => schemes.some((scheme) => scheme in requirement));
const acceptsAny = accepts('bearerAuth', 'apiKey', 'oauth2');
const acceptsKeys = accepts('apiKey');
const acceptsTokens = accepts('bearerAuth', 'oauth2');

/** Codes that follow from the declarations of an operation, whose examples show only its specific codes. */
const FOLLOWS: Readonly<Record<string, (operation: OperationModel) => boolean>> = {
  unknown_parameter: ({ tag }) => tag !== 'oauth',
  overloaded: ({ tag }) => tag !== 'oauth',
  invalid_cursor: ({ pagination }) => pagination !== null,
  cursor_filter_mismatch: ({ pagination }) => pagination !== null,
  token_invalid: acceptsTokens,
  token_revoked: acceptsTokens,
  api_key_expired: acceptsKeys,
  api_key_revoked: acceptsKeys,
  ip_not_allowed: acceptsKeys,
  key_grantor_inactive: acceptsKeys,
  key_pinned_to_live: (operation) => operation.tag === 'sandbox' && operation.method !== 'get' && !operation.humanOnly,
  tenant_suspended: acceptsAny,
  human_required: ({ humanOnly }) => humanOnly,
  step_up_required: ({ stepUp }) => stepUp,
  personal_data_masked: ({ needsFullData }) => needsFullData.operation || needsFullData.parameters.length > 0,
};

/** Returns what the pages of the problem codes show in addition to the server's catalogue. */
export function problemPages(contract: Contract, model: ApiModel): ProblemPages {
  const shown = shownIn(contract);
  return {
    operations: Object.fromEntries(
      model.operations.map(({ operationId, summary, method, path }) => [operationId, { summary, method, path }]),
    ),
    problems: Object.fromEntries(model.problems.map((problem) => [problem.code, factsOf(problem, model, shown)])),
  };
}

type Shown = ReadonlyMap<string, { readonly example: object; readonly operations: ReadonlySet<string> }>;

function factsOf(problem: ProblemModel, { operations }: ApiModel, shown: Shown): ProblemFacts {
  const { code, members } = problem;
  const follows = FOLLOWS[code] ?? (() => false);
  const found = shown.get(code);
  return {
    example: found?.example ?? plainExample(problem),
    members: members.map(({ name, description }) => ({ name, description })),
    operations: operations
      .filter((operation) => (found?.operations.has(operation.operationId) ?? false) || follows(operation))
      .map(({ operationId }) => operationId),
    classes: { typescript: { name: problemClassName(code), base: baseName(problem) }, python: pythonClass(problem) },
  };
}

/** Returns each code with its first example in the contract, and the operations whose responses show the code. */
function shownIn(contract: Contract): Shown {
  const found = new Map<string, { example: object; operations: Set<string> }>();
  for (const operation of Object.values(contract.paths).flatMap((item) =>
    METHODS.flatMap((method) => item[method] ?? []),
  )) {
    const answers = Object.values(operation.responses).map(
      (response) => resolve<Response>(contract, response).content?.['application/problem+json']?.examples ?? {},
    );
    for (const example of answers.flatMap((examples) => Object.values(examples))) {
      const { value } = resolve<Example>(contract, example);
      const { code } = value as { readonly code: string };
      const known = found.get(code) ?? { example: value as object, operations: new Set<string>() };
      found.set(code, known);
      known.operations.add(operation.operationId);
    }
  }
  return found;
}

/** Returns what the service would send, for a code that no operation shows. */
function plainExample({ code, status, title }: ProblemModel): object {
  return {
    type: `/problems/${code}`,
    title,
    status,
    instance: `urn:uuid:${REQUEST}`,
    code,
    requestId: REQUEST,
  };
}
