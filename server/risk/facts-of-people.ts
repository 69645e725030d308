/**
 * The facts about people that the product knows. Each group belongs to the part of the product that supplies its
 * values. A fact about what a person may declare says what its absence means, so that a person who declares nothing
 * misses nothing.
 */
import { factGroup, type FactsOf } from './fact-group.ts';

const SINCE = '2026-11-26';

export const APPLICANT = factGroup('applicant', ['individual'], SINCE, {
  'applicant.age': {
    type: 'number',
    pii: true,
    example: 34,
    description: 'Completed years on the day of the assessment.',
  },
  'applicant.dateOfBirth': {
    type: 'date',
    pii: true,
    example: '1992-04-02',
    description: 'The date of birth.',
  },
  'applicant.nationality': {
    type: 'string',
    pii: true,
    example: 'BR',
    description: 'The nationality, as a country code.',
  },
  'applicant.countryOfBirth': {
    type: 'string',
    pii: true,
    example: 'BR',
    description: 'The country of birth, as a country code.',
  },
  'applicant.address.country': {
    type: 'string',
    pii: true,
    example: 'BR',
    description: 'The country of the address, as a country code.',
  },
  'applicant.address.state': {
    type: 'string',
    pii: true,
    example: 'SP',
    description: 'The state of the address.',
  },
  'applicant.residentAbroad': {
    type: 'boolean',
    pii: true,
    example: false,
    description: 'Whether the person declares to live outside Brazil.',
  },
  'applicant.taxResidencies': {
    type: 'string_list',
    pii: true,
    example: ['PT'],
    description: 'Countries other than Brazil where the person declares to pay taxes.',
  },
  'applicant.taxResidenciesAbroad': {
    type: 'number',
    pii: true,
    example: 0,
    description: 'In how many countries other than Brazil the person declares to pay taxes; 0 if none is declared.',
  },
  'applicant.occupation': {
    type: 'string',
    pii: true,
    example: 'corretor de imoveis',
    description: 'The occupation in lower case and without accents.',
  },
  'applicant.monthlyIncome': {
    type: 'number',
    pii: true,
    example: 5400,
    description: 'The declared monthly income in reais, if it is declared in reais.',
  },
  'applicant.sourceOfFunds': {
    type: 'string_list',
    pii: true,
    example: ['salary'],
    description: 'The declared sources of funds.',
  },
  'applicant.pepDeclared': {
    type: 'boolean',
    pii: true,
    example: false,
    description:
      'Whether the person declares to be politically exposed, or close to one who is; false without a declaration.',
  },
});

export const APPLICATION = factGroup('application', ['individual', 'business'], SINCE, {
  channel: {
    type: 'string',
    pii: false,
    example: 'web',
    description: 'The channel of the application.',
  },
  purpose: {
    type: 'string',
    pii: false,
    example: 'account_opening',
    description: 'The purpose of the application.',
  },
  level: {
    type: 'string',
    pii: false,
    example: 'standard',
    description: 'The level of diligence of the application.',
  },
  'product.codes': {
    type: 'string_list',
    pii: false,
    example: ['pix_account'],
    description: 'The requested products.',
  },
});

export const SCREENING = factGroup('screening', ['individual', 'business'], SINCE, {
  'screening.state': {
    type: 'string',
    pii: true,
    example: 'clear',
    description:
      '`none`: no screening; `open`: a hit waits for a decision, or not all hits could be shown; `confirmed`: a hit ' +
      'is confirmed; `clear`: none of these.',
  },
  'screening.truncated': {
    type: 'boolean',
    pii: false,
    example: false,
    description: 'Whether the newest screening shows only some of its hits.',
  },
  'screening.maxSanctionScore': {
    type: 'number',
    pii: true,
    example: 0.91,
    description: 'The highest score, from 0 to 1, of a hit on a sanctions list that nobody has dismissed; 0 if none.',
  },
  'screening.maxPepScore': {
    type: 'number',
    pii: true,
    example: 0.84,
    description: 'The same for lists of politically exposed persons.',
  },
  'screening.maxWatchlistScore': {
    type: 'number',
    pii: true,
    example: 0,
    description: 'The same for all other lists.',
  },
  'screening.sanctionConfirmed': {
    type: 'boolean',
    pii: true,
    example: false,
    description: 'Whether a hit on a sanctions list is confirmed.',
  },
  'screening.pepConfirmed': {
    type: 'boolean',
    pii: true,
    example: false,
    description: 'Whether a hit on a list of politically exposed persons is confirmed.',
  },
  'screening.otherConfirmed': {
    type: 'boolean',
    pii: true,
    example: false,
    description: 'Whether a hit on any other list is confirmed.',
  },
});

export const ATTESTATIONS = factGroup('attestations', ['individual'], SINCE, {
  'attestations.unfavourable': {
    type: 'number',
    pii: false,
    example: 0,
    description: 'How many checks that a person attested had an unfavourable result.',
  },
});

export const VERIFICATIONS = factGroup('verifications', ['individual'], SINCE, {
  'verifications.passed': {
    type: 'string_list',
    pii: false,
    example: ['document_ocr'],
    description:
      'The types of verification whose newest answer is a pass, in the order of their names. An override by a person ' +
      'counts in place of the answer. Missing if there is none.',
  },
  'verifications.failed': {
    type: 'number',
    pii: false,
    example: 0,
    description: 'How many kinds of verification have a failure as their newest answer. Each register is a kind.',
  },
  'verifications.inconclusive': {
    type: 'number',
    pii: false,
    example: 0,
    description: 'How many kinds of verification have a newest answer that leaves the matter to people.',
  },
});

export const MONITORING = factGroup('monitoring', ['individual'], SINCE, {
  'monitoring.openAlerts': {
    type: 'number',
    pii: false,
    example: 0,
    description: 'How many alerts are open.',
  },
});

export const HISTORY = factGroup('history', ['individual'], SINCE, {
  'history.resubmissions': {
    type: 'number',
    pii: false,
    example: 1,
    description: 'How often the application was handed in again after a request for information.',
  },
  'history.isRenewal': {
    type: 'boolean',
    pii: false,
    example: false,
    description: 'Whether the application renews an earlier one.',
  },
  'history.identityConflict': {
    type: 'boolean',
    pii: true,
    example: false,
    description: 'Whether another application states another date of birth for the same tax number.',
  },
});

/** Values of the facts about a person that the product supplies: null where a fact is missing. */
export type FactsOfPerson = FactsOf<typeof APPLICANT> &
  FactsOf<typeof APPLICATION> &
  FactsOf<typeof SCREENING> &
  FactsOf<typeof ATTESTATIONS> &
  FactsOf<typeof VERIFICATIONS> &
  FactsOf<typeof MONITORING> &
  FactsOf<typeof HISTORY>;
