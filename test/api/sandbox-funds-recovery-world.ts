import type { components } from '../../server/contract/generated/types.ts';
import type { Role } from '../../server/simulators/directory/index.ts';
import { success } from '../support/api.ts';
import { named } from '../support/courses.ts';
import { startTestService, type Answer, type Call, type Options, type Tenant, type TestService } from '../support/service.ts';

type Schemas = components['schemas'];
export type ScenarioRun = Schemas['ScenarioRun'];
export type FeedEvent = Schemas['FundsRecoveryEvent'];
export type ScenarioStart = Partial<Schemas['ScenarioStart']>;
export type DirectoryFault = Schemas['DirectoryFault'];

const base = '/v1/sandbox/funds-recovery';

/** The whole service with the directory of the sandboxes, used by its public API alone; its timers stand still. */
export class PlayWorld {
  readonly service: TestService;

  private constructor(service: TestService) {
    this.service = service;
  }

  static async start(options: Options = {}): Promise<PlayWorld> {
    return new PlayWorld(await startTestService({ directory: true, ...options }));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** The sandbox of a new tenant, switched on. */
  async sandbox(): Promise<PlayedSandbox> {
    const sandbox = new PlayedSandbox(this.service, await this.service.tenant());
    await sandbox.turn('enable');
    return sandbox;
  }
}

/** One tenant's sandbox, as its developers use it. */
export class PlayedSandbox {
  readonly #service: TestService;
  readonly tenant: Tenant;

  constructor(service: TestService, tenant: Tenant) {
    this.#service = service;
    this.tenant = tenant;
  }

  async call<T>(method: string, path: string, body?: object, more: Call = {}): Promise<Answer<T>> {
    return this.#service.request<T>(method, path, { as: await this.tenant.key(['admin']), ...body && { body }, ...more });
  }

  turn(to: 'enable' | 'disable'): Promise<Answer> {
    return this.call('POST', `/v1/sandbox/${to}`);
  }

  reset(): Promise<Answer> {
    return this.call('DELETE', '/v1/sandbox/data');
  }

  begin<T = ScenarioRun>(body: ScenarioStart | object, more: Call = {}): Promise<Answer<T>> {
    return this.call<T>('POST', `${base}/scenarios`, body, more);
  }

  async started(scenario: string, body: ScenarioStart = {}): Promise<ScenarioRun> {
    return done(await this.begin({ scenario, ...body }), 202);
  }

  run<T = ScenarioRun>(runId: string): Promise<Answer<T>> {
    return this.call<T>('GET', `${base}/runs/${runId}`);
  }

  advance<T = ScenarioRun>(runId: string, body: object): Promise<Answer<T>> {
    return this.call<T>('POST', `${base}/runs/${runId}/advance`, body);
  }

  async advanced(runId: string, by: string | 'toNextEvent'): Promise<ScenarioRun> {
    return done(await this.advance(runId, by === 'toNextEvent' ? { toNextEvent: true } : { by }), 200);
  }

  /** To the next event and the next, until none follows. */
  async toTheEnd({ runId }: ScenarioRun): Promise<ScenarioRun> {
    for (;;) {
      const run = await this.advanced(runId, 'toNextEvent');
      // What is read too late is another course.
      await this.caughtUp();
      if (run.finished) return run;
    }
  }

  arm<T = Schemas['ArmedFault']>(body: object): Promise<Answer<T>> {
    return this.call<T>('POST', `${base}/faults`, body);
  }

  /** Everything from the beginning, by a reader who has acknowledged nothing. */
  async feed(): Promise<FeedEvent[]> {
    const as = await this.tenant.client(['read'], { environment: 'test' });
    const { events } = done(await success(this.#service.api.GET('/api/v1/funds-recovery/events', { params: { query: { limit: 200 } }, headers: as })), 200);
    return events;
  }

  /** What the feed says, as the scenarios put it. */
  async told(): Promise<string[]> {
    return toldOf(await this.feed());
  }

  /** Until the feed carries what has happened by now: however slow this machine is, an answer waits for that three seconds at most. */
  caughtUp(): Promise<void> {
    return this.#service.running.services.ingestion.pollNow(this.tenant.id);
  }

  /** Until nothing is being read for this sandbox any more. */
  settled(): Promise<void> {
    return this.#service.running.services.ingestion.settled(this.tenant.id);
  }
}

/** The body, if it is the answer that was meant to come. */
export function done<T>({ status, body, text }: Answer<T>, expected: number): T {
  if (status !== expected) throw new Error(text);
  return body;
}

/** What an event says, as the scenarios put it: of which report it is, and how that ended. */
export function toldOf(events: readonly FeedEvent[]): string[] {
  return events.map(({ eventType, rawPayload }) => {
    const { InfractionReports: reports, Refunds: refunds } = (rawPayload ?? {}) as Readonly<Record<string, readonly Readonly<Record<string, string>>[] | undefined>>;
    const isAnswer = eventType.endsWith('COUNTERPARTY_ANALYSED') || eventType.endsWith('REFUND_CLOSED');
    const result = isAnswer ? (refunds ?? reports)?.[0]?.['AnalysisResult'] : undefined;
    return eventType.replace('FUNDS_RECOVERY_', '') + (result === undefined ? '' : ` ${result}`);
  });
}

export const expectedOf = (name: string, role: Role): string[] => named(name).expected(role)
  .map(({ eventType, result }) => eventType.replace('FUNDS_RECOVERY_', '') + (result === null ? '' : ` ${result}`));
