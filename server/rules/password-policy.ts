let words: Promise<ReadonlySet<string>> | null = null;

/**
 * Returns the most common passwords, in lower case. Unpacking them takes about 60 ms, so they are loaded when the first
 * password is chosen.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  return (words ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));
}

/**
 * Minimum length without a second factor: NIST SP 800-63B-4 §3.1.1.2 requires 15 characters if the password is the only
 * factor, and fewer with a second one.
 */
const LEAST_ALONE = 15;
const LEAST_WITH_FACTOR = 12;
/**
 * Minimum length of a word that a password must not contain, because shorter words occur by chance in too many good
 * passwords.
 */
const SHORTEST_WORD = 4;

export type Weakness = 'too_short' | 'common' | 'repetitive' | 'contains_email' | 'contains_tenant_name';

export interface PasswordOwner {
  /** Policies of every tenant that the person works for. */
  readonly policies: readonly { readonly passwordMinLength: number; readonly mfaRequired: boolean }[];
  readonly mfaEnrolled: boolean;
  readonly email: string;
  readonly tenantNames: readonly string[];
}

/**
 * Lists the weaknesses of a password; an empty list means that it is acceptable. There are no rules about kinds of
 * characters, which only make passwords predictable (NIST SP 800-63B-4 §3.1.1.2), but a list of the passwords that are
 * guessed first.
 */
export async function weaknessesOf(password: string, owner: PasswordOwner): Promise<Weakness[]> {
  const text = password.normalize('NFC');
  const plain = bare(text);
  const reasons: Weakness[] = [];
  if ([...text].length < leastLength(owner)) reasons.push('too_short');
  if (isCommon(plain, await commonPasswords())) reasons.push('common');
  if (isRepetitive(plain)) reasons.push('repetitive');
  if (emailWords(owner.email).some((word) => plain.includes(word))) reasons.push('contains_email');
  if (owner.tenantNames.map(bare).some((name) => name.length >= SHORTEST_WORD && plain.includes(name)))
    reasons.push('contains_tenant_name');
  return reasons;
}

/**
 * Returns the minimum length. A person who must enrol a second factor before doing anything else counts as having one.
 */
export function leastLength({ policies, mfaEnrolled }: Pick<PasswordOwner, 'policies' | 'mfaEnrolled'>): number {
  const protectedByFactor = mfaEnrolled || (policies.length > 0 && policies.every(({ mfaRequired }) => mfaRequired));
  return Math.max(
    protectedByFactor ? LEAST_WITH_FACTOR : LEAST_ALONE,
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
 * Tells whether a password is common, also without the digits and signs that people put around a word that is too
 * short.
 */
function isCommon(plain: string, common: ReadonlySet<string>): boolean {
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return common.has(plain) || (core.length >= SHORTEST_WORD && common.has(core));
}

/** Tells whether a password repeats one part, or lists characters in the order of the alphabet or of the digits. */
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
  return [...local.split(/[^\p{L}\p{N}]+/u), domain.split('.')[0] ?? ''].filter((word) => word.length >= SHORTEST_WORD);
}
