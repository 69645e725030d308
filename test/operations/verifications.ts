/** Calls of the operations of verifications, for the tests of every operation. */
import { jpeg } from '../support/specimens.ts';
import { newApplication } from './application-records.ts';
import type { Calls } from './call.ts';
import {
  MRZ_LINES,
  OTHER_MRZ_LINES,
  newBiometricBasis,
  newChallenge,
  newEndedVerification,
  newVerificationWithFrames,
  sixFrames,
} from './verification-records.ts';

export const verificationCalls: Calls<
  | 'createVerification'
  | 'listVerifications'
  | 'getVerification'
  | 'overrideVerification'
  | 'createLivenessChallenge'
  | 'uploadFrames'
  | 'downloadFrame'
  | 'validateTaxIds'
> = {
  createVerification: {
    arrange: async (service, tenant) => ({ body: { applicationId: await newApplication(service, tenant) } }),
    body: () => ({ type: 'document_ocr', inputs: { mrzLines: MRZ_LINES } }),
    otherBody: () => ({ type: 'document_ocr', inputs: { mrzLines: OTHER_MRZ_LINES } }),
    except: {
      '/inputs/documentIds': 'a document needs an upload, and the lines alone can be checked',
      '/inputs/selfieDocumentId': 'it is for faces, which have no provider in live',
      '/inputs/challengeId': 'it is for liveness, which has no provider in live',
      '/type': 'the other types have other inputs, and no provider in live',
      '/registrySource': 'it is for registers, which have no provider in live',
      '/sandbox': 'it is for the sandbox only',
    },
  },
  listVerifications: {},
  getVerification: {},
  overrideVerification: {
    arrange: async (service, tenant) => {
      const verificationId = await newEndedVerification(service, tenant);
      const [row] = await service.database.sql<{ id: string }>(
        'SELECT document_ids ->> 0 AS id FROM verification WHERE id = $1',
        [verificationId],
      );
      return { params: { verificationId }, body: { evidenceDocumentId: row!.id } };
    },
    body: () => ({
      result: 'passed',
      reasonCode: 'checked_by_person',
      note: 'Compared the printed page with the lines.',
    }),
    otherBody: () => ({
      result: 'failed',
      reasonCode: 'document_not_genuine',
      note: 'The printed page\nhas another number.',
    }),
  },
  createLivenessChallenge: {
    arrange: async (service, tenant) => {
      const [applicationId, another] = [await newApplication(service, tenant), await newApplication(service, tenant)];
      for (const id of [applicationId, another]) await newBiometricBasis(service, tenant, id);
      return { body: { applicationId }, otherBody: { applicationId: another } };
    },
    body: () => ({}),
    otherBody: () => ({}),
  },
  uploadFrames: {
    arrange: async (service, tenant) => {
      const { id, nonce } = await newChallenge(service, tenant);
      return { params: { challengeId: id }, body: { nonce, ...sixFrames() } };
    },
    body: () => ({}),
    otherBody: () => ({ frame7: jpeg({ text: 'seventh' }) }),
    except: Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`/frame${index + 8}`, 'six or seven frames are enough']),
    ),
  },
  downloadFrame: {
    arrange: async (service, tenant) => ({
      params: { verificationId: await newVerificationWithFrames(service, tenant), number: '1' },
    }),
  },
  validateTaxIds: {
    body: () => ({ items: [{ type: 'cpf', value: '529.982.247-25' }] }),
    otherBody: () => ({ items: [{ type: 'cnpj', value: '12ABC34501DE35' }] }),
  },
};
