/**
 * The contract as the API explorer needs it. Used by router.ts for `/explorer/openapi.json` only: programs get the true
 * one (published-contract.ts). It follows how the explorer behaves, so another version of that may need other changes.
 */
import { contractFor, type ContractToServe } from './published-contract.ts';

type Schema = {
  readonly $ref?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};
interface Parameter {
  readonly in?: string;
  readonly required?: boolean;
}
interface Example {
  readonly value?: unknown;
}
interface Form {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}
interface Contract extends ContractToServe {
  readonly info: { readonly description?: string };
  readonly externalDocs?: object;
  readonly components?: ContractToServe['components'] & { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Text of the explorer's start page. The reference has the details. */
const START = `Every operation of this installation, to be called from here.

1. **Choose a credential** under Authentication. An API key is enough for most operations; the [key page](/keys) makes
   one.
2. **Choose an operation** from the menu and press **Test Request**.
3. **Send** it. What has no tick is left out: a parameter that is not required is ticked when you give it a value.

What the operations mean, and every member of their answers, is told by [the reference](/reference). While the sandbox
is on, what you create here is written to the sandbox, unless your key is pinned to live.`;

/**
 * Adapts the contract to the explorer. The explorer sends every parameter with a value and takes the first value of an
 * enumeration as one. So every optional parameter gets an empty value, or a list would be filtered by accident. Of a
 * form it sends only the required members, whatever their values, so the examples are written as the rows that the
 * explorer keeps. The link to other documents is omitted, because the explorer renders it without an accessible name.
 */
export function explorerContract(bytes: Buffer): ReturnType<typeof contractFor> {
  const { externalDocs: _, ...contract } = JSON.parse(bytes.toString()) as Contract;
  const schemas = contract.components?.schemas ?? {};
  const prepared = JSON.parse(JSON.stringify(contract), (name, value: unknown) => {
    if (isOptionalParameter(value)) return { ...value, example: '' };
    return FORMS.has(name) && isForm(value) ? withRows(value, schemas) : value;
  }) as Contract;
  const forTrying = { ...prepared, info: { ...prepared.info, description: START } };
  return contractFor(forTrying);
}

function isOptionalParameter(value: unknown): value is Parameter {
  if (typeof value !== 'object' || value === null) return false;
  const { in: location, required } = value as Parameter;
  return (location === 'query' || location === 'header') && required !== true && 'schema' in value;
}

const FORMS: ReadonlySet<string> = new Set(['multipart/form-data', 'application/x-www-form-urlencoded']);

function isForm(value: unknown): value is Form {
  return typeof value === 'object' && value !== null && 'schema' in value;
}

function withRows(form: Form, schemas: Readonly<Record<string, Schema>>): Form {
  const { properties = {} } = dereferenced(form.schema, schemas);
  const rows = (example: unknown): object[] =>
    Object.entries(properties).map(([name, schema]) => {
      // An example of a file would be its name only. The file is chosen on the page.
      const isFile = dereferenced(schema, schemas).format === 'binary';
      const value = isFile ? undefined : (example as Readonly<Record<string, unknown>>)[name];
      const isLeftOut = value === undefined && !isFile;
      return {
        name,
        value: value ?? '',
        isDisabled: isLeftOut,
        ...(isLeftOut && { isDisabledByDefault: true }),
      };
    });
  const examples = Object.entries(form.examples ?? {}).map(([name, example]) => [
    name,
    { ...example, value: rows(example.value ?? {}) },
  ]);
  return { ...form, examples: Object.fromEntries(examples) as Record<string, Example> };
}

function dereferenced(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name === undefined ? schema : schemas[name]) ?? {};
}
