/**
 * Lint rules about names in the SDKs. Used by the list of rules. Two things with one name would break a generated
 * package.
 */
import { readFileSync } from 'node:fs';
import { operationSites, parametersOf, schemaSites } from '../../contract/walk.ts';
import type { Pointer } from '../../contract/walk.ts';
import { bodyModel } from '../../generate/model-body.ts';
import { argumentName, camelCase, pascalCase, pythonName, resourcePath, snakeCase } from '../../generate/naming.ts';
import type { Rule } from '../rule.ts';

/**
 * Both SDKs take the name of a method from `x-sdk`, so it is present, well formed and unique. The same holds for former
 * names, except that the name of a resource may have been the name of a method, which calling the resource then stands
 * for.
 */
const sdkName: Rule = (contract, report) => {
  const sites = operationSites(contract).map((site) => ({
    ...site,
    sdk: site.operation['x-sdk'],
    id: site.operation.operationId ?? '',
  }));
  const resources = new Set(
    sites.flatMap(({ sdk }) =>
      sdk === undefined ? [] : resourcePath(sdk.resource).map((_, index, steps) => steps.slice(0, index + 1).join('.')),
    ),
  );
  const methods = new Map(
    sites.flatMap(({ sdk, id }) => (sdk === undefined ? [] : [[`${sdk.resource}.${sdk.method}`, id]])),
  );
  const taken = new Map(sites.map(({ id }) => [id, id]));
  const claim = (place: Pointer, name: string, id: string): void => {
    const other = taken.get(name);
    if (other !== undefined) report(place, `\`${name}\` is already ${other}.`);
    taken.set(name, id);
  };
  for (const { sdk, id, pointer } of sites) {
    const place = [...pointer, 'x-sdk'];
    if (sdk === undefined) {
      report(pointer, 'Name the SDK method: `x-sdk: { resource, method }`.');
      continue;
    }
    const name = `${sdk.resource}.${sdk.method}`;
    if (!/^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)+$/.test(name))
      report(place, `\`${name}\` is not a chain of camelCase names.`);
    claim(place, name, id);
    if (resources.has(name)) report(place, `\`${name}\` is also a resource.`);
    for (const alias of Array.isArray(sdk.aliases) ? sdk.aliases : []) {
      const now = methods.get(alias);
      if (now === undefined) claim([...place, 'aliases'], alias, id);
      else report([...place, 'aliases'], `\`${alias}\` is ${now === id ? 'still its name' : `already ${now}`}.`);
    }
  }
};

/** Verbs of the methods for two HTTP methods whose effect RFC 9110 section 9.3.4 and RFC 5789 define. */
const VERBS: Readonly<Record<string, string>> = { put: 'replace', patch: 'update' };

/**
 * The name of a method and the operation id can be derived from each other: the id begins with the verb of the method,
 * contains the other words of the method in order, and names the resource by its last name, in singular or plural.
 * Nothing is added if both are the same: `login`, `goLive`.
 */
const sdkOperationId: Rule = (contract, report) => {
  for (const { method, operation, pointer } of operationSites(contract)) {
    const { operationId = '', 'x-sdk': sdk } = operation;
    if (typeof sdk?.resource !== 'string' || typeof sdk.method !== 'string') continue;
    const place = [...pointer, 'operationId'];
    const [said, called] = [wordsOf(operationId), wordsOf(sdk.method)];
    const verb = VERBS[method];
    if (verb !== undefined && called[0] !== verb)
      report([...pointer, 'x-sdk'], `The method of a ${method.toUpperCase()} begins with \`${verb}\`.`);
    if (operationId === sdk.method) continue;
    if (said[0] !== called[0] || !inOrder(called, said))
      report(place, `\`${operationId}\` does not say \`${sdk.method}\`, which is its method.`);
    const noun = wordsOf(resourcePath(sdk.resource).at(-1) ?? '');
    if (!said.join(' ').includes(noun.join(' ')))
      report(place, `\`${operationId}\` does not name \`${sdk.resource}\`, its resource.`);
  }
};

