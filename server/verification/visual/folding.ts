/** Folds printed text, so that what readers confuse or lose makes no difference where texts are compared. */

/** Returns text in capitals without marks. */
export const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();

export const letters = (text: string): string => plain(text).replaceAll(/[^A-Z]/g, '');

/** Letters and digits, with O as 0, because readers confuse them. */
export const symbols = (text: string): string =>
  plain(text)
    .replaceAll(/[^A-Z\d]/g, '')
    .replaceAll('O', '0');
