import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as errors from '../../../sdks/typescript/src/core/errors.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ApiModel, EmitterOptions, OperationModel, ProblemModel, ResourceNode } from '../model.ts';
import { pascalCase } from '../naming.ts';
import { generatedBy } from '../source-text.ts';
import { comment, headerOptionsFile, oneLine, parameterList, resultType } from './method.ts';
import { followSignature, resourceFile, resourceFileName, resourceNodes, withDistinctClasses } from './resources.ts';
import { personalDataFile, shownFile, withOpenUnions, writeFlatFunctions } from './schemas.ts';

/**
 * Writes everything of the TypeScript package that follows from the contract: functions and types by hey-api, and on top
 * of them, by this emitter, the resource tree and its map; also the version, which is the contract's.
 */
export async function generate(contract: Contract, declared: ApiModel, options: EmitterOptions): Promise<void> {
  const model = withDistinctClasses(declared);
  const open = withOpenUnions(contract);
  await writeFlatFunctions(join(options.directory, 'src/generated'), open);
  const write = (path: string, text: string): void => {
    const file = join(options.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const source = (name: string, text: string): void => {
    write(`src/generated/resources/${name}`, `// ${generatedBy('scripts/generate.ts')}\n\n${text}`);
  };
  for (const node of resourceNodes(model.resources)) source(resourceFileName(node), resourceFile(node, model));
  source('index.ts', rootFile(model));
  source('contract.ts', contractFile(contract));
  source('functions.ts', functionsFile(model));
  source('problems.ts', problemsFile(model));
  source('shown.ts', shownFile(contract));
  source('personal-data.ts', personalDataFile(contract, model));
  source('schemas.ts', schemasFile(open));
  source('header-options.ts', headerOptionsFile(model));
  const manifest = join(options.root, 'sdks/typescript/package.json');
  write('package.json', readFileSync(manifest, 'utf8').replace(/^  "version": ".*"/m, `  "version": "${model.version}"`));
  write('api.md', `<!-- ${generatedBy('scripts/generate.ts')} -->\n\n${apiMap(model)}`);
}

/** The trunk of the resource tree. */
export function rootFile(model: ApiModel): string {
  const top = model.resources.children;
  return `import type { Transport } from '../../core/transport.ts';\n`
    + top.map((node) => `import { ${node.className} } from './${resourceFileName(node)}';\n`).join('')
    + `\n${resourceNodes(model.resources).map((node) => `export type * from './${resourceFileName(node)}';\n`).join('')}`
    + `\n/** Every resource of the API. */\nexport class Resources {\n`
    + top.map((node) => `  readonly ${node.name}: ${node.className};\n`).join('')
    + `\n  /** @internal */\n  constructor(client: Transport) {\n`
    + top.map((node) => `    this.${node.name} = new ${node.className}(client);\n`).join('')
    + '  }\n}\n';
}

/** Facts of the contract that the runtime needs. */
export function contractFile(contract: Contract): string {
  const server = contract.servers?.[0];
  const url = Object.entries(server?.variables ?? {}).reduce((text, [name, variable]) => text.replaceAll(`{${name}}`, variable.default), server?.url ?? '');
  return `/** Of the contract, and so of this package. */\nexport const VERSION = ${JSON.stringify(contract.info.version)};\n\nexport const DEFAULT_BASE_URL = ${JSON.stringify(url)};\n`;
}

/** Every operation as a function. */
export function functionsFile(model: ApiModel): string {
  return resourceNodes(model.resources).filter((node) => node.operations.length > 0).map((node) =>
    `export { ${node.operations.map(({ operationId }) => operationId).sort().join(', ')} } from './${resourceFileName(node)}';\n`).join('');
}

/** The named schemas, without the generator's helper types. */
export function schemasFile({ components }: Contract): string {
  return `export type {\n${Object.keys(components.schemas ?? {}).map((name) => `  ${name},\n`).join('')}} from '../types.gen.ts';\n`;
}

/** A class of errors for each problem code. A code that is called like its status needs none of its own. */
export function problemsFile(model: ApiModel): string {
  const problems = model.problems.filter((problem) => problemClassName(problem.code) !== baseName(problem));
  const taken = problems.find(({ code }) => problemClassName(code) in errors);
  if (taken !== undefined) throw new Error(`the class of the problem ${taken.code} would be called like one of the runtime`);
  const bases = [...new Set(problems.map(baseName))].sort();
  return `import { ${bases.join(', ')} } from '../../core/errors.ts';\nimport { problemClass } from '../../core/problem-class.ts';\n\n${problems.map(declaration).join('\n')}`;
}

/** `InvalidCursorError` for `invalid_cursor`. */
function problemClassName(code: string): string {
  return `${pascalCase(code).replace(/Error$/, '')}Error`;
}

function baseName({ status }: ProblemModel): string {
  return errors.classForStatus(status).name;
}

function declaration(problem: ProblemModel): string {
  const { code, status, title, description } = problem;
  const name = problemClassName(code);
  return comment([`${status} \`${code}\`: ${oneLine(title).replace(/\.$/, '')}. ${oneLine(description)}`], '')
    + `export const ${name} = /* @__PURE__ */ problemClass('${code}', ${baseName(problem)});\nexport type ${name} = InstanceType<typeof ${name}>;\n`;
}

/** api.md: every call of the package on one page. */
export function apiMap(model: ApiModel): string {
  const resources = resourceNodes(model.resources).filter((node) => node.operations.length > 0);
  return `# ${model.title} ${model.version}: every call\n\n`
    + 'The last argument of every call takes `signal`, `timeout`, `deadline`, `maxRetries`, `headers` and `query`. Each call is also a\n'
    + 'function of `compliance-onboarding/functions`, named in the last column, which takes a client before the arguments.\n\n'
    + resources.map((node) => section(node, model)).join('\n');
}

function section(node: ResourceNode, model: ApiModel): string {
  return `## \`client.${node.path}\`\n\nSource: [\`${resourceFileName(node)}\`](src/generated/resources/${resourceFileName(node)})\n\n`
    + '| Call | Answer | | Function |\n|---|---|---|---|\n'
    + node.operations.map((operation) => `| \`${call(operation)}\` | \`${resultType(operation, model).replaceAll('|', '\\|')}\` | ${oneLine(operation.summary)} · \`${operation.method.toUpperCase()} ${operation.path}\` | \`${operation.operationId}\` |\n`).join('')
    + node.operations.map(followRow).join('');
}

function followRow(operation: OperationModel): string {
  const signature = followSignature(operation);
  return signature === null ? '' : `| \`follow(options?)\` | \`${signature.result}\` | Follow \`${operation.sdk.method}\` without end, acknowledging what was processed | |\n`;
}

function call(operation: OperationModel): string {
  return `${operation.sdk.method}(${parameterList(operation).map((parameter) => parameter.replace(/: .*$/s, '')).join(', ')})`;
}
