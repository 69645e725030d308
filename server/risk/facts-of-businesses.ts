/**
 * The facts about companies that the product knows: from their record and registry, of their owners and powers, and of
 * the people who have applications of their own.
 */
import { factGroup, type FactsOf } from './fact-group.ts';
import type { APPLICATION, SCREENING } from './facts-of-people.ts';

const SINCE = '2026-11-26';

export const BUSINESS = factGroup('business', ['business'], SINCE, {
  'business.ageMonths': {
    type: 'number',
    pii: false,
    example: 41,
    description: 'Completed months since the company was opened.',
  },
  'business.cnae': {
    type: 'string',
    pii: false,
    example: '4783101',
    description: 'The main activity, as seven digits of the CNAE.',
  },
  'business.secondaryCnaes': {
    type: 'string_list',
    pii: false,
    example: ['6821801'],
    description: 'Further activities, as seven digits of the CNAE.',
  },
  'business.country': {
    type: 'string',
    pii: false,
    example: 'BR',
    description: 'The country of the seat, as a country code.',
  },
  'business.state': {
    type: 'string',
    pii: false,
    example: 'SP',
    description: 'The state of the seat.',
  },
  'business.monthlyRevenue': {
    type: 'number',
    pii: false,
    example: 80000,
    description: 'The declared monthly revenue in reais.',
  },
  'business.isListed': {
    type: 'boolean',
    pii: false,
    example: false,
    description: 'Whether the company is listed at a stock exchange.',
  },
});

export const OWNERSHIP = factGroup('ownership', ['business'], SINCE, {
  'ownership.unresolvedPercent': {
    type: 'number',
    pii: false,
    example: 12.5,
    description: 'The percentage of the shares whose final owners are not known.',
  },
  'ownership.layers': {
    type: 'number',
    pii: false,
    example: 2,
    description: 'The largest number of companies between the company and a person who owns it.',
  },
  'ownership.hasCycle': {
    type: 'boolean',
    pii: false,
    example: false,
    description: 'Whether a company owns a part of itself through others.',
  },
  'ownership.countries': {
    type: 'string_list',
    pii: false,
    example: ['BR', 'KY'],
    description: 'The countries of all owners, as country codes.',
  },
  'ownership.hasNominee': {
    type: 'boolean',
    pii: false,
    example: false,
    description: 'Whether an owner holds shares for another.',
  },
  'ownership.bearerShares': {
    type: 'boolean',
    pii: false,
    example: false,
    description: 'Whether the company or one of its owners has shares of whoever holds the paper.',
  },
  'ownership.pepConfirmed': {
    type: 'boolean',
    pii: true,
    example: false,
    description: 'Whether an owner or a representative is a confirmed politically exposed person.',
  },
});

export const POWERS = factGroup('powers', ['business'], SINCE, {
  'powers.coverage': {
    type: 'string',
    pii: false,
    example: 'complete',
    description: 'Whether the confirmed powers in force say who may sign: complete, partial or none.',
  },
});

export const PARTIES = factGroup('parties', ['business'], SINCE, {
  'parties.maxLevel': {
    type: 'string',
    pii: true,
    example: 'medium',
    description: 'The highest level of risk of the owners and representatives; missing if none of them is assessed.',
  },
  'parties.sanctionConfirmed': {
    type: 'boolean',
    pii: true,
    example: false,
    description: 'Whether an owner or a representative is a confirmed match on a sanctions list.',
  },
});

/** Values of the facts about a company that the product supplies: null where a fact is missing. */
export type FactsOfCompany = FactsOf<typeof APPLICATION> &
  FactsOf<typeof SCREENING> &
  FactsOf<typeof BUSINESS> &
  FactsOf<typeof OWNERSHIP> &
  FactsOf<typeof POWERS> &
  FactsOf<typeof PARTIES>;
