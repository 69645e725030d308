import { problems, type ProblemCode } from '../contract/generated/problems.ts';

export type { ProblemCode };

/** One offending member of a body (`pointer`, RFC 6901) or one offending parameter. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
}

/** Members that a code always carries: forgetting one does not compile. */
interface RequiredMembers {
  invalid_state_transition: { readonly currentStatus: string; readonly allowedTransitions: readonly string[] };
  insufficient_scope: { readonly requiredScopes: readonly string[] };
  version_conflict: { readonly currentVersion: number };
  duplicate_external_id: { readonly existingId: string };
  validation_failed: { readonly errors: readonly FieldError[] };
}

export interface ProblemMembers {
  /** A sentence for people about this occurrence. Never personal data, SQL or a submitted value. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly [extension: string]: unknown;
}

export type MembersOf<C extends ProblemCode> =
  C extends keyof RequiredMembers ? [members: ProblemMembers & RequiredMembers[C]] : [members?: ProblemMembers];

/**
 * A refusal with a stable code (RFC 9457). The status comes from the contract's catalogue. Throwing it rolls the
 * transaction back; `keeping` commits first, for refusals that must leave a trace, such as a failed sign-in.
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

  /** Sends these headers along, for example `Retry-After`. */
  with(headers: Readonly<Record<string, string>>): this {
    this.headers = { ...this.headers, ...headers };
    return this;
  }

  /** Commits what the handler wrote so far and then answers with this problem. */
  keeping(): this {
    this.keepsChanges = true;
    return this;
  }
}
