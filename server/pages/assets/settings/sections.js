/** This module lists the sections of the settings with their members and their explanations. */
import { amount, checks, colour, records } from './controls.js';
import { choice, flag, lines, number, several, text } from './members.js';
import { amountRaised, dropped, granted, limitRaised, lowered, opened, raised, shortened, uncovered } from './weakening.js';
/** @import { Choices, Member } from './members.js' */

/** @typedef {{ key: string, title: string, explanation: string, officer: boolean, members: readonly Member[] }} Section */

/** @type {Choices} */
const LEVELS = [['low', 'Low'], ['medium', 'Medium'], ['high', 'High']];

/** What is set here; a section that compliance officers may set, too, says so. @type {readonly Section[]} */
export const SECTIONS = [
  {
    key: 'branding', title: 'Branding', explanation: 'What applicants see, and the language of mails.', officer: false,
    members: [
      text('displayName', 'Name that applicants see'), colour('primaryColor', 'Main colour', 'As #rrggbb. White text must be readable on it.'),
      text('supportEmail', 'Where applicants write', null, 'email'), choice('locale', 'Language', [['en', 'English'], ['pt-BR', 'Portuguese (Brazil)'], ['es', 'Spanish']]),
      text('logoDocumentId', 'Logo', 'The id of a picture that was uploaded as a document of type “other”.'),
    ],
  },
  {
    key: 'decisionPolicy', title: 'Decision policy', explanation: 'How decisions about applications are made. The checklist asks that a compliance officer saves it.', officer: true,
    members: [
      flag('autoApprove', 'Approve clear cases automatically', 'Cases of low risk without any finding are approved without a person'),
      several('fourEyes/levels', 'Two people decide at these levels of risk', LEVELS, shortened),
      flag('fourEyes/onPep', 'Two people for politically exposed persons', 'Whatever the level of risk', dropped),
      flag('fourEyes/onConfirmedHit', 'Two people after a confirmed hit', 'On a screening list', dropped),
      flag('fourEyes/onOverride', 'Two people when a result is overridden', 'Of an automatic check', dropped),
      amount('fourEyes/amountAbove', 'Two people above an amount', 'Empty means that the amount does not matter.', amountRaised),
      checks('requiredChecks', 'Checks that each level of diligence asks for'),
      number('minimumAge', 'Least age of applicants, in years'), number('validityMonths', 'An approval holds for, in months'),
      number('informationDueDays', 'Applicants answer within, in days'), number('resubmissionLimit', 'How often they may answer'),
      lines('reasonCodes', 'Reasons that decisions may give', { hint: 'One a line.', rows: 6 }),
    ],
  },
  {
    key: 'ownership', title: 'Beneficial owners', explanation: 'From which share on somebody counts as one.', officer: true,
    members: [
      number('percent', 'Share, in percent', { step: 'any' }), choice('comparator', 'Counted', [['gte', 'From this share on'], ['gt', 'Above this share']]),
      records({
        path: 'lowerFor', label: 'Lower shares at levels of risk', noun: 'lower share', words: ({ riskLevel, percent }) => `${percent} % at ${riskLevel} risk`,
        columns: [choice('riskLevel', 'Level of risk', LEVELS), number('percent', 'Share, in percent', { step: 'any' })],
      }),
    ],
  },
  {
    key: 'screening', title: 'Screening', explanation: 'How names are compared with lists.', officer: true,
    members: [
      number('threshold', 'Least score of a hit, from 0.5 to 1', { step: 'any' }), flag('staleBlocksApproval', 'An outdated list blocks approvals', 'If the law demands the list'),
      lines('defaultLists', 'Lists that are always screened', { hint: 'One a line, by their codes: un-csnu, for example.' }),
    ],
  },
  {
    key: 'retention', title: 'Retention', explanation: 'How long records are kept. The law sets the least.', officer: true,
    members: [
      number('customerYears', 'Customers, years after the end of the relationship', { weakens: lowered }), number('rejectedYears', 'Rejected applicants, years', { weakens: lowered }),
      number('biometricDays', 'Selfies and videos, days', { weakens: raised }), number('auditYears', 'Audit log, years', { weakens: lowered }),
    ],
  },
  {
    key: 'security', title: 'Security', explanation: 'How people sign in.', officer: false,
    members: [
      flag('mfaRequired', 'Everybody needs a second factor', 'Who has none enrols one before anything else', dropped),
      number('passwordMinLength', 'Least length of passwords', { weakens: lowered }), number('sessionHours', 'A login lasts at most, in hours', { weakens: raised }),
      number('idleMinutes', 'It ends when unused for, in minutes', { weakens: raised }),
      number('inactivityDays', 'Users are locked after, in days without a sign-in', { hint: 'Empty means never.', empty: 'Never', weakens: limitRaised }),
      lines('allowedEmailDomains', 'Domains that may be invited', { hint: 'One a line. Empty means any.', empty: 'Any', weakens: opened }),
      flag('allowPlatformImpersonation', 'The platform may act for your users', 'Its staff, to help somebody who asks', granted),
    ],
  },
  {
    key: 'queues', title: 'Queues', explanation: 'Where cases wait, and for how long.', officer: true,
    members: [records({
      path: '', label: 'Queues of cases', noun: 'queue', words: ({ key, name, slaHours }) => `${name} (${key}), ${slaHours} hours`,
      columns: [text('key', 'Key'), text('name', 'Name'), number('slaHours', 'Resolved within, in hours')],
    })],
  },
  {
    key: 'customActTypes', title: 'Legal acts', explanation: 'Kinds of legal acts of your own, beside those that the platform knows.', officer: true,
    members: [records({
      path: '', label: 'Kinds of acts', noun: 'kind', words: ({ key, label }) => `${label} (${key})`, columns: [text('key', 'Key'), text('label', 'Name')],
    })],
  },
  {
    key: 'fundsRecovery', title: 'Funds recovery', explanation: 'What the feed of recoveries shows of persons.', officer: true,
    members: [choice('rawPayload', 'Documents of the directory', [['full', 'Complete'], ['masked', 'Persons, accounts and free texts masked']], uncovered)],
  },
];
