/**
 * Code samples of every operation in curl, TypeScript and Python. Used by the reference and the landing page. A test
 * compiles or runs each.
 */
import type { ApiModel, OperationModel } from '../model.ts';
import { pythonSample } from './python.ts';
import { credentialOf, filesOf, neededHeaders } from './sample.ts';
import type { CodeSample } from './sample.ts';
import { typescriptSample } from './typescript.ts';

/**
 * Returns samples for every operation that programs call, by operationId. Address and credential come from the
 * environment: `COMPLIANCE_BASE_URL` and `COMPLIANCE_API_KEY`, or `COMPLIANCE_ACCESS_TOKEN`. Apart from these, a reader
 * must only replace example ids and secrets of the contract.
 */
export function codeSamples(model: ApiModel): Map<string, CodeSample[]> {
  return new Map(
    model.operations
      .filter(({ browser }) => !browser)
      .map((operation) => [
        operation.operationId,
        [
          { lang: 'curl', label: 'curl', source: curlSample(operation) },
          { lang: 'typescript', label: 'TypeScript', source: typescriptSample(operation) },
          { lang: 'python', label: 'Python', source: pythonSample(operation, model) },
        ],
      ]),
  );
}

/** Returns the call with only curl; addresses and credentials come from the environment. */
function curlSample(operation: OperationModel): string {
  const method = operation.method === 'get' ? '' : `-X ${operation.method.toUpperCase()} `;
  const lines = [
    `curl ${method}"$COMPLIANCE_BASE_URL${address(operation)}"`,
    ...credential(operation),
    ...neededHeaders(operation).map((p) => header(p.name, p.example)),
    // The SDKs generate a key for each call.
    ...operation.parameters.header
      .filter((p) => operation.idempotent && p.name === 'Idempotency-Key')
      .map((p) => header(p.name, p.example)),
    ...body(operation),
    ...output(operation),
  ];
  return lines.join(' \\\n  ');
}

function address(operation: OperationModel): string {
  const path = operation.parameters.path.reduce(
    (text, p) => text.replace(`{${p.name}}`, encodeURIComponent(String(p.example))),
    operation.path,
  );
  const query = operation.parameters.query
    .filter((p) => p.required)
    .map((p) => `${p.name}=${encodeURIComponent(String(p.example))}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function credential(operation: OperationModel): string[] {
  switch (credentialOf(operation)) {
    case 'none':
      return [];
    case 'api key':
      return ['-H "X-API-Key: $COMPLIANCE_API_KEY"'];
    case 'machine token':
    case 'person token':
      return ['-H "Authorization: Bearer $COMPLIANCE_ACCESS_TOKEN"'];
  }
}

function header(name: string, value: unknown): string {
  return `-H ${quote(`${name}: ${String(value)}`)}`;
}

function body({ body }: OperationModel): string[] {
  if (body === null || body.example === undefined) return [];
  if (body.kind === 'json')
    return [`-H "Content-Type: ${body.mediaType}"`, `-d ${quote(JSON.stringify(body.example, null, 2))}`];
  const fields = Object.entries(body.example as Record<string, unknown>);
  if (body.kind === 'form')
    return fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${String(value)}`)}`);
  const files = filesOf({ body });
  return fields.map(([name, value]) => `-F ${quote(`${name}=${files.has(name) ? '@' : ''}${String(value)}`)}`);
}

function output({ successes: [first] }: OperationModel): string[] {
  return first?.binary === true ? ['-o document'] : [];
}

/** Encloses a text in POSIX single quotes, within which nothing is expanded. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
