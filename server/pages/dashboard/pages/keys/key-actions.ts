/**
 * Which actions a key has for the signed-in user. Used by the page, the table and the details. It only hides; the
 * service decides.
 */
import { useCallback } from 'react';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import type { OperationId } from '../../core/operation-id.ts';
import { hasEnded, isOrphan } from './key-state.tsx';
import type { ApiKey } from './key-words.ts';

export type KeyActionName = 'takeOver' | 'scopes' | 'edit' | 'rotate' | 'revoke';

export interface KeyAction {
  readonly label: string;
  readonly danger?: boolean;
  readonly run: () => void;
}

const words = inLanguages<Readonly<Record<KeyActionName, string>>>({
  en: {
    takeOver: 'Take over',
    scopes: 'Scopes',
    edit: 'Edit',
    rotate: 'Rotate',
    revoke: 'Revoke',
  },
  pt: {
    takeOver: 'Assumir',
    scopes: 'Escopos',
    edit: 'Editar',
    rotate: 'Rotacionar',
    revoke: 'Revogar',
  },
});

/** Returns the actions on a key that its state and the signed-in user's role allow. */
export function useKeyActions(
  begin: (action: KeyActionName, key: ApiKey) => void,
): (key: ApiKey) => readonly KeyAction[] {
  const t = useWords(words);
  const { user, permissions } = useCurrent();
  // Must be the same function for the same user, because the columns of the table depend on it.
  return useCallback(
    (key) => {
      const may = (operation: OperationId): boolean => permissions.includes(operation);
      if (hasEnded(key.status)) return [];
      // Developers may revoke only test keys that they created themselves.
      const isOwn = user.role !== 'developer' || (key.environment === 'test' && key.createdBy.id === user.id);
      const offered: readonly (readonly [KeyActionName, boolean])[] = [
        ['takeOver', may('replaceApiKeyScopes') && isOrphan(key)],
        ['scopes', may('replaceApiKeyScopes')],
        ['edit', may('updateApiKey')],
        ['rotate', may('rotateApiKey') && key.status === 'active'],
        ['revoke', may('revokeApiKey') && isOwn],
      ];
      return offered
        .filter(([, isOffered]) => isOffered)
        .map(([name]) => ({ label: t[name], danger: name === 'revoke', run: () => begin(name, key) }));
    },
    [t, user, permissions, begin],
  );
}
