/**
 * The documents that a running service publishes, the reference page and the script of the explorer. Used by the
 * pipeline and `make dev`. Pages must load nothing from other origins.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dereference, METHODS, resolve, schemaName } from '../contract/contract.ts';
import type { Contract, RequestBody, Schema } from '../contract/contract.ts';
import { openapi30, openapi31 } from './renderings.ts';
import { redocly } from './tools.ts';

/**
 * Returns the contract as a running service publishes it for programs, by file; openapi.yaml beside these is the
 * contract as written.
 */
export function publishedDocuments(contract: Contract): Readonly<Record<string, string>> {
  const published = withPlainForms(contract);
  return {
    'openapi.json': JSON.stringify(openapi31(published)),
    'openapi-3.0.json': JSON.stringify(openapi30(published)),
  };
}

/**
 * Writes enumerations of multipart forms inline, because generated Java sends a named enumeration there as JSON, in
 * quotes, and a string unquoted.
 */
function withPlainForms(contract: Contract): Contract {
  const schemas: Record<string, Schema> = { ...contract.components.schemas };
  for (const item of Object.values(contract.paths)) {
    for (const method of METHODS) {
      const body = item[method]?.requestBody;
      const name =
        body === undefined
          ? null
          : schemaName(resolve<RequestBody>(contract, body).content['multipart/form-data']?.schema);
      if (name !== null) schemas[name] = withValues(contract, schemas[name]!);
    }
  }
  return { ...contract, components: { ...contract.components, schemas } };
}

function withValues(contract: Contract, form: Schema): Schema {
  const properties = Object.entries(form.properties ?? {}).map(([name, { $ref, ...beside }]): [string, Schema] => {
    if ($ref === undefined) return [name, beside];
    const named = dereference(contract, { $ref });
    return [name, named.enum === undefined ? { $ref, ...beside } : { ...named, ...beside }];
  });
  return { ...form, properties: Object.fromEntries(properties) };
}

/** Badge of the page, which is its only remote resource. */
const REMOTE_BADGE = /https:\/\/cdn\.redoc\.ly\/redoc\/[\w.-]+\.svg/g;

/** Renders the reference page as one file without remote resources. */
export async function referencePage(root: string, contractFile: string, workFile: string): Promise<string> {
  const { code, stderr, stdout } = await redocly(
    ['build-docs', contractFile, '-o', workFile, '--inlineBundle', '--config', 'scripts/generate/redocly.docs.yaml'],
    root,
  );
  if (code !== 0) throw new Error(`the reference page was not built:\n${stderr}${stdout}`);
  return readFileSync(workFile, 'utf8').replace(REMOTE_BADGE, 'data:,');
}

/**
 * Returns the one file of the explorer, which the service serves itself. The surrounding page must switch off
 * everything that contacts other origins: `withDefaultFonts: false, telemetry: false, agent.disabled, mcp.disabled,
 * hideClientButton: true, showDeveloperTools: 'never'` and no `proxyUrl`.
 */
export function explorerScript(root: string): Buffer {
  return readFileSync(join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'));
}