/** Returns the words of a name in lower case and in the singular. */
function wordsOf(name: string): string[] {
  return snakeCase(name)
    .split('_')
    .map((word) =>
      word
        .replace(/ies$/, 'y')
        .replace(/sses$/, 'ss')
        .replace(/(?<=[^s])s$/, ''),
    );
}

function inOrder(wanted: readonly string[], within: readonly string[]): boolean {
  let from = 0;
  return wanted.every((word) => (from = within.indexOf(word, from) + 1) > 0);
}

/** Options that every SDK method has besides the arguments of the contract. */
const RESERVED = new Set([
  'self',
  'body',
  'options',
  'params',
  'signal',
  'timeout',
  'max_retries',
  'extra_headers',
  'headers',
]);

/**
 * Parameters and body members become arguments of one method, so their names must differ, wherever they are sent. The
 * validator also matches parameters by name alone.
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
    if (body !== null && parameters.some((p) => p.in === 'query'))
      report(site.pointer, 'An operation has a body or query parameters, not both.');
  }
};

/** Hand-written exports of the packages, which a schema of the same name would hide. */
const EXPORTED = new Set(
  [
    ...readFileSync(new URL('../../../sdks/typescript/src/index.ts', import.meta.url), 'utf8').matchAll(
      /export (?:type )?\{([^}]*)\}/g,
    ),
  ].flatMap(([, names = '']) => names.split(',').map((name) => name.replace('type ', '').trim())),
);

/** Class that is thrown and represents the body it was made from. */
const THROWN = 'OAuthError';

/** Two parts of the contract must not get the same name in an SDK. */
const sdkIdentifiers: Rule = (contract, report) => {
  const schemas = Object.keys(contract.components.schemas ?? {});
  const spelled = new Map<string, string>();
  for (const name of schemas) {
    const other = spelled.get(name.toLowerCase());
    if (other !== undefined)
      report(['components', 'schemas', name], `\`${name}\` and \`${other}\` differ by case alone.`);
    if (EXPORTED.has(name) && name !== THROWN)
      report(['components', 'schemas', name], `\`${name}\` is already a name of the SDKs.`);
    spelled.set(name.toLowerCase(), name);
  }
  const classes = new Map<string, string>();
  for (const { operation, pointer } of operationSites(contract)) {
    const resource = operation['x-sdk']?.resource ?? '';
    const steps = resourcePath(resource);
    for (const [index] of steps.entries()) {
      const path = steps.slice(0, index + 1).join('.');
      const plain = steps
        .slice(0, index + 1)
        .map(pascalCase)
        .join('');
      // The class of a resource gets this ending if a schema has its name.
      const name = schemas.includes(plain) ? `${plain}Resource` : plain;
      const other = classes.get(name) ?? path;
      if (other !== path)
        report([...pointer, 'x-sdk'], `The resources \`${path}\` and \`${other}\` are both the class \`${name}\`.`);
      if (schemas.includes(name))
        report([...pointer, 'x-sdk'], `The class \`${name}\` of \`${path}\` is also a schema.`);
      classes.set(name, other);
    }
  }
  for (const { schema, pointer } of schemaSites(contract)) {
    const members = new Map<string, string>();
    for (const name of Object.keys(schema.properties ?? {})) {
      const other = members.get(pythonName(name));
      if (other !== undefined)
        report(
          [...pointer, 'properties', name],
          `\`${name}\` and \`${other}\` are both \`${pythonName(name)}\` in Python.`,
        );
      members.set(pythonName(name), name);
    }
  }
};

export const sdks: Readonly<Record<string, Rule>> = {
  'sdk-arguments': sdkArguments,
  'sdk-identifiers': sdkIdentifiers,
  'sdk-name': sdkName,
  'sdk-operation-id': sdkOperationId,
};
