import { pascalCase, resourcePath } from '../../generate/naming.ts';
import type { Contract } from '../../generate/contract.ts';
import { operationSites } from '../../lint/walk.ts';
import type { DiffRule } from '../change.ts';

/** The class of a resource gives way to a schema of its name, and programs that name the class then mean the schema. */
export const sdkClassRenamed: DiffRule = (base, revision) => {
  const [before, after] = [base, revision].map((contract) => new Set(Object.keys(contract.components.schemas ?? {}))) as [Set<string>, Set<string>];
  const kept = classesOf(revision);
  return [...classesOf(base)].filter((name) => kept.has(name) && before.has(name) !== after.has(name)).map((name) => ({
    impact: 'major', place: name, message: after.has(name) ? 'named the class of a resource and names a schema' : 'named a schema and names the class of a resource',
  }));
};

function classesOf(contract: Contract): ReadonlySet<string> {
  return new Set(operationSites(contract).flatMap(({ operation }) => {
    const steps = resourcePath(operation['x-sdk']?.resource ?? '');
    return steps.map((_, index) => steps.slice(0, index + 1).map(pascalCase).join(''));
  }));
}
