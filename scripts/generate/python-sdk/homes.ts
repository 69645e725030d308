/**
 * In which module of the Python SDK a class is. Used by the writers of modules. Modules must not need each other except
 * the shared one.
 */
import { schemaName } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import type { ApiModel, OperationModel } from '../model.ts';
import { resourcePath, snakeCase } from '../naming.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { header, str } from './text.ts';

/** Module of schemas that several resources use; no resource can have this name. */
export const SHARED = '_shared';

/**
 * Module of each schema's class: that of the only top-level resource whose operations reach the schema, or the shared
 * one. So a program loads only the classes of the resources that it uses, and no module needs another except the shared
 * one.
 */
export type Homes = ReadonlyMap<string, string>;

/** Returns the schemas that get models: all that are returned, and all that are sent with named members. */
export function modelHomes(model: ApiModel, named: NamedSchemas): Homes {
  return homesOf(model, named, ({ successes, failures, body }) => [
    ...[...successes, ...failures].map((response) => response.schemaName),
    body?.kind === 'json' || body?.kind === 'form' ? body.schemaName : null,
  ]);
}

/** Returns the schemas that are types of arguments: bodies, their members, and parameters. */
export function argumentHomes(model: ApiModel, named: NamedSchemas): Homes {
  return homesOf(model, named, ({ body, parameters }) => [
    ...(body === null || body.kind === 'binary' ? [] : [body.schemaName]),
    ...[...parameters.path, ...parameters.query, ...parameters.header].flatMap(({ schema }) => {
      const name = schemaName(schema);
      return name === null || named.has(name) ? references(schema) : references(model.schemas[name] ?? {});
    }),
  ]);
}

function homesOf(
  model: ApiModel,
  named: NamedSchemas,
  roots: (operation: OperationModel) => readonly (string | null)[],
): Homes {
  const users = new Map<string, Set<string>>();
  for (const operation of model.operations) {
    const [top = ''] = resourcePath(operation.sdk.resource);
    for (const name of reachable(roots(operation), named))
      users.set(name, (users.get(name) ?? new Set()).add(snakeCase(top)));
  }
  const homes = [...named.keys()].flatMap((name): [string, string][] => {
    const [only, another] = users.get(name) ?? [];
    return only === undefined ? [] : [[name, another === undefined ? only : SHARED]];
  });
  return new Map(homes);
}

function reachable(roots: readonly (string | null)[], named: NamedSchemas): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = roots.filter((name) => name !== null);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const schema = named.get(name);
    if (schema === undefined || found.has(name)) continue;
    found.add(name);
    queue.push(...references(schema));
  }
  return found;
}

/** Returns the names that a schema refers to, in order of appearance. */
export function references(node: Schema): string[] {
  const name = schemaName(node);
  const parts = [
    ...(node.allOf ?? []),
    ...Object.values(node.properties ?? {}),
    ...(node.oneOf ?? []),
    ...(node.anyOf ?? []),
    ...(node.items === undefined ? [] : [node.items]),
    ...(typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []),
  ];
  return [...(name === null ? [] : [name]), ...parts.flatMap(references)];
}

/** Returns the modules, each with the names of its schemas. */
export function modulesOf(homes: Homes): ReadonlyMap<string, readonly string[]> {
  const modules = new Map<string, string[]>();
  for (const [name, home] of homes) modules.set(home, [...(modules.get(home) ?? []), name]);
  return modules;
}

/** Returns imports of the shared names; the formatter removes unused ones. */
export function sharedImports(folder: string, home: string, homes: Homes): string {
  const names = modulesOf(homes).get(SHARED) ?? [];
  return home === SHARED || names.length === 0
    ? ''
    : `from compliance_onboarding._generated.${folder}.${SHARED} import ${names.join(', ')}\n`;
}

/**
 * Returns a package whose names are in its modules, each loaded when one of its names is first used (PEP 562). `suffix`
 * is appended to the name in the module.
 */
export function lazyPackage(doc: string, folder: string, homes: Homes, suffix = ''): string {
  const modules = [...modulesOf(homes)].sort(([one], [other]) => (one < other ? -1 : 1));
  const place = `compliance_onboarding._generated.${folder}`;
  const typed = modules.map(
    ([home, names]) =>
      `    from ${place}.${home} import ${names.map((name) => `${name} as ${name}${suffix}`).join(', ')}\n`,
  );
  const entries = modules.map(([home, names]) => `    ${str(home)}: ${str(names.join(' '))},\n`);
  return (
    `${header()}"""${doc}"""\n\n` +
    'from typing import TYPE_CHECKING\n\n' +
    'from compliance_onboarding._lazy import lazily\n' +
    '\n' +
    `if TYPE_CHECKING:\n${typed.join('')}\n` +
    `__all__ = [${[...homes.keys()]
      .map((name) => str(name + suffix))
      .sort()
      .join(', ')}]\n\n` +
    `__getattr__, __dir__ = lazily(__name__, ${str(place)}, {\n` +
    `${entries.join('')}}${suffix === '' ? '' : `, suffix=${str(suffix)}`})\n`
  );
}
