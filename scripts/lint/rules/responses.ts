/**
 * Lint rules about responses and problems. Used by the list of rules. Statuses that are not documented cannot be
 * handled by typed clients.
 */
import { resolve, schemaName } from '../../contract/contract.ts';
import type { Example } from '../../contract/contract.ts';
import { isJson, isTokenEndpoint, operationSites, responsesOf } from '../../contract/walk.ts';
import type { Rule } from '../rule.ts';

/** `default` and `4XX` leave the status open, which a typed handler or client cannot use. */
const statusesEnumerated: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    for (const status of Object.keys(operation.responses ?? {})) {
      if (!/^[1-5]\d\d$/.test(status))
        report([...pointer, 'responses', status], `List every status by number instead of \`${status}\`.`);
    }
  }
};

/** The contract documents the refusals that the pipeline can return before a handler runs. */
const securedStatuses: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    const wanted = (operation.security ?? []).length > 0 ? ['401', '403', '429', '503'] : ['429', '503'];
    for (const status of wanted) {
      if (operation.responses?.[status] === undefined) report([...pointer, 'responses'], `Document status ${status}.`);
    }
  }
};

/** Success and failure are both documented: at least three JSON responses. */
const threeJsonResponses: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const json = responsesOf(contract, site).filter(({ response }) => Object.keys(response.content ?? {}).some(isJson));
    if (json.length < 3)
      report([...site.pointer, 'responses'], `Document at least three JSON responses; there are ${json.length}.`);
  }
};

/**
 * Every response has its request id; some statuses have headers that HTTP demands (RFC 9110, RFC 6585), and a 429 names
 * the exhausted quota.
 */
const BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

const responseHeaders: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    for (const { status, response, pointer } of responsesOf(contract, site)) {
      for (const name of ['X-Request-Id', ...(BY_STATUS[status] ?? [])]) {
        if (response.headers?.[name] === undefined) report(pointer, `Document the header \`${name}\`.`);
      }
    }
  }
};

/** Every error is an RFC 9457 problem, except at the token endpoint, which responds as RFC 6749 section 5.2 demands. */
const problemResponses: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const token = isTokenEndpoint(site.path);
    const [type, schema] = token
      ? (['application/json', 'OAuthError'] as const)
      : (['application/problem+json', 'Problem'] as const);
    for (const { status, response, pointer } of responsesOf(contract, site)) {
      if (!/^[45]/.test(status)) continue;
      const media = response.content?.[type];
      if (Object.keys(response.content ?? {}).length !== 1 || media === undefined)
        report(pointer, `Answer ${status} with \`${type}\` alone.`);
      else if (schemaName(media.schema) !== schema) report(pointer, `The body of ${status} is \`${schema}\`.`);
    }
  }
};

interface Body {
  readonly code?: string;
  readonly status?: number;
  readonly type?: string;
  readonly title?: string;
}

/** An example of a problem agrees with the catalogue and with its status. */
const problemExamples: Rule = (contract, report) => {
  const catalogue = contract.components.schemas?.['ProblemCode']?.['x-problems'] ?? {};
  const special = new Set(Object.values(catalogue).flatMap(({ members = [] }) => members));
  for (const site of operationSites(contract)) {
    for (const { status, response, pointer } of responsesOf(contract, site)) {
      for (const [name, node] of Object.entries(response.content?.['application/problem+json']?.examples ?? {})) {
        const { code = '', ...example } = resolve<Example>(contract, node).value as Body;
        const entry = catalogue[code];
        if (entry === undefined) report(pointer, `Example \`${name}\`: \`${code}\` is not in the catalogue.`);
        else if (example.status !== entry.status || String(entry.status) !== status)
          report(pointer, `Example \`${name}\`: \`${code}\` is a ${entry.status}.`);
        else if (example.type !== `/problems/${code}` || example.title !== entry.title)
          report(pointer, `Example \`${name}\`: \`type\` and \`title\` of \`${code}\` differ from the catalogue.`);
        const foreign = Object.keys(example).find(
          (member) => special.has(member) && entry?.members?.includes(member) !== true,
        );
        if (foreign !== undefined)
          report(pointer, `Example \`${name}\`: \`${foreign}\` is missing in \`members\` of \`${code}\`.`);
      }
    }
  }
};

/** The catalogue of problems and the enumeration of their codes are the same list. */
const problemCatalogue: Rule = (contract, report) => {
  const { ProblemCode: schema, Problem: problem } = contract.components.schemas ?? {};
  if (schema === undefined) return;
  const pointer = ['components', 'schemas', 'ProblemCode'];
  const codes = schema.enum ?? [];
  const catalogue = schema['x-problems'] ?? {};
  for (const code of codes)
    if (!(String(code) in catalogue)) report([...pointer, 'enum'], `\`${String(code)}\` is missing in \`x-problems\`.`);
  for (const [code, { members = [] }] of Object.entries(catalogue)) {
    const place = [...pointer, 'x-problems', code];
    for (const member of members)
      if (!(member in (problem?.properties ?? {}))) report(place, `\`${member}\` is no member of \`Problem\`.`);
    if (!codes.includes(code)) report(place, `\`${code}\` is missing in \`enum\`.`);
    if (!/^[a-z][a-z0-9_]*$/.test(code)) report(place, 'A code is snake_case.');
  }
};

export const responses: Readonly<Record<string, Rule>> = {
  'problem-catalogue': problemCatalogue,
  'problem-examples': problemExamples,
  'problem-responses': problemResponses,
  'response-headers': responseHeaders,
  'secured-statuses': securedStatuses,
  'statuses-enumerated': statusesEnumerated,
  'three-json-responses': threeJsonResponses,
};
