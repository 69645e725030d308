/** How tests call the operations on monitoring. Part of the table in test/operations.ts. */
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { ALGORITHM } from '../../server/screening/engine/screening-engine.ts';
import type { Calls } from './call.ts';
import { newUnwatchedApplication } from './screening-records.ts';

/** Returns the day a week from now, the same value during one day. */
const nextWeek = (): string =>
  new Date((Math.floor(Date.now() / DAY_MILLISECONDS) + 8) * DAY_MILLISECONDS).toISOString();

export const monitoringCalls: Calls<
  | 'createSubscription'
  | 'listSubscriptions'
  | 'getSubscription'
  | 'updateSubscription'
  | 'runSubscription'
  | 'listAlerts'
  | 'triageAlert'
  | 'getCoverage'
  | 'releaseAlgorithm'
> = {
  createSubscription: {
    arrange: async (service, tenant) => ({ body: { applicationId: await newUnwatchedApplication(service, tenant) } }),
    body: () => ({ checks: ['sanctions', 'pep'], schedule: { kind: 'interval', intervalDays: 30 } }),
    otherBody: () => ({
      checks: ['document_expiry', 'sanctions'],
      schedule: { kind: 'on_list_update', intervalDays: null },
    }),
    except: { '/businessId': 'the applicant is monitored, and one subject at a time' },
  },
  listSubscriptions: {},
  getSubscription: {},
  updateSubscription: {
    arrange: async (_, tenant) => ({ as: await tenant.user('compliance_officer') }),
    body: () => ({
      checks: ['pep'],
      schedule: { kind: 'interval', intervalDays: 30 },
      status: 'paused',
      pauseReason: 'investigation',
      pauseUntil: nextWeek(),
    }),
    otherBody: () => ({
      checks: ['sanctions', 'pep'],
      schedule: { kind: 'on_list_update', intervalDays: null },
      status: 'active',
      pauseReason: null,
      pauseUntil: null,
    }),
  },
  runSubscription: {},
  listAlerts: {},
  triageAlert: {
    body: () => ({
      outcome: 'acknowledge',
      reasonCode: 'needs_investigation',
      note: 'The branch was asked for the passport.',
    }),
    otherBody: () => ({ outcome: 'escalate', reasonCode: 'other', note: 'Somebody else\nhas to look.' }),
  },
  getCoverage: {},
  releaseAlgorithm: {
    // Simulates a tenant that an earlier release has screened.
    arrange: async (service, tenant) => {
      await service.database.sql(
        `INSERT INTO monitoring_algorithm (tenant_id, environment, released)
          VALUES ($1, 'live', 'm0'), ($1, 'sandbox', 'm0') ON CONFLICT (tenant_id, environment) DO UPDATE
          SET released = 'm0'`,
        [tenant.id],
      );
      // A release of the service has one algorithm, and the examples name an older one.
      return { body: { algorithmVersion: ALGORITHM } };
    },
    body: () => ({ note: 'Nine namesakes, which we can look at today.' }),
    otherBody: () => ({ note: 'Nobody new\nwas found.' }),
    except: { '/algorithmVersion': 'a release of the service has one algorithm' },
  },
};
