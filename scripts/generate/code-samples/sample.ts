import type { OperationModel, ParameterModel } from '../model.ts';

export interface CodeSample {
  readonly lang: 'curl' | 'typescript' | 'python';
  readonly label: 'curl' | 'TypeScript' | 'Python';
  readonly source: string;
}

/** A program in its parts: what every program has, and the call, which the SDKs show with their methods. */
interface Program {
  readonly imports: readonly string[];
  readonly client: readonly string[];
  readonly use: readonly string[];
}

export function textOf({ imports, client, use }: Program): string {
  return [...imports, '', ...client, '', ...use].join('\n');
}

/** The names of the files that the operation takes. */
export function filesOf({ body }: Pick<OperationModel, 'body'>): ReadonlySet<string> {
  return new Set(body?.kind === 'multipart' ? (body.members ?? []).filter((member) => member.file).map((member) => member.name) : []);
}

/**
 * The credential that a sample uses: none for public operations, an API key wherever one is taken, a machine's token where
 * only tokens are (the SDKs trade the key for one), and a person's token where a person is needed.
 */
type Credential = 'none' | 'api key' | 'machine token' | 'person token';

export function credentialOf({ security }: Pick<OperationModel, 'security'>): Credential {
  const takes = (scheme: string): boolean => security.some((requirement) => scheme in requirement);
  if (security.length === 0) return 'none';
  if (takes('apiKey')) return 'api key';
  return takes('oauth2') ? 'machine token' : 'person token';
}

/** The variables from which the clients of both SDKs read what the operation needs, for a comment above the client. */
export function variablesOf(operation: Pick<OperationModel, 'security'>): string {
  const credential = credentialOf(operation);
  if (credential === 'none') return 'COMPLIANCE_BASE_URL';
  return `COMPLIANCE_BASE_URL and ${credential === 'person token' ? 'COMPLIANCE_ACCESS_TOKEN' : 'COMPLIANCE_API_KEY'}`;
}

/** The headers without which a call would be refused: `If-Match`, too, where the contract documents 428 (RFC 6585 section 3). */
export function neededHeaders({ parameters, failures }: OperationModel): readonly ParameterModel[] {
  const conditional = failures.some(({ status }) => status === 428);
  return parameters.header.filter(({ name, required }) => required || (conditional && name === 'If-Match'));
}
