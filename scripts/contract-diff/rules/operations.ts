/**
 * Rules about operations: security, removal, and other declarations that callers rely on. Used by the list of all rules
 * (index.ts).
 */
import { resolve } from '../../contract/contract.ts';
import type {
  Contract,
  Header,
  MediaType,
  Operation,
  RequestBody,
  Response,
  SecurityRequirement,
} from '../../contract/contract.ts';
import { operationSites } from '../../contract/walk.ts';
import { isAnnounced, NOTICE_DAYS } from '../../lint/rules/behaviour.ts';
import type { DiffRule, Impact } from '../change.ts';
import { operationPairs, operationSitePairs } from '../pairs.ts';

/** Compares the effective security, because an operation without its own `security` inherits that of the contract. */
const effectiveSecurity: DiffRule = (base, revision) =>
  operationPairs(base, revision).flatMap((pair) => {
    const before = pair.base.security ?? inherited(base);
    const after = pair.revision.security ?? inherited(revision);
    const { place } = pair;
    if (before.length === 0)
      return after.length === 0 ? [] : [{ impact: 'major', place, message: 'was public and now needs a credential' }];
    if (after.length === 0) return [{ impact: 'minor', place, message: 'is public now' }];
    const lost = before.filter((credential) => !after.some((requirement) => satisfies(credential, requirement)));
    const gained = after.filter((credential) => !before.some((requirement) => satisfies(credential, requirement)));
    return [
      ...lost.map((credential) => ({
        impact: 'major' as const,
        place,
        message: `no longer accepts ${show(credential)}`,
      })),
      ...(lost.length === 0
        ? gained.map((requirement) => ({
            impact: 'minor' as const,
            place,
            message: `also accepts ${show(requirement)}`,
          }))
        : []),
    ];
  });

function inherited(contract: Contract): readonly SecurityRequirement[] {
  return (contract as Contract & { readonly security?: readonly SecurityRequirement[] }).security ?? [];
}

/**
 * Returns whether every caller that satisfies `credential` also satisfies `requirement`: the same schemes and no
 * further scope.
 */
function satisfies(credential: SecurityRequirement, requirement: SecurityRequirement): boolean {
  const schemes = Object.entries(requirement);
  return schemes.every(
    ([scheme, scopes]) =>
      credential[scheme] !== undefined && scopes.every((scope) => credential[scheme]?.includes(scope)),
  );
}

