import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generatedBy } from '../header.ts';
import type { Contract } from '../contract.ts';
import type { ApiModel, EmitterOptions } from '../model.ts';
import { apiMap } from './api-map.ts';
import { contractModule } from './contract-module.ts';
import { writeModels } from './models-module.ts';
import { namedSchemas } from './named-schemas.ts';
import { operationsModule } from './operations-module.ts';
import { paramsModule } from './params-module.ts';
import { problemCodes } from './problem-codes.ts';
import { problemsModule } from './problems-module.ts';
import { argumentNames, modelNames } from './reachable.ts';
import { moduleName, resourceModule, resourceNodes, rootModule } from './resource-module.ts';
import { shownModule } from './shown-module.ts';
import { TWINS, synchronous } from './synchronous.ts';
import { header } from './text.ts';
import { python } from './tools.ts';

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
