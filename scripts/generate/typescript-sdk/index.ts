/** Writes all generated files of the TypeScript SDK. Called by the pipeline. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import type { ApiModel, EmitterOptions, OperationModel, ResourceNode } from '../model.ts';
import { problemCodes } from '../problem-codes.ts';
import { generatedBy } from '../source-text.ts';
import { headerOptionsFile, parametersOf, resultType } from './method.ts';
import { oneLine } from './text.ts';
import { examplesFile, functionsFile, linesFile, operationsFile, requestsFile } from './operations.ts';
import { operationErrorsFile, problemsFile } from './problems.ts';
import { withClosedRequests } from './requests.ts';
import { followSignature, resourceFile, resourceFileName, resourceNodes, withDistinctClasses } from './resources.ts';
import { personalDataFile, shownFile, withOpenUnions, writeTypes } from './schemas.ts';

/**
 * Writes all generated files of the TypeScript package: the types by hey-api, and based on them the table of the
 * operations, the types of the resources and their map.
 */
export async function generate(contract: Contract, declared: ApiModel, options: EmitterOptions): Promise<void> {
  const model = withDistinctClasses(declared);
  const codes = problemCodes(contract);
  const open = withOpenUnions(withClosedRequests(contract));
  await writeTypes(join(options.directory, 'src/generated'), open);
  const write = (path: string, text: string): void => {
    const file = join(options.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const source = (name: string, text: string): void => {
    write(`src/generated/resources/${name}`, `// ${generatedBy('scripts/generate.ts')}\n\n${text}`);
  };
  for (const node of resourceNodes(model.resources)) source(resourceFileName(node), resourceFile(node, model, codes));
  source('index.ts', rootFile(model));
  source('contract.ts', contractFile(contract, model, manifestOf(options.root).version));
  source('operations.ts', operationsFile(model));
  source('functions.ts', functionsFile(model));
  source('lines.ts', linesFile(model));
  source('examples.ts', examplesFile(model));
  source('requests.ts', requestsFile(model));
  source('problems.ts', problemsFile(model));
  source('operation-errors.ts', operationErrorsFile(model, codes));
  source('shown.ts', shownFile(contract));
  source('personal-data.ts', personalDataFile(contract, model));
  source('schemas.ts', schemasFile(open));
  source('header-options.ts', headerOptionsFile(model));
  write('api.md', `<!-- ${generatedBy('scripts/generate.ts')} -->\n\n${apiMap(model)}`);
}

/** The trunk of the resource tree. */
export function rootFile(model: ApiModel): string {
  const top = model.resources.children;
  return (
    top.map((node) => `import type { ${node.className} } from './${resourceFileName(node)}';\n`).join('') +
    `\n${resourceNodes(model.resources)
      .map((node) => `export type * from './${resourceFileName(node)}';\n`)
      .join('')}` +
    `\n/** Every resource of the API. */\nexport interface Resources {\n` +
    top.map((node) => `  readonly ${node.name}: ${node.className};\n`).join('') +
    '}\n'
  );
}

function manifestOf(root: string): { readonly version: string } {
  return JSON.parse(readFileSync(join(root, 'sdks/typescript/package.json'), 'utf8')) as { readonly version: string };
}

/** Facts of the package and of the contract that the runtime needs. */
export function contractFile(contract: Contract, model: ApiModel, version: string): string {
  const server = contract.servers?.[0];
  const url = Object.entries(server?.variables ?? {}).reduce(
    (text, [name, variable]) => text.replaceAll(`{${name}}`, variable.default),
    server?.url ?? '',
  );
  // The transport generates the idempotency key itself, once for all attempts.
  const headers = new Map(
    model.operations
      .flatMap(({ parameters }) => parameters.header)
      .filter(({ name }) => name !== 'Idempotency-Key')
      .map(({ typescript, name }) => [typescript, name]),
  );
  return (
    `/** Of this package. */\nexport const VERSION = ${JSON.stringify(version)};\n\n/** Of the contract that it ` +
    `was made from. */\nexport const API_VERSION = ${JSON.stringify(contract.info.version)};\n\nexport const ` +
    `DEFAULT_BASE_URL = ${JSON.stringify(url)};\n\n/** Options of calls that travel as headers. */\nexport const ` +
    'HEADERS: Readonly<Record<string, string>> = ' +
    `{\n${[...headers].map(([option, name]) => `  ${option}: '${name}',\n`).join('')}};\n`
  );
}

/** The named schemas, without the generator's helper types. */
export function schemasFile({ components }: Contract): string {
  return `export type {\n${Object.keys(components.schemas ?? {})
    .map((name) => `  ${name},\n`)
    .join('')}} from '../types.gen.ts';\n`;
}

/** api.md: every call of the package on one page. */
export function apiMap(model: ApiModel): string {
  const resources = resourceNodes(model.resources).filter((node) => node.operations.length > 0);
  return (
    `# ${model.title} ${model.version}: every call\n\n` +
    'The last argument of every call takes `signal`, `timeout`, `deadline`, `maxRetries`, `headers`, `query` and ' +
    '`fetchOptions`, that of a\n' +
    'list `onPoison`, that of a download `idleTimeout`. `client.resume(error)` sends a call again that failed. ' +
    'Each call is also a\n' +
    'function of `compliance-onboarding/functions`, named in the last column, which takes a ' +
    'client before the arguments.\n' +
    '\n' +
    resources.map((node) => section(node, model)).join('\n')
  );
}

function section(node: ResourceNode, model: ApiModel): string {
  return (
    `## \`client.${node.path}\`\n\nSource: [\`${resourceFileName(node)}\`](src/generated/resources/${resourceFileName(node)})\n\n` +
    '| Call | Answer | | Function |\n|---|---|---|---|\n' +
    node.operations
      .map(
        (operation) =>
          `| \`${call(operation)}\` | \`${resultType(operation, model).replaceAll('|', '\\|')}\` | ` +
          `${oneLine(operation.summary)} · \`${operation.method.toUpperCase()} ${operation.path}\` | ` +
          `\`${operation.operationId}\` |\n`,
      )
      .join('') +
    node.operations.map(followRow).join('')
  );
}

function followRow(operation: OperationModel): string {
  const signature = followSignature(operation);
  return signature === null
    ? ''
    : `| \`follow(options?)\` | \`${signature.result}\` | Follow \`${operation.sdk.method}\` without end, ` +
        'acknowledging what was processed | |\n';
}

function call(operation: OperationModel): string {
  return `${operation.sdk.method}(${parametersOf(operation)
    .map(({ name, required }) => `${name}${required ? '' : '?'}`)
    .join(', ')})`;
}
