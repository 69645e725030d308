/**
 * The one table of the sandbox's personas: what the sandbox shows, which never-issued tax numbers it takes, and
 * what adapters of the sandbox answer are read from here.
 */
import { companies } from './companies.ts';
import type { Persona } from './persona.ts';
import { persons } from './persons.ts';

export { isNeverIssued } from './never-issued.ts';

export const personas: readonly Persona[] = [...persons, ...companies];

const byTaxId: ReadonlyMap<string, Persona> = new Map(personas.map((persona) => [persona.taxId, persona]));

/** The persona with this number, which is written without punctuation and in capitals. */
export function personaFor(taxId: string): Persona | null {
  return byTaxId.get(taxId) ?? null;
}
