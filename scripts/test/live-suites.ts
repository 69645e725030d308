/**
 * Runs the SDK suites, the README and the guide to the feed against a live service. A step of `make test`. Texts are
 * taken from the documents byte for byte, so a wrong document fails.
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LOGS, type Result, run, tail } from './command.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { pytest, vitest } from './runners.ts';

/**
 * Runs both SDK suites, the tour of the README and the client of the guide to the feed against one service, each as its
 * reader would start it.
 */
export async function liveSuites(): Promise<Result> {
  const service = await startLiveService('live');
  try {
    const env = { COMPLIANCE_LIVE: service.demo };
    const results = [
      await vitest('sdk-typescript-live', 'sdks/typescript/vitest.live.config.ts', env),
      await pytest('sdk-python-live', 'sdks/python', ['sdks/python/tests/live'], env),
      await liveTour(service),
      await liveFollowing(service),
    ];
    return {
      passed: results.reduce((sum, { passed }) => sum + passed, 0),
      failed: results.reduce((sum, { failed }) => sum + failed, 0),
      figures: [`service ready ${service.startMs} ms after its start on an empty data directory`],
      complaint: results.map(({ complaint }) => complaint ?? '').join('\n'),
    };
  } finally {
    await service.stop();
  }
}

const ROOT = resolve(import.meta.dirname, '../..');

/** Returns the three scripts of the README, byte for byte as printed. */
function scriptsOfReadme(): Readonly<Record<'sh' | 'mjs' | 'py', string>> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const block = (language: string, marker: string) => {
    const found = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))]
      .map(([, text]) => text!)
      .filter((text) => text.includes(marker));
    if (found.length !== 1)
      throw new Error(`README.md has ${found.length} ${language} blocks with "${marker}", not one`);
    return found[0]!;
  };
  return {
    sh: block('sh', 'oauth/token'),
    mjs: block('js', 'new ComplianceOnboarding'),
    py: block('python', 'import ComplianceOnboarding'),
  };
}

/**
 * Runs the tour of the README as its reader would: in an empty folder, with the built packages installed, each script
 * as printed. Each script must exit with 0 and write lines in the form that the README shows. All three act as one
 * consumer, so that later scripts find the events that are not acknowledged yet.
 */
