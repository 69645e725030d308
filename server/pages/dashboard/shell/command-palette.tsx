/** The search for pages and actions by name. Loaded by shell.tsx on demand. */
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useCurrent } from '../core/current.tsx';
import { inLanguages, useWords } from '../core/language.ts';
import { navigationWords, openTo } from '../core/navigation.ts';
import { signOut } from '../core/session.ts';

const words = inLanguages({
  en: {
    label: 'Commands',
    placeholder: 'Go to a page, or do something…',
    none: 'Nothing is called that.',
    pages: 'Pages',
    actions: 'Actions',
    reference: 'Reference of the API',
    explorer: 'Explorer of the API',
    guides: 'Guides',
    signOut: 'Sign out',
  },
  pt: {
    label: 'Comandos',
    placeholder: 'Ir para uma página, ou fazer algo…',
    none: 'Nada tem esse nome.',
    pages: 'Páginas',
    actions: 'Ações',
    reference: 'Referência da API',
    explorer: 'Explorador da API',
    guides: 'Guias',
    signOut: 'Sair',
  },
});

/** Opens every page and some actions by name, without the mouse. */
export default function CommandPalette({ close }: { readonly close: () => void }) {
  const t = useWords(words);
  const { pages } = useWords(navigationWords);
  const navigate = useNavigate();
  const current = useCurrent();
  const then = (action: () => void) => () => {
    close();
    action();
  };
  return (
    <Command.Dialog
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
      label={t.label}
      className="palette"
      overlayClassName="overlay"
    >
      <Command.Input placeholder={t.placeholder} aria-label={t.placeholder} />
      <Command.List>
        <Command.Empty>{t.none}</Command.Empty>
        <Command.Group heading={t.pages}>
          {openTo(current).map(({ to, icon: Icon }) => (
            <Command.Item key={to} onSelect={then(() => void navigate({ to }))}>
              <Icon aria-hidden size={17} />
              {pages[to]}
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading={t.actions}>
          {(['reference', 'explorer', 'guides'] as const).map((name) => (
            <Command.Item key={name} onSelect={then(() => window.open(`/${name}`, '_blank', 'noopener'))}>
              {t[name]}
            </Command.Item>
          ))}
          <Command.Item onSelect={then(() => void signOut())}>{t.signOut}</Command.Item>
        </Command.Group>
      </Command.List>
    </Command.Dialog>
  );
}
