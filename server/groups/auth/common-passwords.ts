let words: Promise<ReadonlySet<string>> | null = null;

/**
 * The passwords that people choose most, in lower case. Unpacking them takes some 60 ms, so it waits until the first
 * password is chosen.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  return words ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
}
