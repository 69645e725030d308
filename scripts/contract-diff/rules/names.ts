/**
 * Rules about names that become names in the SDKs or in the configuration of clients. Used by the list of all rules
 * (index.ts).
 */
import type { Contract } from '../../contract/contract.ts';
import { operationSites } from '../../contract/walk.ts';
import { pascalCase, resourcePath } from '../../generate/naming.ts';
import type { DiffRule } from '../change.ts';
import { without } from '../pairs.ts';

/** Both SDKs export the named schemas as types. */
const schemaNameRemoved: DiffRule = (base, revision) => {
  const remaining = revision.components.schemas ?? {};
  return Object.keys(base.components.schemas ?? {})
    .filter((name) => !(name in remaining))
    .map((name) => ({ impact: 'major', place: name, message: 'is no longer a type of the SDKs' }));
};

/** A schema takes the name of a resource's class, so that programs that name the class get the schema instead. */
const sdkClassRenamed: DiffRule = (base, revision) => {
  const [before, after] = [base, revision].map(
    (contract) => new Set(Object.keys(contract.components.schemas ?? {})),
  ) as [Set<string>, Set<string>];
  const kept = classesOf(revision);
  return [...classesOf(base)]
    .filter((name) => kept.has(name) && before.has(name) !== after.has(name))
    .map((name) => ({
      impact: 'major',
      place: name,
      message: after.has(name)
        ? 'named the class of a resource and names a schema'
        : 'named a schema and names the class of a resource',
    }));
};

function classesOf(contract: Contract): ReadonlySet<string> {
  return new Set(
    operationSites(contract).flatMap(({ operation }) => {
      const steps = resourcePath(operation['x-sdk']?.resource ?? '');
      return steps.map((_, index) =>
        steps
          .slice(0, index + 1)
          .map(pascalCase)
          .join(''),
      );
    }),
  );
}

interface Flow {
  readonly tokenUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

/** Clients are configured with one token address and with the names of scopes. */
const oauthFlowChanged: DiffRule = (base, revision) => {
  const after = flowsOf(revision);
  return Object.entries(flowsOf(base)).flatMap(([place, was]) => {
    const is = after[place];
    if (is === undefined) return [{ impact: 'major' as const, place, message: 'is no longer offered' }];
    const [before, now] = [Object.keys(was.scopes), Object.keys(is.scopes)];
    return [
      ...(was.tokenUrl === is.tokenUrl
        ? []
        : [
            {
              impact: 'major' as const,
              place,
              message: `tokens came from ${was.tokenUrl ?? 'nowhere'} and come from ${is.tokenUrl ?? 'nowhere'}`,
            },
          ]),
      ...without(before, now).map((scope) => ({ impact: 'major' as const, place, message: `scope ${scope} is gone` })),
      ...without(now, before).map((scope) => ({ impact: 'minor' as const, place, message: `scope ${scope} is new` })),
    ];
  });
};

function flowsOf(contract: Contract): Readonly<Record<string, Flow>> {
  return Object.fromEntries(
    Object.entries(contract.components.securitySchemes ?? {}).flatMap(([scheme, { flows = {} }]) =>
      Object.entries(flows).map(([name, flow]) => [`${scheme} ${name}`, flow]),
    ),
  );
}

export const names: Readonly<Record<string, DiffRule>> = {
  'oauth-flow-changed': oauthFlowChanged,
  'schema-name-removed': schemaNameRemoved,
  'sdk-class-renamed': sdkClassRenamed,
};
