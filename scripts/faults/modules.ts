/**
 * Faults of single modules. Used by main.ts. The quoted text of each must stand in its file exactly once, so a change
 * of that file must be made here too.
 */
import type { Fault } from './fault.ts';

const DECISIONS = 'server/modules/applications/decisions/decisions.ts';
const CHANGES = 'server/modules/applications/record/change-applications.ts';
const TRIAGE = 'server/modules/monitoring/triage.ts';
const KEYS = 'server/modules/api-keys/handlers.ts';
const FEED = 'server/modules/recovery-feed/read-feed.ts';

export const ofModules: readonly Fault[] = [
  {
    breaks: 'Applications in a list are not masked.',
    file: 'server/modules/applications/record/present.ts',
    before: "return shown('Application', asListed(record, basis, reader), reader);",
    after: 'return asListed(record, basis, reader);',
  },
  {
    breaks: 'The payloads of the feed are not masked though the tenant wants it.',
    file: FEED,
    before: "return rawPayload === 'masked' ? 'masked' : personalData;",
    after: "return rawPayload === 'masked' ? personalData : personalData;",
  },
  {
    breaks: 'A page of the feed that was cut by its size says that it is the last.',
    file: FEED,
    before: 'hasMore: rows.length > page.length };',
    after: 'hasMore: rows.length > limit };',
  },
  {
    breaks: 'Live alerts are listed with those of the sandbox.',
    file: 'server/modules/monitoring/list-store.ts',
    before: '      alert.equal({ tenantId: tx.tenantId!, environment }),\n',
    after: "      environment === 'sandbox' && alert.equal({ tenantId: tx.tenantId!, environment }),\n",
  },
  {
    breaks: 'An alert that was not escalated can be resolved.',
    file: TRIAGE,
    before: "resolve: { from: ['escalated'],",
    after: "resolve: { from: ['open', 'escalated'],",
  },
  {
    breaks: 'One person alone dismisses a critical alert.',
    file: TRIAGE,
    before: "if (outcome === 'dismiss' && before.severity === 'critical')",
    after: "if (outcome === 'dismiss' && before.severity === 'high')",
  },
  {
    breaks: 'An alert of the sandbox changes though the sandbox is off.',
    file: TRIAGE,
    before: '  const before = await lookup(ctx).alert(alertId).forChange();',
    after:
      '  const found = lookup(ctx).alert(alertId);\n' +
      "  const before = await (body.outcome === 'acknowledge' ? found.forReadingWithLock() : found.forChange());",
  },
  {
    breaks: 'Who declares a public office is approved by one person alone.',
    file: DECISIONS,
    before: '...(fourEyes.onPep && declaresExposure(assessed) ?',
    after: "...(fourEyes.onPep && declaresExposure(assessed) && assessed.level === 'enhanced' ?",
  },
  {
    breaks: 'A machine decides about high risk.',
    file: DECISIONS,
    before: "(settledLevel(risk) === 'high' || declaresExposure(assessed)",
    after: '(declaresExposure(assessed)',
  },
  {
    breaks: 'An applicant of prohibited risk is approved.',
    file: DECISIONS,
    before: "if (basis.risk?.effectiveLevel === 'prohibited')",
    after: "if (basis.risk?.effectiveLevel === 'prohibited' && assessed.level === 'enhanced')",
  },
  {
    breaks: 'A hard rule lowers the level of risk.',
    file: 'server/risk/score.ts',
    before: 'const reached = Math.max(LEVELS.indexOf(level), ...',
    after: 'const reached = Math.max(...(rules.length > 0 ? [] : [LEVELS.indexOf(level)]), ...',
  },
  {
    breaks: 'The points of the factors do not add up to the score.',
    file: 'server/risk/decimal.ts',
    before: 'for (const { index } of byRemainder.slice(0, Number(missing))) parts[index]! += 1n;',
    after: 'for (const { index } of byRemainder.slice(1, Number(missing))) parts[index]! += 1n;',
  },
  {
    breaks: 'An application is approved though something that is required is missing.',
    file: DECISIONS,
    before: "if (outcome !== 'approve') return;",
    after: "if (outcome !== 'approve' || assessed.level === 'basic') return;",
  },
  {
    breaks: 'A change of the channel of an application is lost.',
    file: 'server/modules/applications/record/written-members.ts',
    before: 'channel: written.channel ?? before.channel,',
    after: 'channel: before.channel,',
  },
  {
    breaks: 'A draft is changed whatever If-Match says.',
    file: CHANGES,
    before: "  assertMatch(ctx.headers['if-match'], before.version);",
    after: "  if (before.status !== 'draft') assertMatch(ctx.headers['if-match'], before.version);",
  },
  {
    breaks: 'The rotation of a key is not in the audit log.',
    file: KEYS,
    before: "audit(\n        'api_key.rotated',",
    after: "if (graceHours === 0) audit(\n        'api_key.rotated',",
  },
  {
    breaks: 'A revoked key works until the cache forgets it.',
    file: KEYS,
    before: 'afterCommit(() => credentials.forgetKey(prefix));\n      // Warns a key',
    after: 'afterCommit(() => { if (wasLastAdmin) credentials.forgetKey(prefix); });\n      // Warns a key',
  },
  {
    breaks: 'An invitation that was sent again is answered with 201.',
    file: 'server/modules/members/handlers.ts',
    before: "return reply(outcome === 'resent' ? 200 : 201,",
    after: "return reply(outcome === 'reactivated' ? 200 : 201,",
  },
];
