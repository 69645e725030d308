import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { jpeg, png } from '../support/specimens.ts';
import type { Calls } from './call.ts';
import { newCase, newCaseDocument, newResolution, newResolvedCase, readCase } from './case-records.ts';
import { newApplication } from './application-records.ts';

/** Returns the day some days from now, the same value during one day. */
const inDays = (days: number): string =>
  new Date((Math.floor(Date.now() / DAY_MILLISECONDS) + days) * DAY_MILLISECONDS).toISOString();

export const caseCalls: Calls<
  | 'createCase'
  | 'listCases'
  | 'getCaseSummary'
  | 'takeNextCase'
  | 'assignCases'
  | 'getCase'
  | 'updateCase'
  | 'createCaseNote'
  | 'uploadCaseDocument'
  | 'downloadCaseDocument'
  | 'resolveCase'
  | 'reviewCaseResolution'
  | 'reopenCase'
  | 'listWork'
  | 'updateCurrentUser'
> = {
  createCase: {
    arrange: async (service, tenant) => ({ body: { applicationId: await newApplication(service, tenant) } }),
    body: () => ({
      type: 'ad_hoc',
      queue: 'high',
      tags: ['branch-12'],
      note: 'The branch asks about the funds.',
    }),
    otherBody: () => ({
      type: 'application_review',
      queue: 'low',
      tags: ['branch-13', 'urgent'],
      note: 'A colleague\nhas doubts.',
    }),
    except: {
      '/applicationId': 'the application is made before',
      '/businessId': 'a case is about an application or about a business, whose case has its own test',
    },
  },
  listCases: {},
  getCaseSummary: {},
  takeNextCase: {
    arrange: async (service, tenant) => {
      await newCase(service, tenant);
      return {};
    },
    body: () => ({ queues: ['normal', 'low'] }),
    otherBody: () => ({ queues: ['critical'] }),
  },
  assignCases: {
    arrange: async (service, tenant) => ({
      body: { caseIds: [await newCase(service, tenant)] },
    }),
    body: () => ({ assigneeId: null }),
    otherBody: () => ({}),
    except: { '/caseIds': 'the case is made before', '/assigneeId': 'members are made before' },
  },
  getCase: {},
  updateCase: {
    arrange: async (service, tenant) => {
      const [caseId, other] = [await newCase(service, tenant), await newCase(service, tenant)];
      // Simulates a checklist in the settings when the case was opened.
      await service.database.sql(
        `UPDATE review_case SET checklist = '[{"key":"identity","label":"Look at the passport","required":true,
          "doneBy":null,"doneAt":null}]' WHERE id = $1`,
        [caseId],
      );
      return { params: { caseId }, body: { relatedCaseIds: [other], assigneeId: (await tenant.person('analyst')).id } };
    },
    body: () => ({
      queue: 'high',
      tags: ['branch-12'],
      checklistDone: ['identity'],
      snoozedUntil: inDays(8),
    }),
    otherBody: () => ({
      queue: 'low',
      tags: ['branch-13'],
      checklistDone: [],
      relatedCaseIds: [],
      assigneeId: null,
      snoozedUntil: null,
    }),
  },
  createCaseNote: {
    arrange: async (service, tenant) => {
      const caseId = await newCase(service, tenant);
      return { params: { caseId }, body: { documentIds: [await newCaseDocument(service, tenant, caseId)] } };
    },
    body: () => ({ text: 'Called the branch.' }),
    otherBody: () => ({ text: 'The passport\nfollows.', documentIds: [] }),
  },
  uploadCaseDocument: {
    body: () => ({
      file: jpeg(),
      type: 'passport',
      side: 'single',
      country: 'BR',
      expiresOn: '2031-05-01',
    }),
    otherBody: () => ({
      file: png(),
      type: 'id_card',
      side: 'front',
      country: 'PT',
      expiresOn: '2032-06-02',
    }),
  },
  downloadCaseDocument: {},
  resolveCase: {
    arrange: async (service, tenant) => {
      const caseId = await newCase(service, tenant);
      const { evidenceDigest = '' } = await readCase(service, tenant, caseId);
      return { params: { caseId }, body: { evidenceDigest } };
    },
    body: () => ({
      outcome: 'no_action',
      reasonCodes: ['duplicate_case'],
      note: 'The same question was answered last week.',
    }),
    otherBody: () => ({
      outcome: 'cleared',
      reasonCodes: ['explained_by_customer', 'documents_sufficient'],
      note: 'The sale of a house\nexplains the funds.',
    }),
    except: {
      '/decision': 'it needs an application in review',
      '/evidenceDigest': 'the case is made before',
    },
  },
  reviewCaseResolution: {
    arrange: async (service, tenant) => {
      const { evidenceDigest, ...params } = await newResolution(service, tenant);
      return { params, body: { evidenceDigest } };
    },
    body: () => ({ verdict: 'confirm', note: 'The accounts agree with the notes.' }),
    otherBody: () => ({ verdict: 'return', note: 'The statement of May is missing.' }),
  },
  reopenCase: {
    arrange: async (service, tenant) => ({ params: { caseId: await newResolvedCase(service, tenant) } }),
    body: () => ({ reasonCode: 'new_information', note: 'The bank of the sender has answered.' }),
    otherBody: () => ({ reasonCode: 'error_found', note: 'The wrong account\nwas looked at.' }),
  },
  listWork: {},
  updateCurrentUser: {
    body: () => ({ absentUntil: inDays(8) }),
    otherBody: () => ({ absentUntil: null }),
  },
};
