/**
 * The refusals of the service, as errors with a stable code. Thrown by modules and layers; the request layer makes
 * responses of them. Throwing rolls back the transaction unless `keeping` is used. Details must not contain personal
 * data or submitted values.
 */
import { type ProblemCode, problems } from './generated/problems.ts';

export type { ProblemCode };

/** One offending member of a body (`pointer`, RFC 6901) or one offending parameter. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
}

/** Members that a code always has: omitting one does not compile. */
interface RequiredMembers {
  invalid_state_transition: { readonly currentStatus: string; readonly allowedTransitions: readonly string[] };
  insufficient_scope: { readonly requiredScopes: readonly string[] };
  version_conflict: { readonly currentVersion: number };
  duplicate_external_id: { readonly existingId: string };
  validation_failed: { readonly errors: readonly FieldError[] };
}

export interface ProblemMembers {
  /** A sentence for people about this occurrence. Must not contain personal data, SQL or a submitted value. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly [extension: string]: unknown;
}

type MembersOf<C extends ProblemCode> = C extends keyof RequiredMembers
  ? [members: ProblemMembers & RequiredMembers[C]]
  : [members?: ProblemMembers];

/**
 * A refusal with a stable code (RFC 9457). The status comes from the contract's catalogue. Throwing it rolls the
 * transaction back; with `keeping` the transaction is committed first, for refusals that must be recorded, such as a
 * failed sign-in.
 */
export class Problem<C extends ProblemCode = ProblemCode> extends Error {
  readonly code: C;
  readonly status: number;
  readonly members: ProblemMembers;
  headers: Readonly<Record<string, string>> = {};
  keepsChanges = false;

  constructor(code: C, ...[members]: MembersOf<C>) {
    super(code);
    this.name = 'Problem';
    this.code = code;
    this.status = problems[code].status;
    this.members = members ?? {};
  }

  /**
   * Adds header fields to the response. Only for the layers that know HTTP: a module provides code and facts, from
   * which `Retry-After` and the challenge of a 401 are derived (`request/error-mapping.ts`).
   */
  with(headers: Readonly<Record<string, string>>): this {
    this.headers = { ...this.headers, ...headers };
    return this;
  }

  /** Makes the pipeline commit the handler's changes before it answers with this problem. */
  keeping(): this {
    this.keepsChanges = true;
    return this;
  }
}

/** Returns the problem of a temporary condition: the same request may succeed a second later (RFC 9110 §10.2.3). */
export function unavailable(code: 'dependency_unavailable' | 'overloaded'): Problem {
  return new Problem(code, { retryable: true, retryAfter: 1 });
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Returns the RFC 9457 document of a problem, members of the RFC first. */
export function problemDocument(problem: Problem, requestId: string): Record<string, unknown> {
  const { detail, errors, ...extensions } = problem.members;
  const document: Record<string, unknown> = {
    type: `/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: problem.status,
  };
  if (detail !== undefined) document['detail'] = detail;
  document['instance'] = `urn:uuid:${requestId}`;
  document['code'] = problem.code;
  document['requestId'] = requestId;
  if (errors !== undefined) document['errors'] = errors;
  for (const [name, value] of Object.entries(extensions)) if (value !== undefined) document[name] = value;
  return document;
}

/** Error codes of RFC 6749 §5.2; `temporarily_unavailable` is borrowed from §4.1.2.1 for 429 and 503. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable';

/** A refusal of the token endpoint, in the form of RFC 6749 instead of RFC 9457. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly description: string;
  headers: Readonly<Record<string, string>> = {};
  keepsChanges = false;

  /** Creates the error; `description` must be ASCII without quotation marks and backslashes (RFC 6749 §5.2). */
  constructor(code: OAuthErrorCode, description: string, status = code === 'invalid_client' ? 401 : 400) {
    super(code);
    this.name = 'OAuthError';
    this.code = code;
    this.status = status;
    this.description = description;
  }

  with(headers: Readonly<Record<string, string>>): this {
    this.headers = { ...this.headers, ...headers };
    return this;
  }

  keeping(): this {
    this.keepsChanges = true;
    return this;
  }

  document(): { error: OAuthErrorCode; error_description: string } {
    return { error: this.code, error_description: this.description };
  }
}
