import { schemaName } from '../../generate/schema.ts';
import { resolve, UnresolvedReference } from '../../generate/contract.ts';
import type { Contract, RequestBody } from '../../generate/contract.ts';
import type { Rule } from '../rule.ts';
import { operationSites, responsesOf } from '../walk.ts';
import type { OperationSite } from '../walk.ts';

/**
 * `x-follow` makes a method `follow` of a list: `acknowledge` names the operation of the same resource that takes a cursor and
 * nothing else, `interval` the header of the list that tells when it is worth reading again.
 */
export const follow: Rule = (contract, report) => {
  const sites = operationSites(contract);
  for (const { operation, pointer, ...site } of sites) {
    const declared = operation['x-follow'];
    if (declared === undefined) continue;
    const place = [...pointer, 'x-follow'];
    const say = (message: string) => report(place, message);
    if (operation['x-pagination'] === undefined) say('Only a list with `x-pagination` can be followed.');
    const success = responsesOf(contract, { operation, pointer, ...site }).find(({ status }) => status === '200');
    if (success?.response.headers?.[declared.interval] === undefined) say(`The answer has no header \`${declared.interval}\`.`);
    const resource = operation['x-sdk']?.resource;
    const siblings = sites.filter((sibling) => sibling.operation['x-sdk']?.resource === resource);
    if (siblings.some((sibling) => sibling.operation['x-sdk']?.method === 'follow')) say(`\`${resource}\` has a method \`follow\` already.`);
    const acknowledge = siblings.find((sibling) => sibling.operation.operationId === declared.acknowledge);
    if (acknowledge === undefined) say(`\`${declared.acknowledge}\` is no operation of \`${resource}\`.`);
    else if (requiredOf(contract, acknowledge).join() !== 'cursor') say(`\`${declared.acknowledge}\` must need a \`cursor\` and nothing else.`);
  }
};

function requiredOf(contract: Contract, { operation }: OperationSite): readonly string[] {
  try {
    const body = operation.requestBody === undefined ? undefined : resolve<RequestBody>(contract, operation.requestBody);
    return contract.components.schemas?.[schemaName(body?.content['application/json']?.schema) ?? '']?.required ?? [];
  } catch (error) {
    if (error instanceof UnresolvedReference) return [];
    throw error;
  }
}
