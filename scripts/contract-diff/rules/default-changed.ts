import { resolve } from '../../generate/contract.ts';
import type { Contract, Operation, Parameter } from '../../generate/contract.ts';
import type { Change, DiffRule } from '../change.ts';
import { operationPairs, schemaPairs } from '../pairs.ts';

type Found = Omit<Change, 'rule'>;

/** A caller who leaves a value out gets another result than before. */
export const defaultChanged: DiffRule = (base, revision) => {
  const parameters = operationPairs(base, revision).flatMap((pair) => {
    const after = new Map(parametersOf(revision, pair.revision).map((parameter) => [parameter.name, parameter.schema.default]));
    return parametersOf(base, pair.base).filter(({ name }) => after.has(name))
      .flatMap(({ name, schema }) => compare(`${pair.place}, ${name}`, schema.default, after.get(name)));
  });
  const members = schemaPairs(base, revision).flatMap((pair) => compare(pair.place, pair.base.default, pair.revision.default));
  return [...parameters, ...members.filter(({ place }) => !place.startsWith('components/parameters/'))];
};

function compare(place: string, before: unknown, after: unknown): Found[] {
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
  return was === is ? [] : [{ impact: 'major', place, message: `default was ${was ?? 'absent'} and is ${is ?? 'absent'}` }];
}

function parametersOf(contract: Contract, operation: Partial<Operation>): Parameter[] {
  return (operation.parameters ?? []).map((node) => resolve<Parameter>(contract, node)).filter((parameter) => parameter.schema !== undefined);
}
