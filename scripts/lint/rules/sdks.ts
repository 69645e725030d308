import { readFileSync } from 'node:fs';
import { operationSites, parametersOf, schemaSites } from '../../contract/walk.ts';
import { bodyModel } from '../../generate/model-body.ts';
import { argumentName, camelCase, pascalCase, pythonName, resourcePath } from '../../generate/naming.ts';
import type { Rule } from '../rule.ts';

/** Both SDKs take the name of a method from `x-sdk`, so it is present, well formed and unique. */
const sdkName: Rule = (contract, report) => {
  const taken = new Map<string, string>();
  const sites = operationSites(contract);
  const resources = new Set(sites.map(({ operation }) => operation['x-sdk']?.resource));
  for (const { operation, pointer } of sites) {
    const sdk = operation['x-sdk'];
    const place = [...pointer, 'x-sdk'];
    if (sdk === undefined) { report(pointer, 'Name the SDK method: `x-sdk: { resource, method }`.'); continue; }
    const name = `${sdk.resource}.${sdk.method}`;
    if (!/^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)+$/.test(name)) report(place, `\`${name}\` is not a chain of camelCase names.`);
    const other = taken.get(name);
    if (other !== undefined) report(place, `\`${name}\` is already ${other}.`);
    if (resources.has(name)) report(place, `\`${name}\` is also a resource.`);
    taken.set(name, operation.operationId ?? '');
  }
};

/** Options that every SDK method has besides the arguments of the contract. */
const RESERVED = new Set(['self', 'body', 'options', 'params', 'signal', 'timeout', 'max_retries', 'extra_headers', 'headers']);

/**
 * Parameters and body members become arguments of one method: their names must differ, whatever their place. The
 * validator, too, matches parameters by name alone.
 */
const sdkArguments: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const parameters = parametersOf(contract, site);
    const body = site.operation.requestBody === undefined ? null : bodyModel(contract, site.operation.requestBody);
    const seen = new Set<string>();
    for (const name of [...parameters.map(argumentName), ...(body?.members ?? []).map((m) => m.name)]) {
      const argument = pythonName(camelCase(name));
      if (seen.has(argument)) report(site.pointer, `Two arguments are named \`${argument}\`.`);
      if (RESERVED.has(argument)) report(site.pointer, `\`${argument}\` is the name of an option of every SDK method.`);
      seen.add(argument);
    }
    if (body !== null && parameters.some((p) => p.in === 'query')) report(site.pointer, 'An operation has a body or query parameters, not both.');
  }
};

/** What the packages export beside what is generated: a schema of the same name would hide it. */
const EXPORTED = new Set([...readFileSync(new URL('../../../sdks/typescript/src/index.ts', import.meta.url), 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)]
  .flatMap(([, names = '']) => names.split(',').map((name) => name.replace('type ', '').trim())));

/** The class that is thrown stands for the body that it was made from. */
const THROWN = 'OAuthError';

/** Two things of the contract may not get one name in an SDK. */
const sdkIdentifiers: Rule = (contract, report) => {
  const schemas = Object.keys(contract.components.schemas ?? {});
  const spelled = new Map<string, string>();
  for (const name of schemas) {
    const other = spelled.get(name.toLowerCase());
    if (other !== undefined) report(['components', 'schemas', name], `\`${name}\` and \`${other}\` differ by case alone.`);
    if (EXPORTED.has(name) && name !== THROWN) report(['components', 'schemas', name], `\`${name}\` is already a name of the SDKs.`);
    spelled.set(name.toLowerCase(), name);
  }
  const classes = new Map<string, string>();
  for (const { operation, pointer } of operationSites(contract)) {
    const resource = operation['x-sdk']?.resource ?? '';
    const steps = resourcePath(resource);
    for (const [index] of steps.entries()) {
      const path = steps.slice(0, index + 1).join('.');
      const plain = steps.slice(0, index + 1).map(pascalCase).join('');
      // Beside a schema of its name the class of a resource gets this ending.
      const name = schemas.includes(plain) ? `${plain}Resource` : plain;
      const other = classes.get(name) ?? path;
      if (other !== path) report([...pointer, 'x-sdk'], `The resources \`${path}\` and \`${other}\` are both the class \`${name}\`.`);
      if (schemas.includes(name)) report([...pointer, 'x-sdk'], `The class \`${name}\` of \`${path}\` is also a schema.`);
      classes.set(name, other);
    }
  }
  for (const { schema, pointer } of schemaSites(contract)) {
    const members = new Map<string, string>();
    for (const name of Object.keys(schema.properties ?? {})) {
      const other = members.get(pythonName(name));
      if (other !== undefined) report([...pointer, 'properties', name], `\`${name}\` and \`${other}\` are both \`${pythonName(name)}\` in Python.`);
      members.set(pythonName(name), name);
    }
  }
};

export const sdks: Readonly<Record<string, Rule>> = {
  'sdk-arguments': sdkArguments,
  'sdk-identifiers': sdkIdentifiers,
  'sdk-name': sdkName,
};
