/** What makes a password too weak. Used when a password is chosen and at sign-in. An empty list means acceptable. */

let commonPasswordSet: Promise<ReadonlySet<string>> | null = null;

/**
 * Returns the most common passwords, in lower case. Unpacking them takes about 60 ms, so they are loaded when the first
 * password is chosen.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  return (commonPasswordSet ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));
}

/**
 * Minimum lengths without and with a second factor. NIST SP 800-63B-4 §3.1.1.2 requires 15 characters if the password
 * is the only factor and 8 otherwise; the second minimum is ours.
 */
const MIN_LENGTH_PASSWORD_ONLY = 15;
const MIN_LENGTH_WITH_SECOND_FACTOR = 12;
/**
 * Minimum length of a word that a password must not contain, because shorter words occur by chance in too many good
 * passwords.
 */
const MIN_WORD_LENGTH = 4;

export type Weakness = 'too_short' | 'common' | 'repetitive' | 'contains_email' | 'contains_tenant_name';

export interface PasswordOwner {
  /** Policies of every tenant that the person works for. */
  readonly policies: readonly { readonly passwordMinLength: number; readonly mfaRequired: boolean }[];
  readonly mfaEnrolled: boolean;
  readonly email: string;
  readonly tenantNames: readonly string[];
}

/**
 * Lists the weaknesses of a password; an empty list means that it is acceptable. It has no character-class rules,
 * because they make passwords predictable (NIST SP 800-63B-4 §3.1.1.2); instead it refuses the most common passwords.
 */
export async function weaknessesOf(password: string, owner: PasswordOwner): Promise<Weakness[]> {
  const text = password.normalize('NFC');
  const plain = bare(text);
  const reasons: Weakness[] = [];
  if ([...text].length < minLength(owner)) reasons.push('too_short');
  if (isCommon(plain, await commonPasswords())) reasons.push('common');
  if (isRepetitive(plain)) reasons.push('repetitive');
  if (emailWords(owner.email).some((word) => plain.includes(word))) reasons.push('contains_email');
  if (owner.tenantNames.map(bare).some((name) => name.length >= MIN_WORD_LENGTH && plain.includes(name)))
    reasons.push('contains_tenant_name');
  return reasons;
}

/**
 * Returns the minimum length. A person who must enrol a second factor before doing anything else counts as having one.
 */
export function minLength({ policies, mfaEnrolled }: Pick<PasswordOwner, 'policies' | 'mfaEnrolled'>): number {
  const protectedByFactor = mfaEnrolled || (policies.length > 0 && policies.every(({ mfaRequired }) => mfaRequired));
  return Math.max(
    protectedByFactor ? MIN_LENGTH_WITH_SECOND_FACTOR : MIN_LENGTH_PASSWORD_ONLY,
    ...policies.map(({ passwordMinLength }) => passwordMinLength),
  );
}

/** Removes case, accents and spaces. */
function bare(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\s]/gu, '')
    .toLowerCase();
}

/**
 * Returns whether a password is common, as it is or without the digits and signs around it, which people add to a word
 * that is too short.
 */
function isCommon(plain: string, common: ReadonlySet<string>): boolean {
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return common.has(plain) || (core.length >= MIN_WORD_LENGTH && common.has(core));
}

/**
 * Returns whether a password repeats one part, or is mostly a run of equal or consecutive characters. Between 9 and 0
 * the code changes by nine.
 */
function isRepetitive(plain: string): boolean {
  if (/^(.+?)\1+$/su.test(plain)) return true;
  const codes = [...plain].map((letter) => letter.codePointAt(0) as number);
  const neighbours = codes.filter(
    (code, i) => i > 0 && [0, 1, 9].includes(Math.abs(code - (codes[i - 1] as number))),
  ).length;
  return codes.length > 1 && neighbours >= (codes.length - 1) * 0.75;
}

function emailWords(email: string): string[] {
  const [local = '', domain = ''] = bare(email).split('@');
  return [...local.split(/[^\p{L}\p{N}]+/u), domain.split('.')[0] ?? ''].filter(
    (word) => word.length >= MIN_WORD_LENGTH,
  );
}
