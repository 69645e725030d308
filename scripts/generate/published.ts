import { METHODS, dereference, resolve } from './contract.ts';
import type { Contract, RequestBody } from './contract.ts';
import { openapi30 } from './openapi30.ts';
import { openapi31 } from './openapi31.ts';
import { schemaName } from './schema.ts';
import type { Schema } from './schema.ts';

/** The contract as a running service publishes it for programs, by file; openapi.yaml beside them is the contract as it was written. */
export function publishedDocuments(contract: Contract): Readonly<Record<string, string>> {
  const published = withPlainForms(contract);
  return { 'openapi.json': JSON.stringify(openapi31(published)), 'openapi-3.0.json': JSON.stringify(openapi30(published)) };
}

/** Generated Java sends a named enumeration in a multipart form as JSON, in quotes, and a string as it is: so its values stand in the form itself. */
function withPlainForms(contract: Contract): Contract {
  const schemas: Record<string, Schema> = { ...contract.components.schemas };
  for (const item of Object.values(contract.paths)) {
    for (const method of METHODS) {
      const body = item[method]?.requestBody;
      const name = body === undefined ? null : schemaName(resolve<RequestBody>(contract, body).content['multipart/form-data']?.schema);
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
