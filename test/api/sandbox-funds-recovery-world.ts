/** Fixture of the tests that start and advance simulated recoveries through the API. */
import type { Role } from '../../server/simulators/directory/index.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { success, type Api } from '../support/api.ts';
import { named } from '../support/courses.ts';
import {
  startTestService,
  type Answer,
  type Credential,
  type Options,
  type Tenant,
  type TestService,
} from '../support/service.ts';

type Schemas = components['schemas'];
export type ScenarioRun = Schemas['ScenarioRun'];
export type FeedEvent = Schemas['FundsRecoveryEvent'];
type ScenarioStart = Schemas['ScenarioStart'];
type DirectoryFault = Schemas['DirectoryFault'];

const base = '/v1/sandbox/funds-recovery';

/**
 * A service with the simulated directory of its sandboxes, used through its public API alone; its timers do not run.
 */
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

  /** Returns the sandbox of a new tenant, switched on. */
  async sandbox(): Promise<PlayedSandbox> {
    const sandbox = new PlayedSandbox(this.service, await this.service.tenant());
    await sandbox.switchTo('enable');
    return sandbox;
  }
}

/** A tenant's sandbox, as its developers use it. */
export class PlayedSandbox {
  readonly #service: TestService;
  readonly api: Api;
  readonly tenant: Tenant;

  constructor(service: TestService, tenant: Tenant) {
    this.#service = service;
    this.api = service.api;
    this.tenant = tenant;
  }

  /** Returns the headers of a key with all rights. */
  async admin(): Promise<{ readonly headers: Credential }> {
    return { headers: await this.tenant.key(['admin']) };
  }

  /** Sends a body that the contract may forbid. */
  async post(path: `/${string}`, body: object): Promise<Answer<unknown>> {
    return this.#service.request('POST', `${base}${path}`, { as: await this.tenant.key(['admin']), body });
  }

  async switchTo(to: 'enable' | 'disable') {
    return success(this.api.POST(`/v1/sandbox/${to}`, await this.admin()));
  }

  async reset() {
    return success(this.api.DELETE('/v1/sandbox/data', await this.admin()));
  }

  /** Requests the start of a simulated recovery. */
  async startScenario(body: ScenarioStart) {
    return this.api.POST(`${base}/scenarios`, { ...(await this.admin()), body });
  }

  /** Starts a simulated recovery and returns its run. */
  async started(scenario: string, body: Partial<ScenarioStart> = {}): Promise<ScenarioRun> {
    return (await success(this.startScenario({ scenario, ...body }))).body;
  }

  async run(runId: string, headers?: Credential) {
    return this.api.GET(`${base}/runs/{runId}`, {
      ...(await this.admin()),
      ...(headers && { headers }),
      params: { path: { runId } },
    });
  }

  async advance(runId: string, body: Schemas['RunAdvance']) {
    return this.api.POST(`${base}/runs/{runId}/advance`, {
      ...(await this.admin()),
      params: { path: { runId } },
      body,
    });
  }

  /** Advances the clock of the sandbox and returns the run. */
  async advanced(runId: string, by: string | 'toNextEvent'): Promise<ScenarioRun> {
    return (await success(this.advance(runId, by === 'toNextEvent' ? { toNextEvent: true } : { by }))).body;
  }

  /** Advances to each next event until none follows. */
  async toTheEnd({ runId }: ScenarioRun): Promise<ScenarioRun> {
    for (;;) {
      const run = await this.advanced(runId, 'toNextEvent');
      // A late read would change the course of the run.
      await this.caughtUp();
      if (run.finished) return run;
    }
  }

  /** Requests a fault of the next responses of the directory. */
  async arm(body: DirectoryFault) {
    return this.api.POST(`${base}/faults`, { ...(await this.admin()), body });
  }

  /** Returns the whole feed, read by a consumer that has acknowledged nothing. */
  async feed(): Promise<FeedEvent[]> {
    const as = await this.tenant.client(['read'], { environment: 'test' });
    return (
      await success(this.api.GET('/api/v1/funds-recovery/events', { params: { query: { limit: 200 } }, headers: as }))
    ).body.events;
  }

  /** Returns the events of the feed in the notation of the scenarios. */
  async published(): Promise<string[]> {
    return notationOf(await this.feed());
  }

  /**
   * Waits until the feed contains everything up to now; answers of the API wait for this at most three seconds, however
   * slow the machine is.
   */
  caughtUp(): Promise<void> {
    return this.#service.running.services.ingestion.pollNow(this.tenant.id);
  }

  /** Waits until no read for this sandbox is in progress. */
  settled(): Promise<void> {
    return this.#service.running.services.ingestion.settled(this.tenant.id);
  }
}

/** Returns events in the notation of the scenarios, with the kind of their report and its result. */
export function notationOf(events: readonly FeedEvent[]): string[] {
  return events.map(({ eventType, rawPayload }) => {
    const { InfractionReports: reports, Refunds: refunds } = (rawPayload ?? {}) as Readonly<
      Record<string, readonly Readonly<Record<string, string>>[] | undefined>
    >;
    const isAnswer = eventType.endsWith('COUNTERPARTY_ANALYSED') || eventType.endsWith('REFUND_CLOSED');
    const result = isAnswer ? (refunds ?? reports)?.[0]?.['AnalysisResult'] : undefined;
    return eventType.replace('FUNDS_RECOVERY_', '') + (result === undefined ? '' : ` ${result}`);
  });
}

export const expectedOf = (name: string, role: Role): string[] =>
  named(name)
    .expected(role)
    .map(({ eventType, result }) => eventType.replace('FUNDS_RECOVERY_', '') + (result === null ? '' : ` ${result}`));
