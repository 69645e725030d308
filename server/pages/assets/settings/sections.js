/** @import { Member } from './members.js' */
import { choice, flag, lines, number, several, text } from './members.js';

/** @typedef {{ key: string, title: string, explanation: string, officer: boolean, members: readonly Member[] }} Section */

/** @type {readonly (readonly [string, string])[]} */
const LEVELS = [['low', 'Low'], ['medium', 'Medium'], ['high', 'High']];

/** What is set here; a section that compliance officers may set, too, says so. @type {readonly Section[]} */
export const SECTIONS = [
  {
    key: 'branding', title: 'Branding', explanation: 'What applicants see, and the language of mails.', officer: false,
    members: [
      text('displayName', 'Name that applicants see'), text('primaryColor', 'Main colour', 'As #rrggbb. White or black text must be readable on it.'),
      text('supportEmail', 'Where applicants write', null, 'email'), choice('locale', 'Language', [['en', 'English'], ['pt-BR', 'Portuguese (Brazil)'], ['es', 'Spanish']]),
    ],
  },
  {
    key: 'decisionPolicy', title: 'Decision policy', explanation: 'How decisions about applications are made. The checklist asks that a compliance officer saves it.', officer: true,
    members: [
      flag('autoApprove', 'Approve clear cases automatically', 'Cases of low risk without any finding are approved without a person'),
      several('fourEyes/levels', 'Two people decide at these levels of risk', LEVELS),
      flag('fourEyes/onPep', 'Two people for politically exposed persons', 'Whatever the level of risk'),
      flag('fourEyes/onConfirmedHit', 'Two people after a confirmed hit', 'On a screening list'),
      flag('fourEyes/onOverride', 'Two people when a result is overridden', 'Of an automatic check'),
      number('minimumAge', 'Least age of applicants, in years'), number('validityMonths', 'An approval holds for, in months'),
      number('informationDueDays', 'Applicants answer within, in days'), number('resubmissionLimit', 'How often they may answer'),
      lines('reasonCodes', 'Reasons that decisions may give', 'One a line.'),
    ],
  },
  {
    key: 'retention', title: 'Retention', explanation: 'How long records are kept. The law sets the least.', officer: true,
    members: [
      number('customerYears', 'Customers, years after the end of the relationship'), number('rejectedYears', 'Rejected applicants, years'),
      number('biometricDays', 'Selfies and videos, days'), number('auditYears', 'Audit log, years'),
    ],
  },
  {
    key: 'security', title: 'Security', explanation: 'How people sign in.', officer: false,
    members: [
      flag('mfaRequired', 'Everybody needs a second factor', 'Who has none enrols one at the next sign-in'),
      number('passwordMinLength', 'Least length of passwords'), number('sessionHours', 'A login lasts at most, in hours'),
      number('idleMinutes', 'It ends when unused for, in minutes'), number('inactivityDays', 'Users are locked after, in days without a sign-in', 'Empty means never.'),
      lines('allowedEmailDomains', 'Domains that may be invited', 'One a line. Empty means any.'),
    ],
  },
  {
    key: 'ownership', title: 'Beneficial owners', explanation: 'From which share on somebody counts as one.', officer: true,
    members: [number('percent', 'Share, in percent', null, 'any'), choice('comparator', 'Counted', [['gte', 'From this share on'], ['gt', 'Above this share']])],
  },
  {
    key: 'screening', title: 'Screening', explanation: 'How names are compared with lists.', officer: true,
    members: [
      number('threshold', 'Least score of a hit, from 0.5 to 1', null, 'any'), flag('staleBlocksApproval', 'An outdated list blocks approvals', 'If the law demands the list'),
      lines('defaultLists', 'Lists that are always screened', 'One a line.'),
    ],
  },
];
