/** How tests call the operations on screenings. Part of the table in test/operations.ts. */
import { ownListCsv, sha256Of } from '../support/watch-lists.ts';
import { type Calls, unique } from './call.ts';
import { newOwnList } from './screening-records.ts';

export const screeningCalls: Calls<
  | 'createScreening'
  | 'listScreenings'
  | 'listScreeningLists'
  | 'replaceOwnList'
  | 'removeOwnList'
  | 'getScreening'
  | 'rerunScreening'
  | 'eraseScreening'
  | 'adjudicateHit'
  | 'listAllowlistEntries'
  | 'revokeAllowlistEntry'
> = {
  createScreening: {
    body: () => ({
      subject: {
        type: 'person',
        names: ['Sergei Petrov', 'Sergey Listado'],
        dateOfBirth: '1961-04-02',
        gender: 'male',
        countries: ['RU', 'BR'],
        taxId: '52998224725',
        identifiers: [{ kind: 'passport', value: 'YA123456', country: 'BR' }],
      },
      lists: ['ofac-sdn', 'un-csnu'],
      criteria: {
        threshold: 0.8,
        dobToleranceYears: 1,
        includeRca: false,
        includeFormerPep: false,
      },
    }),
    otherBody: () => ({
      subject: {
        type: 'person',
        names: ['Ana Reis'],
        dateOfBirth: '1975-01-30',
        gender: 'female',
        countries: ['PT'],
        taxId: '11144477735',
        identifiers: [{ kind: 'other', value: 'X99881', country: 'PT' }],
      },
      lists: ['cgu-pep', 'un-csnu'],
      criteria: {
        threshold: 0.9,
        dobToleranceYears: 2,
        includeRca: true,
        includeFormerPep: true,
      },
    }),
    except: {
      '/subject/type': 'an organisation has no date of birth and no gender',
      '/applicationId': 'it may stand in place of a subject',
      '/subject/yearOfBirth': 'it is for who does not know the day',
    },
  },
  listScreenings: {},
  listScreeningLists: {},
  replaceOwnList: {
    arrange: () => {
      const file = ownListCsv([`1,person,Heitor Montalvão,,,,,,${unique()}`]);
      return Promise.resolve({ body: { file, sha256: sha256Of(file) } });
    },
    body: () => ({ version: unique() }),
    otherBody: () => ({ version: unique() }),
  },
  removeOwnList: {
    arrange: async (service, tenant) => {
      await newOwnList(service, tenant);
      return {};
    },
  },
  getScreening: {},
  rerunScreening: {
    body: () => ({
      lists: ['ofac-sdn', 'un-csnu'],
      criteria: {
        threshold: 0.7,
        dobToleranceYears: 1,
        includeRca: false,
        includeFormerPep: false,
      },
    }),
    otherBody: () => ({
      lists: ['cgu-pep', 'un-csnu'],
      criteria: {
        threshold: 0.9,
        dobToleranceYears: 2,
        includeRca: true,
        includeFormerPep: true,
      },
    }),
  },
  eraseScreening: {
    body: () => ({ reason: 'data_subject_request', requestRef: 'dsr-119' }),
    otherBody: () => ({ reason: 'retention_expired', requestRef: 'list-2033' }),
  },
  adjudicateHit: {
    body: () => ({
      status: 'true_positive',
      reasonCode: 'same_person_confirmed',
      note: 'The passport has the same number.',
    }),
    except: { '/allowlist': 'it is for somebody else alone, and makes an entry of its own' },
    otherBody: () => ({
      status: 'inconclusive',
      reasonCode: 'insufficient_data',
      note: 'Nothing but the name\nis known.',
    }),
  },
  listAllowlistEntries: {},
  revokeAllowlistEntry: {},
};
