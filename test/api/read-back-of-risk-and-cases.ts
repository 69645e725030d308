/**
 * Where the bodies of the operations of risk and cases are read back. A part of the table in read-back-locations.ts.
 */
import type { OperationId } from '../../server/contract/operation.ts';
import { type Answered, LOGGED, ORDER, type ReadBack } from './read-back.ts';

/** Returns where a record is read that its case shows in a list. */
const inCase = (list: string): ReadBack['get'] => [
  (_, { caseId }) => `/v1/cases/${caseId ?? ''}`,
  (found, { id }) => (found[list] as Answered[]).find((record) => record['id'] === id),
];
const reviewCase: ReadBack = {
  get: [({ id }) => `/v1/cases/${id as string}`, (body) => body],
  list: ['/v1/cases?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
};
const resolution: ReadBack = { get: inCase('resolutions') };

const riskModel: ReadBack = {
  get: [({ id }) => `/v1/risk/models/${id as string}`, (body) => body],
};
const referenceList: ReadBack = {
  get: [({ id }) => `/v1/risk/lists/${id as string}`, (body) => body],
};
/** Returns a review of an activation in the form of its request. */
const verdictOf = ({ status, reviewNote, evidenceDigest }: Answered): Answered => ({
  verdict: status === 'confirmed' ? 'confirm' : 'return',
  note: reviewNote,
  evidenceDigest,
});
export const readBackOfRiskAndCases: { readonly [Id in OperationId]?: ReadBack } = {
  createRiskModel: riskModel,
  replaceRiskModel: {
    ...riskModel,
    as: ({ definition }) => definition as Answered,
  },
  reviewRiskModelActivation: { ...riskModel, as: ({ activation }) => verdictOf(activation as Answered) },
  createRiskBacktest: {
    get: [({ id }) => `/v1/risk/backtests/${id as string}`, (body) => body],
  },
  startRiskShadow: {
    get: [({ id }) => `/v1/risk/backtests/${id as string}`, (body) => body],
    writeOnly: { '/days': 'the end of the run is shown' },
  },
  activateRiskModel: {
    ...riskModel,
    as: ({ checksum, activation }) => ({ ...(activation as Answered), checksum }),
  },
  replaceReferenceList: { ...referenceList, as: ({ draft }) => draft as Answered },
  activateReferenceList: {
    ...referenceList,
    as: ({ draft }) => ({
      ...((draft as Answered)['activation'] as Answered),
      checksum: (draft as Answered)['checksum'],
    }),
  },
  reviewReferenceListActivation: {
    ...referenceList,
    as: ({ active, draft }) => verdictOf(((draft ?? active) as Answered)['activation'] as Answered),
  },
  createRiskAssessment: {
    get: [({ applicationId }) => `/v1/applications/${applicationId as string}`, ({ id }) => ({ applicationId: id })],
    writeOnly: { '/dryRun': ORDER },
  },
  overrideRiskAssessment: {
    get: [({ id }) => `/v1/risk/assessments/${id as string}`, ({ override }) => override as Answered],
  },
  createCase: {
    get: reviewCase.get!,
    as: (record) => ({ ...record, note: (record['notes'] as Answered[]).at(-1)?.['text'] }),
  },
  updateCase: {
    get: reviewCase.get!,
    as: (record) => ({
      ...record,
      checklistDone: (record['checklist'] as Answered[]).filter(({ doneAt }) => doneAt !== null).map(({ key }) => key),
    }),
  },
  createCaseNote: { get: inCase('notes') },
  uploadCaseDocument: {
    get: inCase('documents'),
    writeOnly: { '/file': 'its bytes are what a download answers' },
  },
  resolveCase: resolution,
  reviewCaseResolution: {
    ...resolution,
    as: ({ status, reviewNote, evidenceDigest }) => ({
      verdict: status === 'effective' ? 'confirm' : 'return',
      note: reviewNote,
      evidenceDigest,
    }),
  },
  reopenCase: {
    get: reviewCase.get!,
    writeOnly: { '/reasonCode': LOGGED },
    as: (record) => ({ note: (record['notes'] as Answered[]).at(-1)?.['text'] }),
  },
};
