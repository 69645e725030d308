import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Contract } from '../contract.ts';
import { generatedBy } from '../header.ts';
import type { ApiModel, EmitterOptions } from '../model.ts';
import { apiMap } from './api-map.ts';
import { writeFlatFunctions } from './flat-functions.ts';
import { headerOptionsFile } from './header-options.ts';
import { resourceFile, resourceFileName } from './resource-file.ts';
import { resourceNodes } from './resource-nodes.ts';
import { contractFile, rootFile, schemasFile } from './root-files.ts';

/**
 * Writes everything of the TypeScript package that follows from the contract: flat functions and types by hey-api,
 * and on top of them, by this emitter, the resource tree and its map.
 */
export async function generate(contract: Contract, model: ApiModel, options: EmitterOptions): Promise<void> {
  await writeFlatFunctions(join(options.directory, 'src/generated'), options.contractFile);
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
  source('schemas.ts', schemasFile(model));
  source('header-options.ts', headerOptionsFile(model));
  write('api.md', `<!-- ${generatedBy('scripts/generate.ts')} -->\n\n${apiMap(model)}`);
}
