/**
 * Writes all generated files of the Python SDK. Called by the pipeline. The synchronous client is derived from the
 * asynchronous one and never written by hand.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import type { ApiModel, EmitterOptions, OperationModel } from '../model.ts';
import { generatedBy } from '../source-text.ts';
import { python } from '../tools.ts';
import { argumentsOf } from './arguments.ts';
import { answerType, methodName, SYNCHRONOUS } from './methods.ts';
import { argumentHomes, lazyPackage, modelHomes, modulesOf, SHARED } from './homes.ts';
import type { Homes } from './homes.ts';
import { modelsModule } from './models.ts';
import { problemCodes } from '../problem-codes.ts';
import {
  contractModule,
  examplesModule,
  operationsModule,
  paramsModule,
  problemsModule,
  shownModule,
} from './modules.ts';
import { namedSchemas } from './named-schemas.ts';
import { followRow, moduleName, modulePath, resourceModule, resourceNodes, rootModule } from './resources.ts';
import { header } from './text.ts';
import type { Naming } from './types.ts';

const PACKAGE = 'src/compliance_onboarding';
const GENERATED = `${PACKAGE}/_generated`;

/**
 * Writes all generated files of the Python package: models, argument types and asynchronous resources, and the
 * synchronous client by transforming the asynchronous one.
 */
export async function generate(
  contract: Contract,
  model: ApiModel,
  { directory, root }: EmitterOptions,
): Promise<void> {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  const named = namedSchemas(model.schemas);
  const homes = { models: modelHomes(model, named), params: argumentHomes(model, named) };
  const naming = { named, models: new Set(homes.models.keys()), params: 'params.' };

  write(`${GENERATED}/__init__.py`, `${header()}"""What follows from the contract."""\n`);
  write(
    `${GENERATED}/sync/__init__.py`,
    `${header()}"""The synchronous client, derived from the asynchronous one."""\n`,
  );
  write(`${GENERATED}/contract.py`, contractModule(contract));
  write(`${GENERATED}/examples.py`, examplesModule(model));
  write(`${GENERATED}/errors.py`, problemsModule(model));
  write(`${GENERATED}/operations.py`, operationsModule(model));
  writePackage('models', 'The objects of the API', homes.models, (home, doc) =>
    modelsModule(home, doc, homes.models, named),
  );
  writePackage(
    'params',
    'Types of arguments: the values of an enumeration, and dictionaries in place of models',
    homes.params,
    (home, doc) => paramsModule(home, doc, homes.params, { ...naming, params: '' }),
  );
  write(
    `${GENERATED}/bodies.py`,
    lazyPackage('The dictionaries that methods take for a body.', 'params', bodies(model, homes.params), 'Params'),
  );
  write(`${GENERATED}/shown.py`, shownModule(model));
  const codes = problemCodes(contract);
  const resources = [
    ['__init__.py', rootModule(model.resources)] as const,
    ...resourceNodes(model.resources).map(
      (node) => [`${moduleName(node)}.py`, resourceModule(node, model, naming, codes)] as const,
    ),
  ];
  for (const [name, source] of resources) write(`${GENERATED}/resources/${name}`, source);
  write(`${PACKAGE}/api.md`, apiMap(model, naming));
  await deriveSynchronous(root, [
    ...resources.map(
      ([name]): Derivation => [
        join(directory, GENERATED, 'resources', name),
        join(directory, GENERATED, 'sync/resources', name),
        '',
      ],
    ),
    ...TWINS.map(
      (twin): Derivation => [
        join(root, 'sdks/python', PACKAGE, `${twin}.py`),
        join(directory, GENERATED, 'sync', `${twin}.py`),
        `# ${generatedBy('scripts/generate.ts')} Derived from ../../${twin}.py.\n`,
      ],
    ),
  ]);
  await format(join(directory, GENERATED), root);

  function writePackage(folder: string, doc: string, all: Homes, module: (home: string, doc: string) => string): void {
    write(`${GENERATED}/${folder}/__init__.py`, lazyPackage(`${doc}.`, folder, all));
    for (const home of modulesOf(all).keys()) {
      const of = home === SHARED ? 'that several resources use' : `of \`client.${home}\``;
      write(`${GENERATED}/${folder}/${home}.py`, module(home, `${doc}, ${of}.`));
    }
  }
}

