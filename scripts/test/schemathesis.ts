/**
 * Runs Schemathesis against a live service with a fixed seed. A step of `make test`. Every failed check is a failure;
 * too few cases are one, too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../server/contract/generated/operations.ts';
import { LOGS, type Result, run, tail } from './command.ts';
import { startLiveService } from './live-service.ts';

const SEED = '20261121';
/**
 * Examples in all, divided among the operations, so that the run does not take longer when there are more operations.
 */
const EXAMPLES = 1000;
/** Examples of each operation in the full run. */
const FULL = 1000;
/** Least number of cases in all: fewer would mean that some operations were not reached. */
const LEAST = 2000;

interface Demo {
  readonly baseUrl: string;
  readonly email: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Part of text patterns that allows the joiners some scripts need within a word. Schemathesis cannot generate a string
 * of a given length from a choice between one character and several: it draws for seconds and often finds none. Without
 * this part, a string of the longest allowed length is found at once. test/api/hidden-characters.test.ts tests how the
 * service treats joiners.
 */
const JOINED = String.raw`|[\u0620-\u0dff](?:[\u200c\u200d][\u0620-\u0dff])+`;

/**
 * Longest list of formulas in a formula of signatures. Schemathesis draws trees of the twenty that the contract allows
 * for minutes; test/api/powers.test.ts sends those that are too deep or name too many.
 */
const MOST_FORMULAS = 2;

/**
 * Writes the contract as the service publishes it, with patterns from which strings of any length can be generated and
 * with smaller formulas; returns the path of the file.
 */
async function contractOf({ baseUrl }: Demo): Promise<string> {
  const published = await (await fetch(`${baseUrl}/openapi.json`)).text();
  let found = 0;
  const contract: unknown = JSON.parse(published, (key, value: unknown) => {
    if (key === 'PowerFormulas' && typeof value === 'object') return { ...value, maxItems: MOST_FORMULAS };
    if (key !== 'pattern' || typeof value !== 'string' || !value.includes(JOINED)) return value;
    found += 1;
    return value.replaceAll(JOINED, '');
  });
  if (found === 0)
    throw new Error(
      'no pattern of the contract has the joiners that are taken out for Schemathesis: see ' +
        'scripts/test/schemathesis.ts',
    );
  const file = join(LOGS, 'schemathesis.openapi.json');
  writeFileSync(file, JSON.stringify(contract));
  return file;
}

/** Runs all checks and all phases of Schemathesis with a fixed seed; every failed check is a failure. */
export async function schemathesis(full: boolean): Promise<Result> {
  // The operations that find persons by a tax number exceed the look-ups that one caller is allowed per minute.
  const service = await startLiveService('schemathesis', { RATE_LIMIT_LOOKUPS: '1000000' });
  try {
    const demo = JSON.parse(readFileSync(service.demo, 'utf8')) as Demo;
    const env = {
      BASE_URL: service.baseUrl,
      CLIENT_TOKEN: await clientToken(demo),
      CLIENT_BASIC: Buffer.from(`${demo.clientId}:${demo.clientSecret}`).toString('base64'),
      USER_TOKEN: await userToken(demo),
      LEAVING_USER_TOKEN: await userToken(demo),
    };
    const report = join(LOGS, 'schemathesis.xml');
    const { code, output } = await run(
      'schemathesis',
      '.venv/bin/st',
      [
        '--config-file',
        'scripts/test/schemathesis.toml',
        'run',
        await contractOf(demo),
        '--url',
        service.baseUrl,
        '--seed',
        SEED,
        '--max-examples',
        String(full ? FULL : Math.ceil(EXAMPLES / Object.keys(operations).length)),
        '--report',
        'junit',
        '--report-junit-path',
        report,
        '--no-color',
      ],
      env,
    );
    const cases = /(\d+) generated/.exec(output)?.[1] ?? '0';
    const failures = Number(/(\d+) unique failures/.exec(output)?.[1] ?? (code === 0 ? 0 : 1));
    const enough = Number(cases) >= LEAST;
    return {
      passed: code === 0 && enough ? 1 : 0,
      failed: Math.max(failures, code === 0 && enough ? 0 : 1),
      figures: [`${cases} cases, seed ${SEED}, ${failures} failures`],
      complaint: tail(output, 120),
    };
  } finally {
    await service.stop();
  }
}

async function clientToken({ baseUrl, clientId, clientSecret }: Demo): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const answer = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function userToken({ baseUrl, email, password }: Demo): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}
