/**
 * Completes operations: parameters, statuses and headers that follow from what a designer wrote. Called by `make
 * format`. It only adds; what a designer wrote must never be changed.
 */
import { isMap, isSeq } from 'yaml';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { METHODS } from '../contract.ts';
import { isTokenEndpoint } from '../walk.ts';
import { completeList, completePath, nameOf } from './components.ts';
import { HEADERS, ORDERS, PARAMETERS, STATUSES, rankIn } from './implied.ts';
import type { Facts } from './implied.ts';
import { at, isTrue, keyOf, mapAt, membersOf, put, reference, referenced, sortMembers, textAt } from './nodes.ts';
import { spellOutBody, spellOutResponse, spellOutSecurity } from './shorthand.ts';

/**
 * Adds what follows from the content of operations: parameters, statuses, headers, the order of members. What a
 * designer wrote is never replaced or removed.
 */
export function completeOperations(document: Document): void {
  for (const member of membersOf(at(document.contents, 'paths'))) {
    if (!isMap(member.value)) continue;
    completePath(document, keyOf(member), member.value);
    for (const method of METHODS) {
      const operation = at(member.value, method);
      if (isMap(operation))
        completeOperation(document, {
          path: keyOf(member),
          method,
          operation,
          item: member.value,
        });
    }
    order(member.value, ORDERS.pathItem);
  }
}

interface Site {
  readonly path: string;
  readonly method: string;
  readonly item: YAMLMap;
  readonly operation: YAMLMap;
}

function completeOperation(document: Document, site: Site): void {
  const { operation } = site;
  spellOutSecurity(document, operation);
  spellOutBody(document, operation);
  // The token endpoint responds as RFC 6749 demands, not in the form of the other operations.
  if (!isTokenEndpoint(site.path)) {
    completeParameters(document, site);
    const facts = factsOf(document, site);
    const responses = mapAt(document, operation, 'responses');
    // The added responses do not fit on the one line that a designer may have written.
    responses.flow = false;
    for (const member of membersOf(responses))
      spellOutResponse(document, {
        responses,
        status: keyOf(member),
        value: member.value,
        facts,
      });
    if (facts.isList) completeList(document, operation);
    completeResponses(document, responses, factsOf(document, site));
  }
  orderWithin(operation);
}

function factsOf(document: Document, { path, method, item, operation }: Site): Facts {
  const parameters = parametersOf(document, item, operation);
  const security = at(operation, 'security');
  return {
    method,
    isPublic: isSeq(security) && security.items.length === 0,
    takesBody: at(operation, 'requestBody') !== undefined,
    namesResource: path.includes('{'),
    isConditional: parameters.includes('If-Match'),
    isIdempotent: isTrue(at(operation, 'x-idempotent')),
    needsStepUp: isTrue(at(operation, 'x-step-up')),
    isSealed: at(operation, 'x-sealed') !== undefined,
    isList: at(operation, 'x-pagination') !== undefined,
    answersBody: membersOf(at(operation, 'responses')).some(
      (member) => keyOf(member).startsWith('2') && (at(member.value, 'content') ?? null) !== null,
    ),
  };
}

/** Returns the names of the parameters of an operation. */
function parametersOf(document: Document, item: YAMLMap, operation: YAMLMap): (string | undefined)[] {
  return [at(item, 'parameters'), at(operation, 'parameters')]
    .flatMap((list) => (isSeq(list) ? list.items : []))
    .map((node) => nameOf(document, node));
}

function completeParameters(document: Document, site: Site): void {
  const { item, operation } = site;
  const facts = factsOf(document, site);
  const declared = parametersOf(document, item, operation);
  const missing = PARAMETERS.filter(
    ({ parameter, when }) =>
      when(facts) &&
      isShared(document, 'parameters', parameter) &&
      !declared.includes(textAt(document.contents, 'components', 'parameters', parameter, 'name')),
  );
  if (missing.length === 0) return;
  if (!isSeq(at(operation, 'parameters'))) put(document, operation, 'parameters', []);
  const list = at(operation, 'parameters') as YAMLSeq;
  list.flow = false;
  const added = (isLast: boolean) =>
    missing
      .filter((row) => row.isLast === isLast)
      .map(({ parameter }) => document.createNode(reference('parameters', parameter)));
  list.items = [...added(false), ...list.items, ...added(true)];
}

/** Returns whether the contract has a shared component; a contract without it is not completed with it. */
function isShared(document: Document, kind: string, name: string): boolean {
  return at(document.contents, 'components', kind, name) !== undefined;
}

function completeResponses(document: Document, responses: YAMLMap, facts: Facts): void {
  for (const { status, response, when } of STATUSES) {
    if (when(facts) && isShared(document, 'responses', response) && at(responses, status) === undefined)
      put(document, responses, status, reference('responses', response));
  }
  for (const member of membersOf(responses)) {
    if (!isMap(member.value) || referenced(member.value) !== null) continue;
    const [status, response] = [Number(keyOf(member)), member.value];
    const schema = referenced(at(membersOf(at(response, 'content'))[0]?.value, 'schema'));
    const isVersioned =
      at(document.contents, 'components', 'schemas', schema ?? '', 'properties', 'version') !== undefined;
    const headers = mapAt(document, response, 'headers');
    for (const { header, component, when } of HEADERS) {
      if (
        when(facts, status, isVersioned) &&
        isShared(document, 'headers', component) &&
        at(headers, header) === undefined
      )
        put(document, headers, header, reference('headers', component));
    }
  }
}

function orderWithin(operation: YAMLMap): void {
  order(operation, ORDERS.operation);
  const body = at(operation, 'requestBody');
  order(body, ORDERS.requestBody);
  const responses = at(operation, 'responses');
  if (isMap(responses)) sortMembers(responses, (member) => Number(keyOf(member)) || Infinity);
  for (const { value } of membersOf(responses)) {
    order(value, ORDERS.response);
    order(at(value, 'headers'), ORDERS.headers);
    for (const media of membersOf(at(value, 'content'))) order(media.value, ORDERS.media);
  }
  for (const media of membersOf(at(body, 'content'))) order(media.value, ORDERS.media);
}

function order(map: unknown, names: readonly string[]): void {
  if (isMap(map)) sortMembers(map as YAMLMap, (member) => rankIn(names, keyOf(member)));
}