/** Returns the dictionaries of whole bodies, with their modules. */
function bodies(model: ApiModel, homes: Homes): Homes {
  const names = new Set(model.operations.flatMap(({ body }) => body?.schemaName ?? []));
  return new Map([...homes].filter(([name]) => names.has(name)));
}

/** Removes unused imports, sorts the others and formats the code. */
async function format(folder: string, root: string): Promise<void> {
  const config = ['--config', join(root, 'sdks/python/pyproject.toml'), '--no-cache', '--quiet'];
  await python(root, ['-m', 'ruff', 'check', ...config, '--select', 'F401,I,RUF022,TC005', '--fix-only', folder]);
  await python(root, ['-m', 'ruff', 'format', ...config, folder]);
}

/** Hand-written modules that exist in an asynchronous and a derived synchronous form. */
export const TWINS = ['_auth', '_client', '_download', '_follow', '_pagination', '_resource', '_transport'] as const;

/** One module: path of its asynchronous form, path of its synchronous form, and its first line. */
export type Derivation = readonly [source: string, target: string, header: string];

/** Writes the synchronous forms of asynchronous modules (synchronous.py). */
export async function deriveSynchronous(root: string, modules: readonly Derivation[]): Promise<void> {
  await python(root, [join(import.meta.dirname, 'synchronous.py'), ...TWINS], JSON.stringify(modules));
}

/**
 * Returns `api.md`: every call of the package on one page. It is inside the package, so that its links work there too.
 */
export function apiMap(model: ApiModel, naming: Naming): string {
  const sections = resourceNodes(model.resources)
    .filter((node) => node.operations.length > 0)
    .map((node) => {
      const rows = [
        ...node.operations.map((operation) => row(operation, model, naming)),
        ...node.operations.map(followRow),
      ];
      return (
        `## \`client.${modulePath(node)}\`\n\n` +
        `Source: [\`${moduleName(node)}.py\`](_generated/sync/resources/${moduleName(node)}.py)\n\n` +
        '| Call | Answer | |\n' +
        '|---|---|---|\n' +
        `${rows.join('')}`
      );
    });
  return (
    `<!-- ${generatedBy('scripts/generate.ts')} -->\n\n# ${model.title} ${model.version}: every call\n\n` +
    'Arguments in brackets may be left out. Every call also takes `timeout`, `deadline`, `idle_timeout`, ' +
    '`max_retries`, `extra_headers` and `extra_query`; those marked ' +
    '† also take `idempotency_key`. Where a call sends a body, `body=` takes it as a whole in place of its ' +
    'members, behind the identifiers also by position. `AsyncComplianceOnboarding` has the ' +
    'same calls, to be awaited.\n' +
    '\n' +
    sections.join('\n')
  );
}

function row(operation: OperationModel, model: ApiModel, naming: Naming): string {
  const args = argumentsOf(operation, naming, model.schemas);
  const positional = args.filter(({ kind }) => kind === 'path').map(({ name }) => name);
  const keywords = args
    .filter(({ kind }) => kind !== 'path')
    .map(({ name, fallback }) => (fallback === null ? `${name}=` : `[${name}=]`));
  const call = `${methodName(operation)}(${[...positional, ...keywords].join(', ')})`;
  const answer = answerType(operation, model, SYNCHRONOUS);
  return (
    `| \`${call}\`${operation.idempotent ? ' †' : ''} | \`${answer}\` | ${operation.summary.replace(/\.?$/, '')} · ` +
    `\`${operation.method.toUpperCase()} ${operation.path}\` |\n`
  );
}
