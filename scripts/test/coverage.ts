/**
 * Compares what the services of a test run answered with the contract. A step of `make test`. A documented answer that
 * was never seen is a failure, and so is an undocumented one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { Routes } from '../../server/request/routes.ts';
import { type Recording, RECORDINGS } from '../../test/support/recordings.ts';
import { type Contract, type Example, METHODS, type Reference, resolve, type Response } from '../contract/contract.ts';
import { STATUSES } from '../contract/format/implied.ts';
import { projectContract } from '../contract/project.ts';
import { writeAnswers } from '../quick/answers.ts';
import type { Result } from './command.ts';
import { secondsOf } from './runners.ts';

const all = Object.values(operations) as readonly Operation[];
const ROOT = join(import.meta.dirname, '../..');

/** Status recorded if the client disconnected before a response. */
const CLIENT_GONE = 499;

/**
 * Compares the responses of the services of the test run with the contract: every operation, every documented status,
 * each of its media types and every problem that the operation shows must have been seen, and no undocumented status.
 * Records for `make quick` which test file called which operation.
 */
export async function coverage(): Promise<Result> {
  const recordings = readRecordings();
  writeAnswers(ROOT, recordings, secondsOf('service', ROOT));
  return judge(recordings);
}

export function judge(recordings: readonly Recording[]): Result {
  const codes = documentedCodes();
  const documented = new Set([...documentedPairs(), ...codes]);
  const mediaTypes = received(recordings, 'mediaTypes');
  const seen = new Set([
    ...statusesOf(recordings),
    ...statusesOfSealed(mediaTypes),
    ...mediaTypes,
    ...received(recordings, 'codes'),
  ]);
  const missing = [...documented].filter((pair) => !seen.has(pair));
  const undocumented = [...statusesOf(recordings)].filter((pair) => !documented.has(pair));
  const operationsSeen = all.filter(({ operationId }) =>
    [...seen].some((pair) => pair.startsWith(`${operationId} `)),
  ).length;
  const figure =
    `operations ${operationsSeen}/${all.length}, statuses ${share(documented, missing, isStatus)}, media types ` +
    `${share(documented, missing, isMediaType)}, problems ${share(codes, missing, (line) => codes.has(line))}`;
  return {
    passed: documented.size - missing.length,
    failed: missing.length + undocumented.length,
    figures: [figure],
    complaint: [
      ...(recordings.length === 0 ? ['    ✗ there are no recordings: run the service tests first'] : []),
      ...missing.map((pair) => `    ✗ never seen: ${pair}`),
      ...undocumented.map((pair) => `    ✗ answered but not documented: ${pair}`),
    ].join('\n'),
  };
}

function readRecordings(): readonly Recording[] {
  try {
    return readdirSync(RECORDINGS).map((name) => JSON.parse(readFileSync(join(RECORDINGS, name), 'utf8')) as Recording);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns entries such as `getSandbox 200` and `getSandbox 200 application/json`. */
function documentedPairs(): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, types]) => [
        `${operationId} ${status}`,
        ...types.map((type) => `${operationId} ${status} ${type}`),
      ]),
    ),
  );
}

function statusesOf(recordings: readonly Recording[]): ReadonlySet<string> {
  const known = new Set<string>(all.map(({ operationId }) => operationId));
  return new Set(
    recordings
      .flatMap(({ answers }) => answers)
      .filter(({ operation, status }) => known.has(operation) && status !== CLIENT_GONE)
      .map(({ operation, status }) => `${operation} ${status}`),
  );
}

/**
 * Returns the statuses of sealed operations by the path of the request, because the service itself counts a refusal to
 * whom they do not exist for among the unknown paths.
 */
function statusesOfSealed(mediaTypes: ReadonlySet<string>): readonly string[] {
  return all
    .filter(({ sealed }) => sealed.length > 0)
    .flatMap(({ operationId }) => [...mediaTypes].filter((line) => line.startsWith(`${operationId} `)))
    .map((line) => line.split(' ', 2).join(' '));
}

function received(recordings: readonly Recording[], what: 'mediaTypes' | 'codes'): ReadonlySet<string> {
  const routes = new Routes<string>();
  for (const { method, path, operationId } of all) routes.add(method.toUpperCase(), path, operationId);
  return new Set(
    recordings
      .flatMap((recording) => recording[what])
      .flatMap((line) => {
        const [method = '', path = '', status, value] = line.split(' ');
        const operation = routes.find(path)?.methods.get(method);
        return operation === undefined ? [] : [`${operation} ${status} ${value}`];
      }),
  );
}

const isStatus = (pair: string): boolean => pair.split(' ').length === 2;
const isMediaType = (pair: string): boolean => pair.includes('/');

function share(documented: ReadonlySet<string>, missing: readonly string[], kind: (pair: string) => boolean): string {
  const total = [...documented].filter(kind).length;
  return `${total - missing.filter(kind).length}/${total}`;
}

const PROBLEM = 'application/problem+json';

/**
 * Shared responses that describe what any operation may return, although some operations cannot return each of their
 * codes.
 */
const GENERAL: ReadonlySet<string> = new Set([
  ...STATUSES.map(({ response }) => response).filter((name) => name !== 'UnprocessableOrKeyReused'),
  'TooManyMails',
  'KeyRevoked',
  'DirectoryConflict',
  'OAuthBadRequest',
  'OAuthInvalidClient',
  'OAuthTooManyRequests',
  'OAuthUnavailable',
]);

/** Returns the problems that an operation shows as examples of its own, as `goLive 409 already_live`. */
export function documentedCodes(): ReadonlySet<string> {
  const contract = projectContract();
  return new Set(
    Object.values(contract.paths)
      .flatMap((item) => METHODS.flatMap((method) => item[method] ?? []))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, node]) =>
          ('$ref' in node && GENERAL.has(node.$ref.split('/').at(-1) ?? '')
            ? []
            : Object.values(resolve<Response>(contract, node).content?.[PROBLEM]?.examples ?? {})
          ).map((example) => `${operationId} ${status} ${codeOf(contract, example)}`),
        ),
      ),
  );
}

function codeOf(contract: Contract, example: Example | Reference): string {
  return (resolve(contract, example).value as { code: string }).code;
}
