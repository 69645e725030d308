/**
 * Numbers that pass the arithmetic and that nobody holds: one digit eleven times is never issued as a CPF, and the roots
 * of companies begin with a word. Nothing real can have one, so personas do.
 */
export function isNeverIssued(taxId: string): boolean {
  return /^(\d)\1{10}$/.test(taxId) || taxId.startsWith('SANDBOX');
}
