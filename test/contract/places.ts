import type { Operation } from '../../server/contract/operation.ts';
import type { ContractNode } from '../../server/contract/pruned-contract.ts';
import { runtimeContract } from './runtime-contract.ts';

const { components: { schemas }, paths } = runtimeContract();

const listOf = (node: unknown): readonly ContractNode[] => (Array.isArray(node) ? node as ContractNode[] : []);
const refOf = ({ $ref }: ContractNode): string | null => (typeof $ref === 'string' ? $ref.slice('#/components/schemas/'.length) : null);

/**
 * Where a value stands: the name of the schema that describes it, or, if that is written out, of the schema around it and the way from there.
 * Values that stand at one place are judged by one schema, whichever operation takes or gives them.
 */
export class Place {
  readonly name: string;
  readonly #schema: ContractNode;

  constructor(name: string, schema: ContractNode = {}) {
    this.name = refOf(schema) ?? name;
    this.#schema = resolved(schema);
  }

  /** The place of a member of an object that stands here. */
  member(value: Readonly<Record<string, unknown>>, name: string): Place {
    const { place, schema } = this.of(value);
    const declared = propertiesOf(schema)[name] ?? schema['additionalProperties'] as ContractNode | undefined;
    return new Place(`${place}/${name}`, declared);
  }

  /** The place of the first item of an array that stands here. */
  item(value: readonly unknown[]): Place {
    const { place, schema } = this.of(value);
    return new Place(`${place}/0`, schema['items'] as ContractNode | undefined);
  }

  /** Which of several schemas describes the value. If that is not certain, the place is one for values with just these members. */
  of(value: object): { readonly place: string; readonly schema: ContractNode } {
    const branches = [...listOf(this.#schema['oneOf']), ...listOf(this.#schema['anyOf'])].filter((branch) => branch['type'] !== 'null');
    if (branches.length === 0) return { place: this.name, schema: this.#schema };
    const tag = (this.#schema['discriminator'] as { readonly propertyName: string } | undefined)?.propertyName;
    const [branch] = branches.length === 1 ? branches : branches.filter((each) => {
      const { [tag ?? '']: declared = {} } = propertiesOf(each);
      const tagged = (value as Readonly<Record<string, unknown>>)[tag ?? ''];
      return tagged !== undefined && (declared['const'] === tagged || listOf(declared['enum']).includes(tagged as ContractNode));
    });
    if (branch !== undefined) return new Place(`${this.name}/${branches.indexOf(branch)}`, branch).of(value);
    return { place: `${this.name} ${JSON.stringify(Object.keys(value))}`, schema: {} };
  }
}

/** The members of an object, also those that its schema takes from others. */
function propertiesOf(schema: ContractNode): Readonly<Record<string, ContractNode>> {
  const { allOf, properties } = resolved(schema);
  return Object.assign({}, ...listOf(allOf).map(propertiesOf), properties) as Readonly<Record<string, ContractNode>>;
}

function resolved(schema: ContractNode): ContractNode {
  const ref = refOf(schema);
  return ref === null ? schema : resolved(schemas[ref] ?? {});
}

export function bodyPlace({ operationId, method, path }: Operation, mediaType: string): Place {
  return new Place(`body of ${operationId}`, paths[path]?.[method]?.requestBody?.content[mediaType]?.schema);
}

export function answerPlace({ operationId, method, path }: Operation, status: number, mediaType: string): Place {
  return new Place(`${status} of ${operationId}`, paths[path]?.[method]?.responses[status]?.content?.[mediaType]?.schema);
}
