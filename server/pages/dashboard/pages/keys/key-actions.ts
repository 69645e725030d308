import { useCallback } from 'react';
import { useCurrent } from '../../app/current.tsx';
import { inLanguages, useWords } from '../../app/language.ts';
import type { OperationId } from '../../app/operation-id.ts';
import { hasEnded, isOrphan } from './key-state.tsx';
import type { ApiKey } from './key-words.ts';

export type KeyActionName = 'takeOver' | 'scopes' | 'edit' | 'rotate' | 'revoke';

export interface KeyAction {
  readonly label: string;
  readonly danger?: boolean;
  readonly run: () => void;
}

const words = inLanguages<Readonly<Record<KeyActionName, string>>>({
  en: { takeOver: 'Take over', scopes: 'Scopes', edit: 'Edit', rotate: 'Rotate', revoke: 'Revoke' },
  pt: { takeOver: 'Assumir', scopes: 'Escopos', edit: 'Editar', rotate: 'Rotacionar', revoke: 'Revogar' },
});

/** What the signed-in person may do with a key in the state in which it is. */
export function useKeyActions(begin: (action: KeyActionName, key: ApiKey) => void): (key: ApiKey) => readonly KeyAction[] {
  const t = useWords(words);
  const { user, permissions } = useCurrent();
  // The same function for the same person: the columns of the table are made from it.
  return useCallback((key) => {
    const may = (operation: OperationId): boolean => permissions.includes(operation);
    if (hasEnded(key.status)) return [];
    // Developers revoke the test keys that they made themselves.
    const isOwn = user.role !== 'developer' || (key.environment === 'test' && key.createdBy.id === user.id);
    const offered: readonly (readonly [KeyActionName, boolean])[] = [
      ['takeOver', may('replaceApiKeyScopes') && isOrphan(key)],
      ['scopes', may('replaceApiKeyScopes')],
      ['edit', may('updateApiKey')],
      ['rotate', may('rotateApiKey') && key.status === 'active'],
      ['revoke', may('revokeApiKey') && isOwn],
    ];
    return offered.filter(([, isOffered]) => isOffered).map(([name]) => ({ label: t[name], danger: name === 'revoke', run: () => begin(name, key) }));
  }, [t, user, permissions, begin]);
}