function show(requirement: SecurityRequirement): string {
  return Object.entries(requirement)
    .map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(', ')}`))
    .join(' and ');
}

/**
 * An operation may be removed only after its announced end, and the announced end may only be moved later. Callers plan
 * by these dates, so no version number excuses breaking them.
 */
const sunsetPolicy: DiffRule = (base, revision, today) => {
  const kept = new Set(operationSitePairs(base, revision).map((pair) => pair.base.operation));
  const removed = operationSites(base)
    .filter(({ operation }) => !kept.has(operation))
    .flatMap(({ method, path, operation }) => {
      const place = `${method.toUpperCase()} ${path}`;
      if (!isAnnounced(operation))
        return [
          {
            impact: 'major' as const,
            policy: true,
            place,
            message: `is gone without ${NOTICE_DAYS} days between x-deprecated-since and x-sunset`,
          },
        ];
      const sunset = operation['x-sunset'] ?? '';
      return today >= sunset
        ? []
        : [
            {
              impact: 'major' as const,
              policy: true,
              place,
              message: `is gone before its sunset on ${sunset}`,
            },
          ];
    });
  const moved = operationPairs(base, revision).flatMap(({ place, ...pair }) => {
    const [before, after] = [pair.base['x-sunset'], pair.revision['x-sunset']];
    if (before === undefined || after === undefined || after >= before) return [];
    return [
      {
        impact: 'major' as const,
        policy: true,
        place,
        message: `its sunset moved from ${before} to ${after}, which is earlier`,
      },
    ];
  });
  return [...removed, ...moved];
};

/** An announcement changes nothing yet; it is what permits the later removal. */
const deprecationChanged: DiffRule = (base, revision) =>
  operationPairs(base, revision).flatMap(({ place, ...pair }) => {
    const [before, after] = [pair.base.deprecated === true, pair.revision.deprecated === true];
    if (before === after) return [];
    return [
      {
        impact: 'minor',
        place,
        message: after
          ? `is deprecated and ends on ${pair.revision['x-sunset'] ?? 'no stated day'}`
          : 'is no longer deprecated',
      },
    ];
  });

/** A path parameter has no name on the wire, but it has one in the SDKs. */
const pathParameterRenamed: DiffRule = (base, revision) =>
  operationSitePairs(base, revision).flatMap(({ place, ...pair }) => {
    const [before, after] = [namesOf(pair.base.path), namesOf(pair.revision.path)];
    return before.flatMap((name, index) =>
      after[index] === name
        ? []
        : [{ impact: 'major', place, message: `path parameter ${name} became ${after[index] ?? ''}` }],
    );
  });

function namesOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '');
}

/** Callers that send no body are refused if the revision requires one. */
const requestBodyAdded: DiffRule = (base, revision) =>
  operationPairs(base, revision).flatMap(({ place, ...pair }) => {
    if (pair.base.requestBody !== undefined || pair.revision.requestBody === undefined) return [];
    const { required = false } = resolve<RequestBody>(revision, pair.revision.requestBody);
    return [{ impact: required ? 'major' : 'minor', place, message: required ? 'demands a body' : 'takes a body' }];
  });

type Contents = Readonly<
  Record<string, { readonly content: Readonly<Record<string, MediaType>>; readonly sent: boolean }>
>;

/** Without a schema anything may be sent, and nothing about the content is promised. */
const mediaSchemaChanged: DiffRule = (base, revision) =>
  operationPairs(base, revision).flatMap(({ place, ...pair }) => {
    const after = contentsOf(revision, pair.revision);
    return Object.entries(contentsOf(base, pair.base)).flatMap(([name, { content, sent }]) =>
      Object.entries(content).flatMap(([type, media]) => {
        const now = after[name]?.content[type];
        if (now === undefined || (media.schema === undefined) === (now.schema === undefined)) return [];
        const lost = now.schema === undefined;
        const impact: Impact = lost === sent ? 'minor' : 'major';
        return [{ impact, place, message: `${name} in ${type} ${lost ? 'lost its schema' : 'has a schema now'}` }];
      }),
    );
  });

function contentsOf(contract: Contract, operation: Partial<Operation>): Contents {
  const { requestBody, responses = {} } = operation;
  const answers = Object.entries(responses).map(
    ([status, node]) => [status, { content: resolve<Response>(contract, node).content ?? {}, sent: false }] as const,
  );
  const body =
    requestBody === undefined
      ? []
      : [['body', { content: resolve<RequestBody>(contract, requestBody).content, sent: true }] as const];
  return Object.fromEntries([...body, ...answers]);
}

/** The SDKs type the result of a method by the lowest success status of its operation. */
const answerChanged: DiffRule = (base, revision) =>
  operationPairs(base, revision).flatMap(({ place, ...pair }) => {
    const [before, after] = [lowestSuccess(pair.base), lowestSuccess(pair.revision)];
    if (before === undefined || before === after) return [];
    return [
      {
        impact: 'major',
        place,
        message: `the SDKs returned what came with ${before} and return what comes with ${after ?? 'nothing'}`,
      },
    ];
  });

function lowestSuccess({ responses = {} }: Partial<Operation>): string | undefined {
  return Object.keys(responses)
    .filter((status) => /^[23]/.test(status))
    .sort()[0];
}

/** Clients may rely on a header that every response carries. */
const headerCertaintyChanged: DiffRule = (base, revision) =>
  operationPairs(base, revision).flatMap(({ place, ...pair }) =>
    Object.entries(pair.base.responses ?? {}).flatMap(([status, node]) => {
      const answer = pair.revision.responses?.[status];
      if (answer === undefined) return [];
      const headers = resolve<Response>(revision, answer).headers ?? {};
      return Object.entries(resolve<Response>(base, node).headers ?? {}).flatMap(([name, before]) => {
        const after = headers[name];
        if (after === undefined) return [];
        const [was, is] = [
          resolve<Header>(base, before).required === true,
          resolve<Header>(revision, after).required === true,
        ];
        return was === is
          ? []
          : [
              {
                impact: was ? ('major' as const) : ('minor' as const),
                place,
                message: `${status} ${was ? 'may come without' : 'always carries'} ${name}`,
              },
            ];
      });
    }),
  );

export const operations: Readonly<Record<string, DiffRule>> = {
  'answer-changed': answerChanged,
  'deprecation-changed': deprecationChanged,
  'effective-security': effectiveSecurity,
  'header-certainty-changed': headerCertaintyChanged,
  'media-schema-changed': mediaSchemaChanged,
  'path-parameter-renamed': pathParameterRenamed,
  'request-body-added': requestBodyAdded,
  'sunset-policy': sunsetPolicy,
};
