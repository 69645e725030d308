/** Finds by which schema a value is validated, so that shared parts are varied once. Used by probes.ts. */
import type { Operation } from '../../server/contract/operation.ts';
import type { ContractNode } from '../../server/contract/pruned-contract.ts';
import { runtimeContract } from './runtime-contract.ts';

const {
  components: { schemas },
  paths,
} = runtimeContract();

const listOf = (node: unknown): readonly ContractNode[] => (Array.isArray(node) ? (node as ContractNode[]) : []);
const refOf = ({ $ref }: ContractNode): string | null =>
  typeof $ref === 'string' ? $ref.slice('#/components/schemas/'.length) : null;

/**
 * Location of a value: the name of its schema or, for an inline schema, the name of the enclosing schema and the path
 * from there. Values at the same location are validated by one schema, in every operation.
 */
export class SchemaLocation {
  readonly name: string;
  readonly #schema: ContractNode;

  constructor(name: string, schema: ContractNode = {}) {
    this.name = refOf(schema) ?? name;
    this.#schema = resolved(schema);
  }

  /** Returns the location of a member of the object at this location. */
  member(value: Readonly<Record<string, unknown>>, name: string): SchemaLocation {
    const { location, schema } = this.of(value);
    const declared = propertiesOf(schema)[name] ?? (schema['additionalProperties'] as ContractNode | undefined);
    return new SchemaLocation(`${location}/${name}`, declared);
  }

  /** Returns the location of the first item of the array at this location. */
  item(value: readonly unknown[]): SchemaLocation {
    const { location, schema } = this.of(value);
    return new SchemaLocation(`${location}/0`, schema['items'] as ContractNode | undefined);
  }

  /**
   * Returns which of several schemas describes the value. If that is ambiguous, the location is one for values with
   * exactly these members.
   */
  of(value: object): { readonly location: string; readonly schema: ContractNode } {
    const branches = [...listOf(this.#schema['oneOf']), ...listOf(this.#schema['anyOf'])].filter(
      (branch) => branch['type'] !== 'null',
    );
    if (branches.length === 0) return { location: this.name, schema: this.#schema };
    const tag = (this.#schema['discriminator'] as { readonly propertyName: string } | undefined)?.propertyName;
    const [branch] =
      branches.length === 1
        ? branches
        : branches.filter((each) => {
            const { [tag ?? '']: declared = {} } = propertiesOf(each);
            const tagged = (value as Readonly<Record<string, unknown>>)[tag ?? ''];
            return (
              tagged !== undefined &&
              (declared['const'] === tagged || listOf(declared['enum']).includes(tagged as ContractNode))
            );
          });
    if (branch !== undefined) return new SchemaLocation(`${this.name}/${branches.indexOf(branch)}`, branch).of(value);
    return { location: `${this.name} ${JSON.stringify(Object.keys(value))}`, schema: {} };
  }
}

/** Returns the members of an object, including those that its schema takes from others. */
function propertiesOf(schema: ContractNode): Readonly<Record<string, ContractNode>> {
  const { allOf, properties } = resolved(schema);
  return Object.assign({}, ...listOf(allOf).map(propertiesOf), properties) as Readonly<Record<string, ContractNode>>;
}

function resolved(schema: ContractNode): ContractNode {
  const ref = refOf(schema);
  return ref === null ? schema : resolved(schemas[ref] ?? {});
}

export function bodyLocation({ operationId, method, path }: Operation, mediaType: string): SchemaLocation {
  return new SchemaLocation(`body of ${operationId}`, paths[path]?.[method]?.requestBody?.content[mediaType]?.schema);
}

export function responseLocation(
  { operationId, method, path }: Operation,
  status: number,
  mediaType: string,
): SchemaLocation {
  return new SchemaLocation(
    `${status} of ${operationId}`,
    paths[path]?.[method]?.responses[status]?.content?.[mediaType]?.schema,
  );
}
