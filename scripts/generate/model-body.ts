/** The body of an operation in the model of the generators. Used by the model, the landing page and lint. */
import { dereference, isNullable, resolve, schemaName } from '../contract/contract.ts';
import type { Contract, Example, MediaType, Reference, RequestBody, Schema } from '../contract/contract.ts';
import type { BodyKind, BodyModel, MemberModel } from './model.ts';
import { pythonName } from './naming.ts';

export function bodyModel(contract: Contract, node: RequestBody | Reference): BodyModel {
  const body = resolve<RequestBody>(contract, node);
  const mediaTypes = Object.keys(body.content);
  const mediaType = mediaTypes[0] ?? 'application/octet-stream';
  const media = body.content[mediaType] ?? {};
  return {
    mediaType,
    mediaTypes,
    kind: bodyKind(mediaType),
    required: body.required ?? false,
    schemaName: schemaName(media.schema),
    members: media.schema === undefined ? null : plainMembers(contract, media.schema),
    example: exampleOf(contract, media),
  };
}

function bodyKind(mediaType: string): BodyKind {
  if (mediaType === 'application/x-www-form-urlencoded') return 'form';
  if (mediaType === 'multipart/form-data') return 'multipart';
  return /[/+]json$/.test(mediaType) ? 'json' : 'binary';
}

/** Returns the members of one plain object; null for everything else. */
export function plainMembers(contract: Contract, schema: Schema): readonly MemberModel[] | null {
  const members = flatten(contract, schema);
  return members === null ? null : [...members.values()];
}

/** Returns the members of one plain object, through `$ref` and `allOf`; null for unions, maps and non-objects. */
function flatten(contract: Contract, node: Schema): Map<string, MemberModel> | null {
  const schema = dereference(contract, node);
  const parts = schema.allOf === undefined ? [] : schema.allOf.map((part) => flatten(contract, part));
  if (parts.includes(null) || (schema.allOf === undefined && schema.properties === undefined)) return null;
  const members = new Map(parts.flatMap((part) => [...(part ?? [])]));
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    members.set(name, member(contract, name, property));
  for (const name of schema.required ?? []) {
    const known = members.get(name);
    if (known !== undefined) members.set(name, { ...known, required: true });
  }
  return members;
}

function member(contract: Contract, name: string, schema: Schema): MemberModel {
  return {
    name,
    python: pythonName(name),
    required: false,
    nullable: isNullable(schema),
    file: dereference(contract, schema).format === 'binary',
    description: schema.description ?? '',
    schema,
    schemaName: schemaName(schema),
  };
}

/** Returns the first example of a parameter or a media type; undefined if there is none. */
export function exampleOf(
  contract: Contract,
  node: Pick<MediaType, 'example' | 'examples'> & { readonly schema?: Schema },
): unknown {
  if (node.example !== undefined) return node.example;
  const [first] = Object.values(node.examples ?? {});
  if (first !== undefined) return resolve<Example>(contract, first).value;
  const schema = node.schema === undefined ? undefined : dereference(contract, node.schema);
  return schema?.example ?? schema?.examples?.[0];
}
