/** The menu of the signed-in user. Loaded by shell.tsx on demand. */
import { Link } from '@tanstack/react-router';
import { CircleUser } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { useCurrent } from '../core/current.tsx';
import { chooseLanguage, inLanguages, useLanguage, useWords } from '../core/language.ts';
import { useRoleName } from '../core/roles.ts';
import { signOut, signOutEverywhere } from '../core/session.ts';
import { chooseTheme, useTheme } from '../core/theme.ts';

const words = inLanguages({
  en: {
    label: (name: string) => `Your menu, ${name}`,
    language: 'Language',
    theme: 'Colours',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
    signOut: 'Sign out',
    everywhere: 'Sign out everywhere…',
    question: 'Sign out everywhere?',
    consequence: 'All your sessions end, on every device.',
    reference: 'Reference',
    account: 'Account',
  },
  pt: {
    label: (name: string) => `Seu menu, ${name}`,
    language: 'Idioma',
    theme: 'Cores',
    system: 'Como o sistema',
    light: 'Claro',
    dark: 'Escuro',
    signOut: 'Sair',
    everywhere: 'Sair de todos os lugares…',
    question: 'Sair de todos os lugares?',
    consequence: 'Todas as suas sessões terminam, em todos os aparelhos.',
    reference: 'Referência',
    account: 'Conta',
  },
});

/** Shows the signed-in user, language and colours, and the sign-out. */
export default function AccountMenu() {
  const t = useWords(words);
  const { user } = useCurrent();
  const roleName = useRoleName();
  const language = useLanguage();
  const theme = useTheme();
  const [asking, setAsking] = useState(false);
  const name = user.name === '' ? user.email : user.name;
  return (
    <>
      <Menu
        label={t.label(name)}
        trigger={<CircleUser aria-hidden size={24} />}
        actions={[
          { label: t.signOut, run: () => void signOut() },
          { label: t.everywhere, danger: true, run: () => setAsking(true) },
        ]}
      >
        <div className="menu-head">
          <strong>{name}</strong>
          <span className="muted">{roleName(user.role)}</span>
          <Link to="/account">{t.account}</Link>
        </div>
        <MenuChoice
          label={t.language}
          value={language}
          options={[
            ['en', 'English'],
            ['pt', 'Português'],
          ]}
          choose={chooseLanguage}
        />
        <MenuChoice
          label={t.theme}
          value={theme}
          options={[
            ['system', t.system],
            ['light', t.light],
            ['dark', t.dark],
          ]}
          choose={chooseTheme}
        />
      </Menu>
      {asking && (
        <ConfirmDialog
          title={t.question}
          action={t.signOut}
          danger
          run={signOutEverywhere}
          onClose={() => setAsking(false)}
        >
          <p>{t.consequence}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
