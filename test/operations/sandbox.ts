/** How tests call the operations on the sandbox and on recoveries. Part of the table in test/operations.ts. */
import { success } from '../support/api.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { takeInRecovery } from '../support/recoveries.ts';
import type { Calls } from './call.ts';
import { newRun } from './records.ts';

/**
 * Calls of the sandbox, its directory, and the recoveries of funds. Changing a clock or a directory would disturb other
 * tests.
 */
export const sandboxCalls: Calls<
  | 'getSandbox'
  | 'enableSandbox'
  | 'disableSandbox'
  | 'deleteSandboxData'
  | 'createSimulation'
  | 'listRecoveryScenarios'
  | 'startRecoveryScenario'
  | 'getRecoveryRun'
  | 'advanceRecoveryRun'
  | 'armDirectoryFault'
  | 'listFundsRecoveries'
  | 'exportFundsRecoveries'
  | 'getFundsRecoveryStatistics'
  | 'getFundsRecovery'
  | 'listFundsRecoveryTimeline'
  | 'eraseFundsRecoveryPayloads'
  | 'listInfractionReports'
  | 'listRefunds'
  | 'getTrackingGraph'
  | 'listFundsRecoveryEvents'
  | 'getFundsRecoveryEventSchedule'
  | 'getFundsRecoveryEventPosition'
  | 'acknowledgeFundsRecoveryEvents'
> = {
  getSandbox: {},
  enableSandbox: { arrange: async (service) => ({ tenant: await service.tenant() }) },
  disableSandbox: { arrange: async (service) => ({ tenant: await withSandbox(service) }) },
  deleteSandboxData: {},
  createSimulation: {
    arrange: async (service) => ({ tenant: await withSandbox(service) }),
    body: () => ({ type: 'advance_clock', parameters: { seconds: 2_592_000 } }),
    otherBody: () => ({ type: 'funds_recovery_event', parameters: { eventType: 'FUNDS_RECOVERY_CREATED' } }),
    except: {
      '/target': 'it would name a record that a simulation made',
      '/parameters/listId': 'it goes with a target',
      '/parameters/registryChange': 'it goes with a target',
    },
  },

  listRecoveryScenarios: {},
  startRecoveryScenario: {
    arrange: async (service) => ({ tenant: await withSandbox(service) }),
    body: () => ({
      scenario: 'happy-path',
      role: 'SENT',
      amount: { amount: 81_240, currency: 'BRL' },
      pace: 'stepped',
      onTimeout: 'AUTO_AGREE',
      situationType: 'COERCION',
      refundReason: 'FRAUD',
      documents: 'COMPLETE',
    }),
    otherBody: () => ({
      scenario: 'root-rejected',
      role: 'RECEIVED',
      amount: { amount: 500_00, currency: 'BRL' },
      pace: 'realtime',
      onTimeout: 'NONE',
      situationType: 'SCAM',
      refundReason: 'OPERATIONAL_FLAW',
      rejectionReason: 'NO_BALANCE',
      documents: 'MINIMAL',
    }),
    except: { '/refusal': 'with it no recovery begins', '/amount/currency': 'Pix knows one currency' },
  },
  getRecoveryRun: {},
  advanceRecoveryRun: {
    arrange: async (service) => {
      const tenant = await withSandbox(service);
      return { tenant, params: { runId: await newRun(service, tenant) } };
    },
    body: () => ({ by: 'PT72H' }),
    otherBody: () => ({ toNextEvent: true }),
  },
  armDirectoryFault: {
    arrange: async (service) => ({ tenant: await withSandbox(service) }),
    body: () => ({ kind: 'wrong_signature', count: 2 }),
    otherBody: () => ({ kind: 'slow', count: 1 }),
  },

  listFundsRecoveries: {},
  exportFundsRecoveries: {},
  getFundsRecoveryStatistics: {},
  getFundsRecovery: {},
  listFundsRecoveryTimeline: {},
  eraseFundsRecoveryPayloads: {},
  listInfractionReports: {},
  listRefunds: {},
  getTrackingGraph: {},
  listFundsRecoveryEvents: {},
  getFundsRecoveryEventSchedule: {},
  getFundsRecoveryEventPosition: {},
  acknowledgeFundsRecoveryEvents: {
    arrange: async (service, tenant) => {
      const { as } = await tenant.person('owner');
      await takeInRecovery(service.database.database, tenant.id);
      const {
        body: { cursor },
      } = await success(service.api.GET('/api/v1/funds-recovery/events', { headers: as }));
      return { as, body: { cursor: cursor ?? '' } };
    },
    body: () => ({}),
    otherBody: () => ({}),
  },
};

async function withSandbox(service: TestService): Promise<Tenant> {
  const tenant = await service.tenant();
  await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant.id]);
  return tenant;
}