async function liveTour(service: LiveService): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-tour-'));
  try {
    cpSync(service.demo, join(folder, 'demo.json'));
    cpSync(join(ROOT, 'docs/tour/proof-of-address.pdf'), join(folder, 'proof-of-address.pdf'));
    for (const [extension, text] of Object.entries(scriptsOfReadme()))
      writeFileSync(join(folder, `tour.${extension}`), text);
    const packages = readdirSync(join(ROOT, 'build/packages')).map((name) => join(ROOT, 'build/packages', name));
    const tarball = packages.find((path) => path.endsWith('.tgz'))!;
    const wheel = packages.find((path) => path.endsWith('.whl'))!;
    const steps = [
      ['tour-curl', 'sh tour.sh'],
      [
        'tour-typescript',
        `npm init --yes >/dev/null && npm install --no-audit --no-fund --loglevel=error ${tarball} ` +
          '>/dev/null && node tour.mjs',
      ],
      [
        'tour-python',
        `${join(ROOT, '.venv/bin/python')} -m venv --without-pip venv && ${join(ROOT, '.venv/bin/python')} -m pip ` +
          `--python venv install -q --disable-pip-version-check ${wheel} && venv/bin/python tour.py`,
      ],
    ] as const;
    const failures: string[] = [];
    for (const [name, script] of steps) {
      const { code, output } = await run(name, 'sh', ['-ec', `cd ${folder}\n${script}`]);
      if (code !== 0 || !AS_SHOWN.test(output.trim().replaceAll('+00:00', 'Z')))
        failures.push(`    ✗ ${name}\n${tail(output, 25)}`);
    }
    return { passed: steps.length - failures.length, failed: failures.length, complaint: failures.join('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Output of each script in the form that the README shows: the status of the document, then any number of events with
 * their instants.
 */
const AS_SHOWN = /^uploaded(?:\n\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z FUNDS_RECOVERY_[A-Z_]+)+$/;

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/follow-the-feed.mjs');
const RECOVERIES = 12;
/** Small, so that a kill happens within a page and between pages. */
const PAGE_SIZE = '7';

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;
interface Event {
  readonly eventId: string;
  readonly fundsRecoveryId: string;
}

/**
 * Runs the guide's client as its reader would, kills it twice in the middle, once deletes its cursor, and causes more
 * events meanwhile. In the end, the client must have processed every event of the feed exactly once.
 */
async function liveFollowing(service: LiveService): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-follow-'));
  const demo = JSON.parse(readFileSync(service.demo, 'utf8')) as Record<string, string>;
  const session = (await caller(service.baseUrl)('POST', '/v1/auth/login', {
    email: demo['email'],
    password: demo['password'],
  })) as { accessToken: string };
  const call = caller(service.baseUrl, session.accessToken);
  const { enabled } = (await call('GET', '/v1/sandbox')) as { enabled: boolean };
  try {
    if (!enabled) await call('POST', '/v1/sandbox/enable');
    const [follower, reader] = [await newConsumer(call), await newConsumer(call)];
    const processed = join(folder, 'processed.jsonl');
    const follow = (until: number) =>
      runUntil(folder, processed, until, {
        COMPLIANCE_BASE_URL: service.baseUrl,
        COMPLIANCE_CLIENT_ID: follower.id,
        COMPLIANCE_CLIENT_SECRET: follower.secret,
        PAGE_SIZE,
      });
    await simulate(call, RECOVERIES);
    await follow(10);
    await follow(25);
    rmSync(join(folder, 'cursor'), { force: true });
    await simulate(call, 3);
    const feed = await readAll(caller(service.baseUrl, await tokenOf(service.baseUrl, reader)));
    await follow(feed.length);
    const taken = lines(processed);
    const same = taken.length >= feed.length && feed.every(({ eventId }, index) => taken[index]?.eventId === eventId);
    const complaint = same
      ? ''
      : `    ✗ follow-the-feed.mjs processed ${taken.length} events, the feed has ${feed.length}, and they differ\n`;
    return { passed: same ? 1 : 0, failed: same ? 0 : 1, complaint };
  } catch (error) {
    return { passed: 0, failed: 1, complaint: `    ✗ follow-the-feed.mjs: ${String(error)}` };
  } finally {
    if (!enabled) await call('POST', '/v1/sandbox/disable');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the client and kills it with SIGKILL once it has processed `count` events. */
async function runUntil(
  folder: string,
  processed: string,
  count: number,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(process.execPath, [EXAMPLE], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = join(LOGS, 'follow-example.log');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
      appendFileSync(log, chunk);
    });
  const closed = new Promise((resolve) => child.once('close', resolve));
  for (
    const end = Date.now() + 60_000;
    lines(processed).length < count && child.exitCode === null && Date.now() < end;
  )
    await new Promise((resolve) => setTimeout(resolve, 2));
  child.kill('SIGKILL');
  await closed;
  if (lines(processed).length < count)
    throw new Error(`it stayed at ${lines(processed).length} of ${count} events\n${said.slice(-1500)}`);
}

function lines(file: string): Event[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Event)
    : [];
}

/** Starts recoveries and advances each by the next three steps of its course. */
async function simulate(call: Call, recoveries: number): Promise<void> {
  for (let n = 0; n < recoveries; n += 1) {
    const { effects } = (await call('POST', '/v1/sandbox/simulations', { type: 'funds_recovery_event' })) as {
      effects: { resource: { id: string } }[];
    };
    for (let step = 0; step < 3; step += 1)
      await call('POST', '/v1/sandbox/simulations', {
        type: 'funds_recovery_event',
        target: { type: 'funds_recovery', id: effects[0]!.resource.id },
      });
  }
}

async function readAll(call: Call): Promise<Event[]> {
  const events: Event[] = [];
  for (let query = '', more = true; more; ) {
    const page = (await call('GET', `/api/v1/funds-recovery/events${query}`)) as {
      events: Event[];
      cursor: string;
      hasMore: boolean;
    };
    events.push(...page.events);
    query = `?cursor=${page.cursor}`;
    more = page.hasMore;
  }
  return events;
}

interface Consumer {
  readonly id: string;
  readonly secret: string;
}

/**
 * Returns a consumer that has acknowledged nothing yet. An API key is an OAuth client whose id is the prefix of the
 * key.
 */
async function newConsumer(call: Call): Promise<Consumer> {
  const { apiKey, secret } = (await call('POST', '/v1/settings/api-keys', {
    name: 'Follower',
    environment: 'test',
    scopes: ['read'],
  })) as { apiKey: { prefix: string }; secret: string };
  return { id: apiKey.prefix, secret };
}

async function tokenOf(baseUrl: string, { id, secret }: Consumer): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  return ((await (await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body })).json()) as { access_token: string })
    .access_token;
}

function caller(baseUrl: string, token?: string): Call {
  return async (method, path, body) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
}
