import type { Contract } from '../contract.ts';
import type { ApiModel } from '../model.ts';
import { resourceFileName } from './resource-file.ts';
import { resourceNodes } from './resource-nodes.ts';

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
