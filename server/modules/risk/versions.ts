import { createHash } from 'node:crypto';
import type { RealTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Json } from '../../base/canonical-json.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { ReferenceLists, SubjectType } from '../../risk/facts.ts';
import type { RiskModel } from '../../risk/model.ts';
import { listsOf } from '../../risk/check-model.ts';
import { SHIPPED_LISTS, SHIPPED_MODELS } from '../../risk/shipped.ts';
import {
  activeDefinition,
  activeDefinitions,
  checksumOf,
  createActive,
  type Definition,
  type DefinitionName,
  definitionsOf,
  findDefinition,
  lockName,
} from '../definitions/index.ts';
import type { ListVersion } from './assessment-store.ts';

/** Content of a reference list. */
export type ListDocument = components['schemas']['ReferenceListWrite'];

/**
 * Day from which the shipped versions are active. They are the same for every tenant, so they have no row until a
 * tenant drafts another version; their ids follow from tenant, environment and name.
 */
const SHIPPED_AT = new Date('2026-11-26T00:00:00.000Z');
const SHIPPED_BY = { type: 'system', id: 'risk.shipped', display: 'Shipped with the service' } as const;

export const SUBJECT_TYPES: readonly SubjectType[] = ['individual', 'business'];
/** Kinds of definitions that this module owns, and a name of either. */
type RuleKind = 'risk_model' | 'reference_list';
type RuleName = DefinitionName & { readonly kind: RuleKind };

const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox'];

const documents: Readonly<Record<RuleKind, ReadonlyMap<string, Json>>> = {
  risk_model: new Map(SUBJECT_TYPES.map((type) => [type, SHIPPED_MODELS[type] as unknown as Json])),
  reference_list: new Map(
    SHIPPED_LISTS.map(({ key, name, description, values }) => [
      key,
      { label: name, source: description, values: [...values] },
    ]),
  ),
};
const checksums = new Map(
  Object.entries(documents).flatMap(([kind, ofKind]) =>
    [...ofKind].map(([key, document]) => [`${kind} ${key}`, checksumOf(document)] as const),
  ),
);

export const modelName = (environment: Environment, subjectType: SubjectType): RuleName => ({
  environment,
  kind: 'risk_model',
  key: subjectType,
});

export const listName = (environment: Environment, key: string): RuleName => ({
  environment,
  kind: 'reference_list',
  key,
});

/** Returns the keys of the lists that are shipped. */
export const shippedKeys = (kind: RuleKind): string[] => [...documents[kind].keys()];

/**
 * Returns a UUID of version 8 (RFC 9562) that follows from the name of a shipped version. It begins with the letters of
 * the key, so that versions of equal number are listed in the same order in every tenant.
 */
function shippedId(tenantId: string, { environment, kind, key }: RuleName): Uuid {
  const hash = createHash('sha256').update(`${tenantId} ${environment} ${kind} ${key}`).digest();
  hash.write(key, 0, 4, 'latin1');
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-') as Uuid;
}

/** Returns the shipped version of a name as if it were stored; null if none is shipped under it. */
export function shippedVersion(tx: Transaction, name: RuleName): Definition | null {
  const document = documents[name.kind].get(name.key);
  if (document === undefined) return null;
  const at = SHIPPED_AT.toISOString();
  const { environment, kind, key } = name;
  return {
    id: shippedId(tx.tenantId!, name),
    environment,
    kind,
    key,
    number: 1,
    status: 'active',
    document,
    checksum: checksums.get(`${kind} ${key}`)!,
    createdBy: SHIPPED_BY,
    createdAt: at,
    activatedAt: at,
    retiredAt: null,
    version: 1,
    updatedAt: at,
  };
}

/** Stores the shipped version of a name, unless the name has stored versions. Locks the name. */
export async function storeShipped(tx: Transaction, name: RuleName): Promise<void> {
  lockName(tx, name);
  const shipped = shippedVersion(tx, name);
  if (shipped === null || (await definitionsOf(tx, name)).length > 0) return;
  const { environment, kind, key } = name;
  const { id, document, createdBy } = shipped;
  await createActive(tx, {
    environment,
    kind,
    key,
    id,
    document,
    createdBy,
    now: SHIPPED_AT as RealTime,
  });
}

/** Finds a version by its id, stored or shipped. */
export async function findVersion(tx: Transaction, kind: RuleKind, id: string): Promise<Definition | null> {
  const stored = await findDefinition(tx, id);
  if (stored !== null) return stored.kind === kind ? stored : null;
  for (const environment of ENVIRONMENTS) {
    for (const key of documents[kind].keys()) {
      const name = { environment, kind, key };
      if (shippedId(tx.tenantId!, name) === id) return shippedVersion(tx, name);
    }
  }
  return null;
}

/** Returns the active version of a name; null if nothing was ever active under it. */
export async function activeVersion(tx: Transaction, name: RuleName): Promise<Definition | null> {
  return (await activeDefinition(tx, name)) ?? shippedVersion(tx, name);
}

/** Returns the active model of a kind of subject. There always is one, because one is shipped. */
export async function activeModel(
  tx: Transaction,
  environment: Environment,
  subjectType: SubjectType,
): Promise<Definition> {
  return (await activeVersion(tx, modelName(environment, subjectType)))!;
}

/** Returns the active version of every reference list of an environment, by key. */
export async function activeLists(tx: Transaction, environment: Environment): Promise<Map<string, Definition>> {
  const lists = new Map<string, Definition>();
  for (const key of documents.reference_list.keys()) lists.set(key, shippedVersion(tx, listName(environment, key))!);
  for (const list of await activeDefinitions(tx, environment, 'reference_list')) lists.set(list.key, list);
  return lists;
}

export const modelOf = ({ document }: Pick<Definition, 'document'>): RiskModel => document as unknown as RiskModel;

export const listOf = ({ document }: Pick<Definition, 'document'>): ListDocument => document as unknown as ListDocument;

/** A version of a model, with the versions of the lists that it refers to. */
export interface Pinned {
  readonly definition: Definition;
  readonly model: RiskModel;
  readonly lists: ReferenceLists;
  readonly listVersions: readonly ListVersion[];
}

/** Pins the active versions of the lists to a model. */
export function pinned(definition: Definition, active: ReadonlyMap<string, Definition>): Pinned {
  const model = modelOf(definition);
  const used = listsOf(model).flatMap((key) => active.get(key) ?? []);
  return {
    definition,
    model,
    lists: Object.fromEntries(used.map((list) => [list.key, listOf(list).values])),
    listVersions: used.map(({ key, number, checksum }) => ({ listId: key, number, checksum })),
  };
}

/** Pins the versions of lists that an assessment or a comparison has recorded. */
export async function recordedLists(
  tx: Transaction,
  environment: Environment,
  versions: readonly ListVersion[],
): Promise<ReferenceLists> {
  const values = await Promise.all(
    versions.map(async ({ listId, number }) => {
      const name = listName(environment, listId);
      const stored = (await definitionsOf(tx, name)).find((version) => version.number === number);
      const version = stored ?? shippedVersion(tx, name);
      if (version === null) throw new Error(`The list ${listId} has no version ${number}`);
      return [listId, listOf(version).values] as const;
    }),
  );
  return Object.fromEntries(values);
}
