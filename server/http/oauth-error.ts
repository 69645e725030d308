/** Error codes of RFC 6749 §5.2; `temporarily_unavailable` is borrowed from §4.1.2.1 for 429 and 503. */
export type OAuthErrorCode =
  | 'invalid_request' | 'invalid_client' | 'invalid_scope' | 'unauthorized_client' | 'unsupported_grant_type' | 'temporarily_unavailable';

/** A refusal of the token endpoint, in the form of RFC 6749 instead of RFC 9457. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly description: string;
  headers: Readonly<Record<string, string>> = {};
  keepsChanges = false;

  /** `description` is ASCII without quotation marks and backslashes (RFC 6749 §5.2). */
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
