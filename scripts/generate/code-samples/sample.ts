/**
 * What the samples of all languages have in common: credentials, needed headers, files. Used by the writers of samples.
 */
import type { OperationModel, ParameterModel } from '../model.ts';

export interface CodeSample {
  readonly lang: 'curl' | 'typescript' | 'python';
  readonly label: 'curl' | 'TypeScript' | 'Python';
  readonly source: string;
}

/** Parts of a program: what every program has, and the call, which the SDKs show beside their methods. */
interface Program {
  readonly imports: readonly string[];
  readonly client: readonly string[];
  readonly use: readonly string[];
}

export function textOf({ imports, client, use }: Program): string {
  return [...imports, '', ...client, '', ...use].join('\n');
}

/** Returns the names of the files that the operation takes. */
export function filesOf({ body }: Pick<OperationModel, 'body'>): ReadonlySet<string> {
  return new Set(
    body?.kind === 'multipart' ? (body.members ?? []).filter((member) => member.file).map((member) => member.name) : [],
  );
}

/**
 * Credential of a sample: none for public operations, an API key if one is accepted, a machine's token if only tokens
 * are accepted (the SDKs exchange the key for one), and a person's token if only people may call.
 */
type Credential = 'none' | 'api key' | 'machine token' | 'person token';

export function credentialOf({ security }: Pick<OperationModel, 'security'>): Credential {
  const takes = (scheme: string): boolean => security.some((requirement) => scheme in requirement);
  if (security.length === 0) return 'none';
  if (takes('apiKey')) return 'api key';
  return takes('oauth2') ? 'machine token' : 'person token';
}

/**
 * Returns the environment variables that the clients of both SDKs read for the operation, for a comment above the
 * client.
 */
export function variablesOf(operation: Pick<OperationModel, 'security'>): string {
  const credential = credentialOf(operation);
  if (credential === 'none') return 'COMPLIANCE_BASE_URL';
  return `COMPLIANCE_BASE_URL and ${credential === 'person token' ? 'COMPLIANCE_ACCESS_TOKEN' : 'COMPLIANCE_API_KEY'}`;
}

/**
 * Returns the headers without which a call would be refused; `If-Match` is one if the contract documents 428 (RFC 6585
 * section 3).
 */
export function neededHeaders({ parameters, failures }: OperationModel): readonly ParameterModel[] {
  const conditional = failures.some(({ status }) => status === 428);
  return parameters.header.filter(({ name, required }) => required || (conditional && name === 'If-Match'));
}
