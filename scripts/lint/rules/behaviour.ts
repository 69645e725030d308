/**
 * Lint rules about behaviour: repetition, pages, feeds, audit, transitions, deprecation. Used by the list of rules.
 * Each rule has a passing and a failing fixture.
 */
import { resolve, schemaName, UnresolvedReference } from '../../contract/contract.ts';
import type { Contract, Operation, RequestBody } from '../../contract/contract.ts';
import { operationSites, parametersOf, responsesOf } from '../../contract/walk.ts';
import type { OperationSite } from '../../contract/walk.ts';
import type { Rule } from '../rule.ts';

/** `x-idempotent` and the `Idempotency-Key` header occur together, and never on a read. */
const idempotency: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const declared = site.operation['x-idempotent'] === true;
    const parameter = parametersOf(contract, site).some((p) => p.in === 'header' && p.name === 'Idempotency-Key');
    if (declared && !parameter) report(site.pointer, 'Declare the header parameter `IdempotencyKey`.');
    if (parameter && !declared) report(site.pointer, 'State `x-idempotent: true`.');
    if (declared && site.method === 'get') report(site.pointer, 'A read needs no idempotency key.');
    if (declared && site.operation.responses?.['409'] === undefined)
      report([...site.pointer, 'responses'], 'Document 409: the first call may still run.');
    // Without a body, every call with the same key is the same call.
    if (declared && site.operation.requestBody !== undefined && site.operation.responses?.['422'] === undefined)
      report([...site.pointer, 'responses'], 'Document 422: the key may have been used for another request.');
  }
};

/** A list takes `cursor` and `limit` and returns `{items, cursor, hasMore}` (the event feed: `events`). */
const pagination: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const declared = site.operation['x-pagination'];
    const success = responsesOf(contract, site).find(({ status }) => status === '200')?.response.content?.[
      'application/json'
    ];
    const envelope = contract.components.schemas?.[schemaName(success?.schema) ?? ''];
    if (declared === undefined) {
      if (envelope?.properties?.['hasMore'] !== undefined)
        report(site.pointer, 'A list states `x-pagination: { items }`.');
      continue;
    }
    const place = [...site.pointer, 'x-pagination'];
    if (!['items', 'events'].includes(declared.items)) report(place, '`items` is `items` or `events`.');
    for (const member of [declared.items, 'cursor', 'hasMore']) {
      if (envelope?.required?.includes(member) !== true) report(place, `The list requires \`${member}\`.`);
    }
    if (schemaName(envelope?.properties?.[declared.items]?.items) === null)
      report(place, `\`${declared.items}\` is an array of a named schema.`);
    const names = parametersOf(contract, site)
      .filter((p) => p.in === 'query')
      .map((p) => p.name);
    for (const name of ['cursor', 'limit'])
      if (!names.includes(name)) report(place, `A list takes the query parameter \`${name}\`.`);
  }
};

/**
 * `x-follow` adds a method `follow` to a list: `acknowledge` names the operation of the same resource that takes a
 * cursor and nothing else, `interval` the header of the list that says when to read again.
 */
const follow: Rule = (contract, report) => {
  const sites = operationSites(contract);
  for (const { operation, pointer, ...site } of sites) {
    const declared = operation['x-follow'];
    if (declared === undefined) continue;
    const place = [...pointer, 'x-follow'];
    const say = (message: string) => report(place, message);
    if (operation['x-pagination'] === undefined) say('Only a list with `x-pagination` can be followed.');
    const success = responsesOf(contract, { operation, pointer, ...site }).find(({ status }) => status === '200');
    if (success?.response.headers?.[declared.interval] === undefined)
      say(`The answer has no header \`${declared.interval}\`.`);
    const resource = operation['x-sdk']?.resource;
    const siblings = sites.filter((sibling) => sibling.operation['x-sdk']?.resource === resource);
    if (siblings.some((sibling) => sibling.operation['x-sdk']?.method === 'follow'))
      say(`\`${resource}\` has a method \`follow\` already.`);
    const acknowledge = siblings.find((sibling) => sibling.operation.operationId === declared.acknowledge);
    if (acknowledge === undefined) say(`\`${declared.acknowledge}\` is no operation of \`${resource}\`.`);
    else if (requiredOf(contract, acknowledge).join() !== 'cursor')
      say(`\`${declared.acknowledge}\` must need a \`cursor\` and nothing else.`);
  }
};

function requiredOf(contract: Contract, { operation }: OperationSite): readonly string[] {
  try {
    const body =
      operation.requestBody === undefined ? undefined : resolve<RequestBody>(contract, operation.requestBody);
    return contract.components.schemas?.[schemaName(body?.content['application/json']?.schema) ?? '']?.required ?? [];
  } catch (error) {
    if (error instanceof UnresolvedReference) return [];
    throw error;
  }
}

