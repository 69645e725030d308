/** The frame of pages without a session. Used by the sign-in page and the pages of links from mails. */
import type { ReactNode } from 'react';
import { ShieldCheck } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { chooseLanguage, type Language, useLanguage } from './language.ts';

const LANGUAGES: readonly (readonly [Language, string, string])[] = [
  ['en', 'English', 'en'],
  ['pt', 'Português', 'pt-BR'],
];

/** Frame of pages for people who are not signed in: the name of the service and the language. */
export function Outside({ children }: { readonly children: ReactNode }) {
  const language = useLanguage();
  return (
    <div className="outside">
      <header className="outside-brand">
        <a href="/">
          <ShieldCheck aria-hidden size={22} />
          Compliance Onboarding
        </a>
      </header>
      <main id="main" tabIndex={-1} className="outside-page">
        {children}
      </main>
      <footer className="row">
        {LANGUAGES.map(([value, name, tag]) => (
          <Button
            key={value}
            look="quiet"
            small
            lang={tag}
            aria-pressed={value === language}
            onClick={() => chooseLanguage(value)}
          >
            {name}
          </Button>
        ))}
      </footer>
    </div>
  );
}
