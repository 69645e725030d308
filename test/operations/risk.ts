import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { success } from '../support/api.ts';
import { otherModel, smallModel } from '../support/risk-models.ts';
import { newReviewedApplication } from './application-records.ts';
import type { Calls } from './call.ts';
import {
  newListActivation,
  newListId,
  newReferenceList,
  newRiskActivation,
  newRiskBacktest,
  newRiskModel,
  riskModel,
} from './risk-records.ts';

const WHOLE = 'a model is checked as a whole, and the tests of models cover its members';

/** Returns the day this many days from now, the same value during one day. */
const inDays = (days: number): string =>
  new Date((Math.floor(Date.now() / DAY_MILLISECONDS) + days) * DAY_MILLISECONDS).toISOString();

const REVIEW = {
  body: () => ({ verdict: 'return', note: 'The movers are too many.' }) as const,
  otherBody: () => ({ verdict: 'confirm', note: 'As\nwe expected it.' }) as const,
  except: { '/evidenceDigest': 'the reviewer has read one evidence' },
};

export const riskCalls: Calls<
  | 'listRiskModels'
  | 'createRiskModel'
  | 'getRiskModel'
  | 'replaceRiskModel'
  | 'activateRiskModel'
  | 'reviewRiskModelActivation'
  | 'listRiskBacktests'
  | 'createRiskBacktest'
  | 'startRiskShadow'
  | 'stopRiskShadow'
  | 'getRiskBacktest'
  | 'cancelRiskBacktest'
  | 'listRiskFacts'
  | 'listReferenceLists'
  | 'getReferenceList'
  | 'replaceReferenceList'
  | 'activateReferenceList'
  | 'reviewReferenceListActivation'
  | 'listRiskAssessments'
  | 'createRiskAssessment'
  | 'getRiskAssessment'
  | 'overrideRiskAssessment'
> = {
  listRiskModels: {},
  createRiskModel: {
    body: () => ({ subjectType: 'individual', definition: smallModel() }),
    otherBody: () => ({ subjectType: 'individual', definition: otherModel() }),
    except: {
      '/subjectType': 'the facts of the two models are those of people',
      '/baseModelId': 'the content is given, or that of another version, and not both',
      '/definition/factors': WHOLE,
      '/definition/hardRules': WHOLE,
    },
  },
  getRiskModel: {},
  replaceRiskModel: {
    body: () => smallModel({ name: 'Age, channel and office' }),
    otherBody: otherModel,
    except: { '/factors': WHOLE, '/hardRules': WHOLE },
  },
  activateRiskModel: {
    arrange: async (service, tenant) => {
      const modelId = await newRiskModel(service, tenant);
      const { checksum } = await riskModel(service, tenant, modelId);
      const backtestId = await newRiskBacktest(service, tenant, modelId);
      return { params: { modelId }, body: { checksum, backtestId } };
    },
    body: () => ({ note: 'The movers are few and expected.' }),
    otherBody: () => ({ note: 'Nobody new\nis affected.' }),
    except: { '/checksum': 'a draft has one content', '/backtestId': 'it must be of this content' },
  },
  reviewRiskModelActivation: {
    arrange: async (service, tenant) => {
      const modelId = await newRiskModel(service, tenant);
      const activationId = await newRiskActivation(service, tenant, modelId);
      const { activation } = await riskModel(service, tenant, modelId);
      return { params: { modelId, activationId }, body: { evidenceDigest: activation!.evidenceDigest } };
    },
    ...REVIEW,
  },
  listRiskBacktests: {},
  createRiskBacktest: {
    // A tenant runs one backtest at a time.
    arrange: async (service) => {
      const tenant = await service.tenant();
      const modelId = await newRiskModel(service, tenant);
      return { tenant, params: { modelId }, body: { baselineModelId: await newRiskModel(service, tenant) } };
    },
    body: () => ({
      population: {
        from: '2026-01-01',
        to: '2026-11-25',
        statuses: ['approved'],
        productCodes: ['pix_account'],
        sample: 100,
        seed: 7,
      },
    }),
    otherBody: () => ({
      population: {
        from: '2026-02-01',
        to: '2026-11-24',
        statuses: ['rejected', 'approved'],
        productCodes: ['card'],
        sample: 50,
        seed: 8,
      },
    }),
    except: { '/baselineModelId': 'it must be a version of the tenant' },
  },
  startRiskShadow: {
    // One draft of a tenant runs as a shadow at a time.
    arrange: async (service) => {
      const tenant = await service.tenant();
      return { tenant, params: { modelId: await newRiskModel(service, tenant) } };
    },
    body: () => ({ days: 14 }),
    otherBody: () => ({ days: 3 }),
  },
  stopRiskShadow: {
    arrange: async (service) => {
      const tenant = await service.tenant();
      const modelId = await newRiskModel(service, tenant);
      await success(
        service.api.POST('/v1/risk/models/{modelId}/shadow', {
          params: { path: { modelId } },
          headers: await tenant.user('admin'),
          body: {},
        }),
        201,
      );
      return { tenant, params: { modelId } };
    },
  },
  getRiskBacktest: {},
  cancelRiskBacktest: {
    arrange: async (service) => {
      const tenant = await service.tenant();
      const modelId = await newRiskModel(service, tenant);
      return { tenant, params: { backtestId: await newRiskBacktest(service, tenant, modelId, 'queued') } };
    },
  },
  listRiskFacts: {},
  listReferenceLists: {},
  getReferenceList: {},
  replaceReferenceList: {
    arrange: async () => ({ params: { listId: newListId() } }),
    body: () => ({ label: 'Countries', source: 'FATF, 24 October 2026', values: ['IR', 'KP'] }),
    otherBody: () => ({ label: 'Occupations', source: 'A decree', values: ['jeweller'] }),
  },
  activateReferenceList: {
    arrange: async (service, tenant) => {
      const listId = newListId();
      return { params: { listId }, body: { checksum: await newReferenceList(service, tenant, listId) } };
    },
    body: () => ({ note: 'The movers are few and expected.' }),
    otherBody: () => ({ note: 'Nobody new\nis affected.' }),
    except: { '/checksum': 'a draft has one content' },
  },
  reviewReferenceListActivation: {
    arrange: async (service, tenant) => {
      const { listId, activationId, evidenceDigest } = await newListActivation(service, tenant);
      return { params: { listId, activationId }, body: { evidenceDigest } };
    },
    ...REVIEW,
  },
  listRiskAssessments: {},
  createRiskAssessment: {
    arrange: async (service, tenant) => {
      const { applicationId } = await newReviewedApplication(service, tenant);
      // As if its facts had changed since the submission, so that a new assessment is made.
      await service.database.sql(`UPDATE risk_assessment SET model_checksum = '' WHERE application_id = $1`, [
        applicationId,
      ]);
      return { body: { applicationId } };
    },
    body: () => ({ dryRun: false }),
    otherBody: () => ({ dryRun: true }),
    except: {
      '/applicationId': 'it must be of the tenant',
      '/businessId': 'the application is assessed, and one subject at a time',
      '/facts': 'the facts are those of the application',
      '/modelId': 'it is for dry runs alone',
    },
  },
  getRiskAssessment: {},
  overrideRiskAssessment: {
    body: () => ({
      level: 'high',
      reasonCode: 'adverse_information',
      note: 'A newspaper reports an inquiry.',
      expiresAt: inDays(30),
    }),
    otherBody: () => ({
      level: 'medium',
      reasonCode: 'mitigating_controls',
      note: 'The account has\na low limit for a year.',
      expiresAt: inDays(60),
    }),
  },
};
