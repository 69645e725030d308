/** Fixture of the tests of `DELETE /v1/sandbox/data`: fills, resets and inspects the records of a tenant. */
import type { Environment } from '../../server/contract/operation.ts';
import { publishEvents } from '../../server/modules/recovery-feed/publish.ts';
import { appendCommand, armFault } from '../../server/simulators/directory/index.ts';
import { newCase, newNote, newResolution } from '../operations/case-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newEvaluation, newPower } from '../operations/powers.ts';
import { newDifference } from '../operations/registry.ts';
import { fillRisk } from '../operations/risk-records.ts';
import { newAlert, newAllowlistEntry, newHitDecision, newOwnList } from '../operations/screening-records.ts';
import {
  newApplication,
  newAttestation,
  newConsent,
  newDecision,
  newDocument,
  newInformationRequest,
  newWaiver,
} from '../operations/application-records.ts';
import { newReportWithDocument } from '../operations/report-records.ts';
import { newFrames, newVerification } from '../operations/verification-records.ts';
import {
  newBatch,
  newIncident,
  newLockedJob,
  newMessageOnItsWay,
  newTimedInstance,
  newUncomputedInstance,
  newWaitingInstance,
} from '../operations/workflow-records.ts';
import { success } from '../support/api.ts';
import { insertDirectoryRows } from '../support/directory-traces.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import { fileDigests } from '../support/production.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';

