/** Test of every operation that takes a merge patch, with nested members changed, removed and replaced. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isNullable, type Schema } from '../../scripts/contract/contract.ts';
import type { Operation, OperationId } from '../../server/contract/operation.ts';
import { arrange, type Ready } from '../operations.ts';
import { dereferenced, everyOperation, jsonSchemaOf, namedSchema } from '../support/contract.ts';
import { each } from '../support/each.ts';
import { type Answer, useService } from '../support/service.ts';

const service = await useService();

type Path = readonly string[];
type Refused = {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
};
type Record_ = Readonly<Record<string, unknown>> & Partial<Refused> & { readonly version: number };

/** A member within an object of a patch. */
interface Nested {
  readonly path: Path;
  readonly mayBeNull: boolean;
  /**
   * Schema of the call that creates the object with the member; null if the object is never created, such as a section
   * of the settings.
   */
  readonly creation: Schema | null;
}

/** Returns the object that a schema describes, also if it may be null. */
function objectOf(schema: Schema): Schema {
  const own = dereferenced(schema);
  const branch = own.oneOf?.find(({ type }) => type !== 'null');
  return branch === undefined ? own : dereferenced(branch);
}

function nestedIn(schema: Schema, path: Path = []): Nested[] {
  const { properties = {}, 'x-merge-patch-of': of } = objectOf(schema);
  return Object.entries(properties).flatMap(([name, member]) => [
    ...(path.length === 0
      ? []
      : [
          {
            path: [...path, name],
            mayBeNull: isNullable(dereferenced(member)),
            creation: of === undefined ? null : namedSchema(of),
          },
        ]),
    ...nestedIn(member, [...path, name]),
  ]);
}

const pointerOf = (path: Path): string => path.map((step) => `/${step}`).join('');
const at = (record: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], record);
const only = (path: Path, value: unknown): object =>
  path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object;
const isAbsent = (value: unknown): boolean =>
  value == null || value === false || (Array.isArray(value) && value.length === 0);

/**
 * Members that cannot take the value of the other body alone, and the errors of the resulting contradiction; `*` stands
 * for any step.
 */
const contradictions: { readonly [Id in OperationId]?: Readonly<Record<string, readonly string[]>> } = {
  updateApplication: {
    '/applicant/address/state': ['/applicant/address/state enum'],
    '/applicant/address/postalCode': ['/applicant/address/postalCode pattern'],
    '/applicant/address/country': ['/applicant/address/state stale', '/applicant/address/postalCode stale'],
    '/applicant/taxId/type': ['/applicant/taxId/value stale'],
    '/applicant/pepDeclaration/until': ['/applicant/pepDeclaration/until range'],
    '/applicant/pepDeclaration/isPep': ['role', 'relationship', 'since', 'until'].map(
      (name) => `/applicant/pepDeclaration/${name} stale`,
    ),
  },
  updateSettings: Object.fromEntries(
    ['review', 'strong'].map((line) => [
      `/screening/profile/*/*/${line}`,
      [`/screening/profile/*/*/${line} not_ascending`],
    ]),
  ),
  updateSubscription: {
    // The other body has no interval, which this kind requires.
    '/schedule/intervalDays': ['/schedule/intervalDays required'],
  },
};

function contradictionsOf(id: OperationId, path: Path): readonly string[] | undefined {
  const found = Object.entries(contradictions[id] ?? {}).find(([pointer]) =>
    isDeepStrictEqual(
      pointer
        .split('/')
        .slice(1)
        .map((step, index) => (step === '*' ? path[index] : step)),
      path,
    ),
  );
  return found?.[1].map((fault) =>
    fault
      .split('/')
      .map((step, index) => (step === '*' ? path[index - 1] : step))
      .join('/'),
  );
}

/**
 * Pairs of members that change together, because they show the same in two forms or one has no meaning without the
 * other.
 */
const linkedMembers: { readonly [Id in OperationId]?: readonly (readonly [string, string])[] } = {
  updateSubscription: [['/schedule/kind', '/schedule/intervalDays']],
  updateSettings: [
    ['/decisionPolicy/validityMonths', '/decisionPolicy/validityByRisk'],
    ['/screening/threshold', '/screening/profile'],
  ],
};

const patches = everyOperation
  .filter(({ requestTypes }) => requestTypes.includes('application/merge-patch+json'))
  .map((operation) => ({ operation, id: operation.operationId, nested: nestedIn(jsonSchemaOf(operation)!) }));

type Patch = (typeof patches)[number];

/** Creates a record with all members, and returns functions to patch it. */
async function begin(operation: Operation) {
  const ready: Ready = await arrange(service, service.acme, operation);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ready.params[name] ?? ''));
  let version: string | undefined = ready.headers['If-Match'];
  const patch = async (body: object): Promise<Answer<Record_>> => {
    const headers = {
      ...ready.headers,
      'Content-Type': 'application/merge-patch+json',
      ...(version !== undefined && { 'If-Match': version }),
    };
    const answer = await service.request<Record_>('PATCH', path, { as: ready.as, headers, body });
    version = answer.headers.get('etag') ?? version;
    return answer;
  };
  const reset = async (): Promise<Record_> => {
    const answer = await patch(ready.body!);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return { ready, patch, reset };
}

const named = ({ body: { errors = [] } }: Answer<Record_>): string[] =>
  errors.map(({ pointer, code }) => `${pointer} ${code}`).sort();

