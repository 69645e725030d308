import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Contract } from '../contract.ts';
import { generatedBy } from '../header.ts';
import type { ApiModel, EmitterOptions } from '../model.ts';
import { apiMap } from './api-map.ts';
import { writeFlatFunctions } from './flat-functions.ts';
import { headerOptionsFile } from './header-options.ts';
import { withOpenUnions } from './open-unions.ts';
import { personalDataFile } from './personal-data.ts';
import { problemsFile } from './problems.ts';
import { resourceFile, resourceFileName } from './resource-file.ts';
import { resourceNodes, withDistinctClasses } from './resource-nodes.ts';
import { contractFile, functionsFile, rootFile, schemasFile } from './root-files.ts';
import { shownFile } from './shown.ts';

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