/** Starts a service, and returns functions that fill, reset and inspect the sandboxes of its tenants. */
export async function startSandboxResetWorld() {
  const service = await useService();
  async function reset(tenant: Tenant) {
    return success(service.api.DELETE('/v1/sandbox/data', { headers: await tenant.key(['admin']) }));
  }
  const switchSandbox = async (tenant: Tenant, to: 'enable' | 'disable') =>
    success(service.api.POST(`/v1/sandbox/${to}`, { headers: await tenant.key(['admin']) }));
  const feed = (as: Credential, query: { cursor?: string; limit?: number } = {}) =>
    service.api.GET('/api/v1/funds-recovery/events', { params: { query }, headers: as });
  const cursorOf = async (as: Credential, limit?: number): Promise<string> =>
    (await success(feed(as, limit === undefined ? {} : { limit }))).body.cursor ?? '';
  const publish = (tenant: Tenant, environment: Environment, count: number) =>
    service.database.database.transaction({ tenantId: tenant.id }, (tx) =>
      publishEvents(tx, environment, recoveryEvents(count)),
    );
  const files = () => fileDigests(service.running.services.config.dataDir);
  /** Returns all events of the open audit logs. Those of the tenant acme are last, because a reset appends to them. */
  const auditEvents = () =>
    service.database.sql(
      `SELECT to_jsonb(e)::text AS event FROM audit_event e WHERE chain = 'open'
        ORDER BY tenant_id = $1, tenant_id, sequence`,
      [service.acme.id],
    );
  /** Writes to the simulated directory of a tenant's sandbox, whether or not the sandbox is enabled. */
  const writeToSandboxDirectory = (tenant: Tenant) =>
    service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
      await appendCommand(tx, new Date(), { type: 'DROP_NOTIFICATIONS', count: 1 });
      await armFault(tx, new Date(), 'slow', 1);
    });
  /** Simulates an update of a watch list by an entry that matches the applicant of an alert. */
  async function simulateEntry(tenant: Tenant, alertId: string): Promise<void> {
    const [alert] = await service.database.sql<{ application_id: string }>(
      'SELECT application_id FROM monitoring_alert WHERE id = $1',
      [alertId],
    );
    await success(
      service.api.POST('/v1/sandbox/simulations', {
        headers: await tenant.key(['admin']),
        body: { type: 'list_update_hit', target: { type: 'application', id: alert!.application_id } },
      }),
      202,
    );
  }
  /**
   * Creates, in one environment of a tenant, in this order:
   * - in the sandbox only, a command and a fault of the simulated directory;
   * - the rows that following the directory stores;
   * - two applications with a deleted document, a document, an attestation, a consent and a waiver each;
   * - a case of the second of these with a report that has a document;
   * - a verification, and a challenge with its frames;
   * - an application with a decision that awaits its second review, and one with a request for information;
   * - an alert and, in the sandbox only, a simulated list entry that matches its applicant;
   * - an allowlist entry, a decision on a hit, and a watch list of the tenant;
   * - an assessment of a risk with an override, and a model that is active after a backtest and a re-assessment;
   * - a case with a note, and one with a resolution that waits for its second review;
   * - a business with owners, the draft of a power, a signing evaluation, and an answer of its registry with a
   *   difference and, in the sandbox only, a simulated change of it;
   * - instances of processes: with an incident, a timer, a message that it waits for, a step to compute, and
   *   work that a worker has locked; a batch over instances, and a message that a process has sent;
   * - three events of the feed, a stored response of an idempotent request, and an acknowledged cursor of the feed.
   *
   * The sandbox must be enabled if, and only if, `environment` is `sandbox`, because API requests use the switch.
   */
  async function fill(tenant: Tenant, environment: Environment): Promise<void> {
    if (environment === 'sandbox') await writeToSandboxDirectory(tenant);
    await insertDirectoryRows(service.database.database, tenant.id, environment);
    const as = await tenant.key(['write']);
    for (let i = 0; i < 2; i++) {
      const id = await newApplication(service, tenant, as);
      const documentId = await newDocument(service, tenant, id, as);
      await success(
        service.api.DELETE('/v1/applications/{applicationId}/documents/{documentId}', {
          params: { path: { applicationId: id, documentId } },
          headers: as,
        }),
        204,
      );
      await newAttestation(service, tenant, id, await newDocument(service, tenant, id, as));
      await newConsent(service, tenant, id, as);
      await newWaiver(service, tenant, id);
      if (i === 1)
        await newReportWithDocument(service, tenant, await newCase(service, tenant, { applicationId: id, as }));
    }
    await newVerification(service, tenant, as);
    await newFrames(service, tenant, as);
    await newDecision(service, tenant);
    await newInformationRequest(service, tenant);
    const alertId = await newAlert(service, tenant);
    if (environment === 'sandbox') await simulateEntry(tenant, alertId);
    // Keys of the sandbox are called test keys.
    const keyEnvironment = environment === 'live' ? 'live' : 'test';
    await newAllowlistEntry(service, tenant, await tenant.key(['screening'], { environment: keyEnvironment }));
    await newHitDecision(service, tenant, await tenant.key(['screening'], { environment: keyEnvironment }));
    await newOwnList(service, tenant);
    await fillRisk(service, tenant);
    await newNote(service, tenant, await newCase(service, tenant));
    await newResolution(service, tenant);
    const kyb = await tenant.key(['kyb'], { environment: keyEnvironment });
    const businessId = await newOwnedBusiness(service, tenant, kyb);
    await newPower(service, tenant, businessId, { as: kyb });
    await newEvaluation(service, tenant, businessId, { as: kyb });
    await service.request('POST', `/v1/businesses/${businessId}/registry`, { as: kyb });
    await newDifference(service, tenant, businessId);
    if (environment === 'sandbox')
      await success(
        service.api.POST('/v1/sandbox/simulations', {
          headers: await tenant.key(['admin']),
          body: { type: 'registry_change', target: { type: 'business', id: businessId } },
        }),
        202,
      );
    await service.request('POST', `/v1/businesses/${businessId}/parties/applications`, {
      as: kyb,
      body: { parties: [{ partyKey: 'ana', fullName: 'Ana Souza' }] },
    });
    await newIncident(service, tenant);
    await newTimedInstance(service, tenant);
    await newWaitingInstance(service, tenant);
    await newUncomputedInstance(service, tenant);
    await newLockedJob(service, tenant);
    await newBatch(service, tenant);
    await newMessageOnItsWay(service, tenant);
    await publish(tenant, environment, 3);
    await success(
      service.api.POST('/v1/applications', {
        headers: { ...as, 'Idempotency-Key': `once-${environment}` },
        body: { purpose: 'other', applicant: { fullName: 'Maria da Silva' } },
      }),
    );
    const client = await tenant.client(['read']);
    await success(feed(client, { cursor: await cursorOf(client) }));
  }
  return {
    service,
    reset,
    switchSandbox,
    feed,
    cursorOf,
    publish,
    files,
    auditEvents,
    fill,
  };
}
