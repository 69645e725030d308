import { literal } from '../literal.ts';
import type { OperationModel } from '../model.ts';
import { camelCase } from '../naming.ts';
import { credentialOf } from './credential.ts';

/** Deeper objects stay on one line. */
const DEPTH = 4;

/** The call with the TypeScript SDK, as a program that runs as it stands. */
export function typescriptSample(operation: OperationModel): string {
  const call = `client.${operation.sdk.typescript}(${argumentsOf(operation).join(', ')})`;
  return [...imports(operation), '', client(operation), '', ...use(operation, call)].join('\n');
}

function imports(operation: OperationModel): string[] {
  const sdk = "import { ComplianceOnboarding } from 'compliance-onboarding';";
  if (fileNames(operation).length > 0) return ["import { openAsBlob } from 'node:fs';", sdk];
  return operation.successes[0]?.binary === true ? ["import { writeFile } from 'node:fs/promises';", sdk] : [sdk];
}

/** Address, API key and OAuth client come from the environment; a person's token is handed over. */
function client(operation: OperationModel): string {
  const token = credentialOf(operation) === 'access token' ? '{ accessToken: process.env.COMPLIANCE_ACCESS_TOKEN }' : '';
  return `const client = new ComplianceOnboarding(${token});`;
}

function argumentsOf(operation: OperationModel): string[] {
  const { path, query, header } = operation.parameters;
  const positional = path.map((parameter) => literal(String(parameter.example)));
  const options = Object.fromEntries(header.filter((p) => p.required).map((p) => [p.typescript, p.example]));
  const params = operation.body === null ? Object.fromEntries(query.filter((p) => p.required).map((p) => [p.name, p.example])) : operation.body.example;
  const shown = isEmpty(params) ? [] : [withFiles(operation, literal(params, DEPTH))];
  if (isEmpty(options)) return [...positional, ...shown];
  const hasParams = operation.body !== null || query.length > 0;
  return [...positional, ...(hasParams && shown.length === 0 ? ['undefined'] : shown), literal(options, 1)];
}

/** `file: 'passport.jpg'` becomes the file of that name. */
function withFiles(operation: OperationModel, source: string): string {
  return fileNames(operation).reduce(
    (text, name) => text.replace(new RegExp(`\\b${name}: ('[^']*')`), (_, path: string) => `${name}: { name: ${path}, data: await openAsBlob(${path}) }`),
    source,
  );
}

function use(operation: OperationModel, call: string): string[] {
  const [success] = operation.successes;
  if (operation.pagination !== null) {
    const item = variable(operation.pagination.itemSchema);
    return [`for await (const ${item} of ${call}) {`, `  console.log(${item});`, '}'];
  }
  if (success?.binary === true) return [`const download = await ${call};`, "await writeFile('document', await download.bytes());"];
  if (success === undefined || success.schemaName === null) return [`await ${call};`];
  const name = variable(success.schemaName);
  return [`const ${name} = await ${call};`, `console.log(${name});`];
}

function variable(schema: string): string {
  return camelCase(schema);
}

function fileNames({ body }: OperationModel): string[] {
  return body?.kind === 'multipart' ? (body.members ?? []).filter((member) => member.file).map((member) => member.name) : [];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
