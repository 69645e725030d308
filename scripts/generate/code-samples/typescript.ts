/** Writes a call with the TypeScript SDK. Used by the samples and by the documentation of methods. */
import { Expression, literal } from '../source-text.ts';
import type { OperationModel } from '../model.ts';
import { camelCase } from '../naming.ts';
import { filesOf, neededHeaders, textOf, variablesOf } from './sample.ts';

/** Deeper objects are written on one line. */
const DEPTH = 4;
const WIDTH = 80;

/** Returns the call with the TypeScript SDK, as a complete program. */
export function typescriptSample(operation: OperationModel): string {
  return textOf({ imports: imports(operation), client: client(operation), use: typescriptUse(operation) });
}

function imports(operation: OperationModel): string[] {
  const sdk = "import { ComplianceOnboarding } from 'compliance-onboarding';";
  if (filesOf(operation).size > 0) return ["import { openAsBlob } from 'node:fs';", sdk];
  return operation.successes[0]?.binary === true ? ["import { writeFile } from 'node:fs/promises';", sdk] : [sdk];
}

function client(operation: OperationModel): string[] {
  return [`// Reads ${variablesOf(operation)}.`, 'const client = new ComplianceOnboarding();'];
}

function argumentsOf(operation: OperationModel): string[] {
  const { path, query } = operation.parameters;
  const positional = path.map((parameter) => literal(String(parameter.example)));
  const options = Object.fromEntries(neededHeaders(operation).map((p) => [p.typescript, p.example]));
  const params =
    operation.body === null
      ? Object.fromEntries(query.filter((p) => p.required).map((p) => [p.name, p.example]))
      : operation.body.example;
  const shown = isEmpty(params) ? [] : [literal(withFiles(operation, params), DEPTH)];
  if (isEmpty(options)) return [...positional, ...shown];
  const hasParams = operation.body !== null || query.length > 0;
  return [...positional, ...(hasParams && shown.length === 0 ? ['undefined'] : shown), literal(options)];
}

/** Replaces the name of a file in the example by the file. */
function withFiles(operation: OperationModel, params: unknown): unknown {
  const files = filesOf(operation);
  if (files.size === 0 || typeof params !== 'object' || params === null) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      files.has(name)
        ? new Expression(literal({ name: value, data: new Expression(`await openAsBlob(${literal(value)})`) }))
        : value,
    ]),
  );
}

/** Returns only the call. */
export function typescriptUse(operation: OperationModel): string[] {
  const [success] = operation.successes;
  if (operation.pagination !== null) {
    const item = camelCase(operation.pagination.itemSchema);
    return [`${call(operation, `for await (const ${item} of `)}) {`, `  console.log(${item});`, '}'];
  }
  if (success?.binary === true)
    return [`${call(operation, 'const download = await ')};`, "await writeFile('document', await download.bytes());"];
  if (success === undefined || success.schemaName === null) return [`${call(operation, 'await ')};`];
  const name = camelCase(success.schemaName);
  return [`${call(operation, `const ${name} = await `)};`, `console.log(${name});`];
}

/** Writes the arguments on separate lines if the first line would be too long for a narrow page. */
function call(operation: OperationModel, before: string): string {
  const parts = argumentsOf(operation);
  const [opening, line] = [`${before}client.${operation.sdk.typescript}(`, parts.join(', ')];
  if (`${opening}${line}`.split('\n')[0]!.length <= WIDTH) return `${opening}${line})`;
  return `${opening}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')})`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
