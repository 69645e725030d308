import { readFileSync } from 'node:fs';
import { pascalCase, pythonName, resourcePath } from '../../generate/naming.ts';
import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';
import { schemaSites } from '../walk-schemas.ts';

/** What the packages export beside what is generated: a schema of the same name would hide it. */
const EXPORTED = new Set([...readFileSync(new URL('../../../sdks/typescript/src/index.ts', import.meta.url), 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)]
  .flatMap(([, names = '']) => names.split(',').map((name) => name.replace('type ', '').trim())));

/** The class that is thrown stands for the body that it was made from. */
const THROWN = 'OAuthError';

/** Two things of the contract may not get one name in an SDK. */
export const sdkIdentifiers: Rule = (contract, report) => {
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
