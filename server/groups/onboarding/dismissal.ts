import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../http/problem.ts';

/** Why a step is put aside; null takes it up again. */
export function readDismissal({ reason, restore = false }: components['schemas']['ChecklistDismissRequest']): { readonly reason: string | null } {
  if (restore && reason !== undefined) {
    throw new Problem('validation_failed', { errors: [{ pointer: '/reason', code: 'not_allowed', message: 'is for putting a step aside, not for taking it up again' }] });
  }
  if (!restore && reason === undefined) throw new Problem('validation_failed', { errors: [{ pointer: '/reason', code: 'required', message: 'is required' }] });
  return { reason: reason ?? null };
}
