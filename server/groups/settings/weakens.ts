import type { Settings } from './document.ts';

type Looser<T> = (before: T, after: T) => boolean;

const lowered: Looser<number> = (before, after) => after < before;
const raised: Looser<number> = (before, after) => after > before;
const dropped: Looser<boolean> = (before, after) => before && !after;
/** What was hidden of persons is shown again. */
const uncovered: Looser<string> = (before, after) => before === 'masked' && after !== 'masked';

const granted: Looser<boolean> = (before, after) => after && !before;
const shortened: Looser<readonly string[]> = (before, after) => before.some((entry) => !after.includes(entry));

/** `null` stands for no limit. */
const limitRaised: Looser<number | null> = (before, after) => (after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY);

/** An empty list stands for every domain. */
const opened: Looser<readonly string[]> = (before, after) => before.length > 0 && (after.length === 0 || shortened(after, before));

type Amount = Settings['decisionPolicy']['fourEyes']['amountAbove'];

/** Amounts of two currencies cannot be compared, so that a person shall look. */
const amountRaised: Looser<Amount> = (before, after) =>
  before !== null && (after === null || after.currency !== before.currency || after.amount > before.amount);

/** For every member that guards something, what makes it guard less. A member that is missing here does not compile. */
const RULES: {
  readonly [S in 'retention' | 'security' | 'fundsRecovery']: { readonly [M in keyof Settings[S]]: Looser<Settings[S][M]> }
} & { readonly fourEyes: { readonly [M in keyof Settings['decisionPolicy']['fourEyes']]: Looser<Settings['decisionPolicy']['fourEyes'][M]> } } = {
  fourEyes: { levels: shortened, onPep: dropped, onConfirmedHit: dropped, onOverride: dropped, amountAbove: amountRaised },
  // What is deleted too early cannot be shown to an auditor; what is kept of a body too long should not exist.
  retention: { customerYears: lowered, rejectedYears: lowered, biometricDays: raised, auditYears: lowered },
  security: {
    mfaRequired: dropped, passwordMinLength: lowered, sessionHours: raised, idleMinutes: raised, allowedEmailDomains: opened,
    allowPlatformImpersonation: granted, inactivityDays: limitRaised,
  },
  fundsRecovery: { rawPayload: uncovered },
};

/** The members of four-eyes, retention, security and funds recovery that protect less than before, by JSON Pointer. */
export function weakens(before: Settings, after: Settings): string[] {
  return [
    ...looser('/decisionPolicy/fourEyes', RULES.fourEyes, before.decisionPolicy.fourEyes, after.decisionPolicy.fourEyes),
    ...looser('/retention', RULES.retention, before.retention, after.retention),
    ...looser('/security', RULES.security, before.security, after.security),
    ...looser('/fundsRecovery', RULES.fundsRecovery, before.fundsRecovery, after.fundsRecovery),
  ];
}

function looser<T extends object>(pointer: string, rules: { readonly [M in keyof T]: Looser<T[M]> }, before: T, after: T): string[] {
  return (Object.keys(rules) as (keyof T & string)[]).filter((member) => rules[member](before[member], after[member])).map((member) => `${pointer}/${member}`);
}
