import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import type { ApiModel, EmitterOptions, OperationModel } from '../model.ts';
import { generatedBy } from '../source-text.ts';
import { python } from '../tools.ts';
import { answerType, argumentsOf } from './methods.ts';
import type { Naming } from './methods.ts';
import { argumentNames, modelNames, writeModels } from './models.ts';
import { contractModule, operationsModule, paramsModule, problemCodes, problemsModule, shownModule } from './modules.ts';
import { namedSchemas } from './named-schemas.ts';
import { followRow, moduleName, resourceModule, resourceNodes, rootModule } from './resources.ts';
import { header } from './text.ts';

const PACKAGE = 'src/compliance_onboarding';
const GENERATED = `${PACKAGE}/_generated`;

/**
 * Writes everything of the Python package that follows from the contract: models by datamodel-code-generator, the
 * asynchronous resources by this emitter, and the synchronous client by a transformation of the asynchronous one.
 */
export async function generate(contract: Contract, model: ApiModel, { directory, root }: EmitterOptions): Promise<void> {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  const named = namedSchemas(model.schemas);
  const naming = { named, models: modelNames(model, named), params: 'params.' };

  write(`${GENERATED}/__init__.py`, `${header()}"""What follows from the contract."""\n`);
  write(`${GENERATED}/sync/__init__.py`, `${header()}"""The synchronous client, derived from the asynchronous one."""\n`);
  write(`${GENERATED}/contract.py`, contractModule(contract));
  write(`${GENERATED}/errors.py`, problemsModule(model));
  write(`${GENERATED}/operations.py`, operationsModule(model));
  write(`${GENERATED}/params.py`, paramsModule(argumentNames(model, named), { ...naming, params: '' }));
  write(`${GENERATED}/shown.py`, shownModule(model));
  const codes = problemCodes(contract);
  const resources = [
    ['__init__.py', rootModule(model.resources)] as const,
    ...resourceNodes(model.resources).map((node) => [`${moduleName(node)}.py`, resourceModule(node, model, naming, codes)] as const),
  ];
  for (const [name, source] of resources) {
    write(`${GENERATED}/resources/${name}`, source);
    write(`${GENERATED}/sync/resources/${name}`, synchronous(source));
  }
  for (const twin of TWINS) {
    const source = readFileSync(join(root, 'sdks/python', PACKAGE, `${twin}.py`), 'utf8');
    write(`${GENERATED}/sync/${twin}.py`, `# ${generatedBy('scripts/generate.ts')} Derived from ../../${twin}.py.\n${synchronous(source)}`);
  }
  write('api.md', apiMap(model, naming));

  const scratch = mkdtempSync(join(tmpdir(), 'python-sdk-'));
  try {
    await writeModels(join(directory, GENERATED, 'models.py'), named, naming.models, root, scratch);
    await format(join(directory, GENERATED), root);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Removes unused imports, sorts the others and lays the code out. */
async function format(folder: string, root: string): Promise<void> {
  const config = ['--config', join(root, 'sdks/python/pyproject.toml'), '--no-cache', '--quiet'];
  await python(root, 'ruff', ['check', ...config, '--select', 'F401,I,RUF022,TC005', '--fix-only', folder]);
  await python(root, 'ruff', ['format', ...config, folder]);
}

/** Names that differ in more than the prefix `Async`. */
const RENAMED: Readonly<Record<string, string>> = {
  AsyncPaginator: 'Page',
  async_extensions: 'extensions',
  async_outcome: 'outcome',
  async_paginator: 'paginator',
  async_sleep: 'sleep',
  async_start: 'start',
  async_with_response: 'with_response',
  aclose: 'close',
  aiter_bytes: 'iter_bytes',
  __aenter__: '__enter__',
  __aexit__: '__exit__',
  __aiter__: '__iter__',
};

/** Hand-written modules that exist in an asynchronous and a derived synchronous form. */
export const TWINS = ['_auth', '_client', '_download', '_follow', '_pagination', '_resource', '_transport'] as const;

/** Strings, docstrings among them, and comments; names; and the rest. */
const TOKEN = /(?<text>[rbfRBF]{0,2}(?:"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|#[^\n]*)|(?<name>[A-Za-z_]\w*)(?<blank> ?)|(?<rest>[\s\S])/g;

/**
 * The synchronous form of an asynchronous module: `async` and `await` go, names lose their prefix, and imports of
 * twins point to the derived ones. So the two clients cannot differ.
 */
export function synchronous(source: string): string {
  const derived = source.replace(TOKEN, (match, ...found) => {
    const { text, name, blank } = found.at(-1) as { text?: string; name?: string; blank?: string };
    if (text !== undefined) return inProse(text);
    if (name === undefined) return match;
    if (name === 'async' || name === 'await') return '';
    return `${RENAMED[name] ?? name.replace(/^Async(?=[A-Z])/, '')}${blank ?? ''}`;
  });
  const twins = TWINS.join('|');
  return derived
    .replace(new RegExp(`\\bcompliance_onboarding\\.(${twins})\\b`, 'g'), 'compliance_onboarding._generated.sync.$1')
    .replace(/\bcompliance_onboarding\._generated\.resources\b/g, 'compliance_onboarding._generated.sync.resources');
}

/** In strings and comments, only the calls of an example change. */
function inProse(text: string): string {
  return text.replace(/\bawait (?=(?:client|download)\.)|^(\s+)async (?=for \w+ in client\.)/gm, '$1');
}

/** `api.md`: every call of the package on one page. */
export function apiMap(model: ApiModel, naming: Naming): string {
  const sections = resourceNodes(model.resources).filter((node) => node.operations.length > 0).map((node) => {
    const path = node.operations[0]?.sdk.python.split('.').slice(0, -1).join('.') ?? '';
    const rows = [...node.operations.map((operation) => row(operation, model, naming)), ...node.operations.map(followRow)];
    return `## \`client.${path}\`\n\n| Call | Answer | |\n|---|---|---|\n${rows.join('')}`;
  });
  return `<!-- ${generatedBy('scripts/generate.ts')} -->\n\n# ${model.title} ${model.version}: every call\n\n`
    + 'Arguments in brackets may be left out. Every call also takes `timeout`, `deadline`, `max_retries`, `extra_headers` and `extra_query`; those marked '
    + '† also take `idempotency_key`. `AsyncComplianceOnboarding` has the same calls, to be awaited.\n\n'
    + sections.join('\n');
}

function row(operation: OperationModel, model: ApiModel, naming: Naming): string {
  const args = argumentsOf(operation, naming, model.schemas);
  const positional = args.filter(({ kind }) => kind === 'path').map(({ name }) => name);
  const keywords = args.filter(({ kind }) => kind !== 'path').map(({ name, fallback }) => (fallback === null ? `${name}=` : `[${name}=]`));
  const call = `${operation.sdk.python.split('.').at(-1) ?? ''}(${[...positional, ...keywords].join(', ')})`;
  const answer = answerType(operation, model).replace('AsyncPaginator', 'Page').replace('Async', '').replace('models.', '');
  return `| \`${call}\`${operation.idempotent ? ' †' : ''} | \`${answer}\` | ${operation.summary.replace(/\.?$/, '')} · \`${operation.method.toUpperCase()} ${operation.path}\` |\n`;
}