/**
 * Only a list that is read with GET has a cursor that can acknowledge; all other writes are recognised by their method.
 */
const acknowledges: Rule = (contract, report) => {
  for (const { operation, method, pointer } of operationSites(contract)) {
    if (operation['x-acknowledges'] === undefined) continue;
    const place = [...pointer, 'x-acknowledges'];
    if (operation['x-acknowledges'] !== true) report(place, 'Leave it out where nothing is acknowledged.');
    if (method !== 'get' || operation['x-pagination'] === undefined)
      report(place, 'Only a list that is read with GET has a cursor that acknowledges.');
  }
};

/** Every change is recorded in the audit log, and the contract declares the events. */
const auditEvents: Rule = (contract, report) => {
  const catalogue = contract.components?.schemas?.['AuditEvent']?.['x-audit-actions'];
  for (const { operation, method, pointer } of operationSites(contract)) {
    const events = operation['x-audit-events'];
    if (events === undefined && method !== 'get') report(pointer, 'A mutation states `x-audit-events`.');
    if (events?.length === 0) report([...pointer, 'x-audit-events'], 'Name at least one event.');
    for (const event of events ?? []) {
      const place = [...pointer, 'x-audit-events'];
      if (!/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/.test(event))
        report(place, `\`${event}\` is not of the form \`noun.verb\`.`);
      else if (catalogue !== undefined && !(event in catalogue)) {
        report(
          place,
          `\`${event}\` is missing in \`x-audit-actions\` of \`AuditEvent\`: name the type of the ` +
            'resource that it is about.',
        );
      }
    }
  }
};

/**
 * A transition states the statuses that it leads from (none for a creation) and to, and documents the refusal in any
 * other status.
 */
const stateTransitions: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    const transition: { readonly from?: unknown; readonly to?: unknown } | undefined = operation['x-state-transitions'];
    if (transition === undefined) continue;
    const { from, to } = transition;
    if (!Array.isArray(from) || !Array.isArray(to))
      report([...pointer, 'x-state-transitions'], 'Write `{ from: [status, …], to: [status, …] }`.');
    else if (from.length > 0 && operation.responses?.['409'] === undefined)
      report([...pointer, 'responses'], 'Document 409: the status may not allow it.');
  }
};

/**
 * A deprecated operation states since when, until when and what to call instead; the server and the SDKs pass this on
 * (RFC 9745, RFC 8594).
 */
const deprecations: Rule = (contract, report) => {
  const sites = operationSites(contract);
  const names = new Set(sites.map(({ operation }) => operation.operationId ?? ''));
  for (const { operation, pointer } of sites) {
    const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset, description = '' } = operation;
    if (deprecated !== true) {
      for (const name of ['x-deprecated-since', 'x-sunset'] as const)
        if (operation[name] !== undefined)
          report([...pointer, name], 'Only a deprecated operation has this date: state `deprecated: true`.');
      continue;
    }
    if (!isDate(since)) report(pointer, 'Say since when it is deprecated: `x-deprecated-since: "2026-01-31"`.');
    if (!isDate(sunset)) report(pointer, 'Say when it ends: `x-sunset: "2027-01-31"`.');
    else if (isDate(since) && daysBetween(since, sunset) < NOTICE_DAYS)
      report([...pointer, 'x-sunset'], `Leave ${NOTICE_DAYS} days between \`x-deprecated-since\` and \`x-sunset\`.`);
    const replacements = [...description.matchAll(/`(\w+)`/g)]
      .map(([, name]) => name ?? '')
      .filter((name) => names.has(name) && name !== operation.operationId);
    if (replacements.length === 0)
      report([...pointer, 'description'], 'Name the operation to call instead, by its `operationId` in backticks.');
  }
};

/**
 * Least number of days between the announcement of a deprecation and the sunset: the twelve months that the contract
 * promises.
 */
export const NOTICE_DAYS = 365;

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function isDate(text: unknown): text is string {
  return typeof text === 'string' && DATE.test(text) && !Number.isNaN(Date.parse(text));
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** Returns whether the end is announced with a date, and early enough. */
export function isAnnounced({
  deprecated,
  'x-deprecated-since': since,
  'x-sunset': sunset,
}: Partial<Operation>): boolean {
  return deprecated === true && isDate(since) && isDate(sunset) && daysBetween(since, sunset) >= NOTICE_DAYS;
}

export const behaviour: Readonly<Record<string, Rule>> = {
  'acknowledges': acknowledges,
  'audit-events': auditEvents,
  'deprecations': deprecations,
  'follow': follow,
  'idempotency': idempotency,
  'pagination': pagination,
  'state-transitions': stateTransitions,
};
