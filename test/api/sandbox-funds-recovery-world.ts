import type { Role } from '../../server/simulators/directory/index.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { success, type Api } from '../support/api.ts';
import { named } from '../support/courses.ts';
import { startTestService, type Answer, type Credential, type Options, type Tenant, type TestService } from '../support/service.ts';

type Schemas = components['schemas'];
export type ScenarioRun = Schemas['ScenarioRun'];
export type FeedEvent = Schemas['FundsRecoveryEvent'];
type ScenarioStart = Schemas['ScenarioStart'];
type DirectoryFault = Schemas['DirectoryFault'];

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
  readonly api: Api;
  readonly tenant: Tenant;

  constructor(service: TestService, tenant: Tenant) {
    this.#service = service;
    this.api = service.api;
    this.tenant = tenant;
  }

  /** The headers of a key that may do everything. */
  async admin(): Promise<{ readonly headers: Credential }> {
    return { headers: await this.tenant.key(['admin']) };
  }

  /** A body that the contract does not allow. */
  async post(path: `/${string}`, body: object): Promise<Answer<unknown>> {
    return this.#service.request('POST', `${base}${path}`, { as: await this.tenant.key(['admin']), body });
  }

  async turn(to: 'enable' | 'disable') {
    return success(this.api.POST(`/v1/sandbox/${to}`, await this.admin()));
  }

  async reset() {
    return success(this.api.DELETE('/v1/sandbox/data', await this.admin()));
  }

  async begin(body: ScenarioStart) {
    return this.api.POST(`${base}/scenarios`, { ...await this.admin(), body });
  }

  async started(scenario: string, body: Partial<ScenarioStart> = {}): Promise<ScenarioRun> {
    return (await success(this.begin({ scenario, ...body }))).body;
  }

  async run(runId: string, headers?: Credential) {
    return this.api.GET(`${base}/runs/{runId}`, { ...await this.admin(), ...headers && { headers }, params: { path: { runId } } });
  }

  async advance(runId: string, body: Schemas['RunAdvance']) {
    return this.api.POST(`${base}/runs/{runId}/advance`, { ...await this.admin(), params: { path: { runId } }, body });
  }

  async advanced(runId: string, by: string | 'toNextEvent'): Promise<ScenarioRun> {
    return (await success(this.advance(runId, by === 'toNextEvent' ? { toNextEvent: true } : { by }))).body;
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

  async arm(body: DirectoryFault) {
    return this.api.POST(`${base}/faults`, { ...await this.admin(), body });
  }

  /** Everything from the beginning, by a reader who has acknowledged nothing. */
  async feed(): Promise<FeedEvent[]> {
    const as = await this.tenant.client(['read'], { environment: 'test' });
    return (await success(this.api.GET('/api/v1/funds-recovery/events', { params: { query: { limit: 200 } }, headers: as }))).body.events;
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