/** Returns the members that differ between two states of a record, except those that follow from the changed one. */
function changedBeside(
  changed: Path,
  { id, nested }: Pick<Patch, 'id' | 'nested'>,
  before: Record_,
  after: Record_,
): string[] {
  const own = pointerOf(changed);
  const twins = (linkedMembers[id] ?? []).flatMap(([one, other]) => {
    if (own.startsWith(one)) return other;
    return own.startsWith(other) ? one : [];
  });
  const isLeaf = (pointer: string) => !nested.some(({ path }) => pointerOf(path).startsWith(`${pointer}/`));
  return nested
    .filter(({ path }) => !isDeepStrictEqual(at(before, path), at(after, path)))
    .map(({ path }) => pointerOf(path))
    .filter(
      (pointer) =>
        isLeaf(pointer) &&
        pointer !== own &&
        !pointer.startsWith(`${own}/`) &&
        !twins.some((twin) => pointer === twin || pointer.startsWith(`${twin}/`)),
    );
}

/** Expects that a record is unchanged after a patch to its former value, except for at most one new version. */
function expectUnchanged(before: Record_, after: Record_, pointer: string): void {
  expect(after.version - before.version, `${pointer} changed nothing`).toBeLessThanOrEqual(1);
  expect({ ...after, version: 0, updatedAt: 0 }).toEqual({ ...before, version: 0, updatedAt: 0 });
}

it('looks at every patch of the contract', () => {
  expect(patches.map(({ id }) => id).sort()).toEqual([
    'updateApiKey',
    'updateApplication',
    'updateBusiness',
    'updateCase',
    'updateCurrentUser',
    'updatePower',
    'updateReport',
    'updateSettings',
    'updateSubscription',
    'updateTenant',
    'updateUser',
    'updateWorkflowTask',
    'updateWorkflowVariables',
  ]);
  expect(patches.flatMap(({ nested }) => nested).length).toBeGreaterThan(90);
});

describe.each(patches.filter(({ nested }) => nested.length > 0))('$id', ({ operation, id, nested }) => {
  const leaves = nested.filter(
    ({ path }) => !nested.some((other) => pointerOf(other.path).startsWith(`${pointerOf(path)}/`)),
  );

  it('changes a nested member alone, or names the resulting contradiction and changes nothing', async () => {
    const { ready, patch, reset } = await begin(operation);
    let changed = 0;
    for (const { path } of leaves) {
      const [pointer, value, base] = [pointerOf(path), at(ready.otherBody, path), await reset()];
      if (value === undefined || (value === null && at(base, path) === null)) continue;
      changed++;
      const answer = await patch(only(path, value));
      const contradicted = contradictionsOf(id, path);
      if (contradicted !== undefined) {
        expect([answer.status, named(answer)], pointer).toEqual([422, contradicted.toSorted()]);
        expectUnchanged(base, await reset(), pointer);
        continue;
      }
      expect(answer.status, `${pointer} ${answer.text}`).toBe(200);
      expect(String(at(answer.body, path)).toUpperCase(), pointer).toBe(String(value).toUpperCase());
      expect(changedBeside(path, { id, nested }, base, answer.body), `beside ${pointer}`).toEqual([]);
    }
    expect(changed).toBeGreaterThan(0);
  });

  it('removes a nested member by null if it is optional, otherwise says that it is required', async () => {
    const { patch, reset } = await begin(operation);
    for (const { path, mayBeNull, creation } of each(nested)) {
      const [pointer, base] = [pointerOf(path), await reset()];
      const answer = await patch(only(path, null));
      const isRequired = creation?.required?.includes(path.at(-1)!) ?? false;
      if (isRequired || !mayBeNull || contradictionsOf(id, path)?.[0] === `${pointer} required`) {
        expect([answer.status, named(answer).filter((error) => error !== `${pointer} enum`)], pointer).toEqual([
          422,
          [`${pointer} ${mayBeNull ? 'required' : 'type'}`],
        ]);
        expectUnchanged(base, await reset(), pointer);
        continue;
      }
      expect(answer.status, `${pointer} ${answer.text}`).toBe(200);
      expect(isAbsent(at(answer.body, path)), `${pointer} ${JSON.stringify(at(answer.body, path))}`).toBe(true);
      expect(changedBeside(path, { id, nested }, base, answer.body), `beside ${pointer}`).toEqual([]);
    }
  });

  const compounds = nested.filter(({ path }) =>
    nested.some((other) => other.creation !== null && pointerOf(other.path.slice(0, -1)) === pointerOf(path)),
  );

  it.each(compounds.map(({ path }) => ({ pointer: pointerOf(path), path })))(
    'replaces the whole of $pointer, and creates it only with all required members',
    async ({ path, pointer }) => {
      const { ready, patch, reset } = await begin(operation);
      const whole = at(ready.otherBody, path) as Readonly<Record<string, unknown>>;
      const base = await reset();
      const replaced = await patch(only(path, whole));
      expect(replaced.status, replaced.text).toBe(200);
      expect(at(replaced.body, path)).toMatchObject(whole);
      expect(changedBeside(path, { id, nested }, base, replaced.body)).toEqual([]);
      expect((await patch(only(path, null))).status).toBe(200);
      const { creation } = nested.find((other) => pointerOf(other.path.slice(0, -1)) === pointer)!;
      const required = creation?.required ?? [];
      for (const member of Object.keys(whole)) {
        const answer = await patch(only([...path, member], whole[member]));
        const missing = required.filter((name) => name !== member).map((name) => `${pointer}/${name} required`);
        expect([answer.status === 200, named(answer)], `${pointer}/${member}`).toEqual([
          missing.length === 0,
          missing.toSorted(),
        ]);
        if (missing.length === 0) expect((await patch(only(path, null))).status).toBe(200);
      }
      const anew = await patch(only(path, whole));
      expect(at(anew.body, path)).toMatchObject(whole);
    },
  );
});
