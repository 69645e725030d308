import type { NameOf } from '../names/token.ts';

/** Who is screened, as far as it is known. */
export interface Subject {
  readonly type: NameOf;
  readonly names: readonly string[];
  /** A day or a year of ISO 8601. */
  readonly birthDate: string | null;
  readonly gender: 'female' | 'male' | null;
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  /** The digits of a CPF, the letters and digits of a CNPJ. */
  readonly taxId: string | null;
}
