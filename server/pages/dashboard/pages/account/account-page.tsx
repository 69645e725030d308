/** The page `/account`, for the user's own account. Opened by shell/routes.tsx. */
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { navigationWords } from '../../core/navigation.ts';
import { useRoleName } from '../../core/roles.ts';
import { Page, Section } from '../../ui/page.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionList } from './session-list.tsx';
import './account.css';

const words = inLanguages({
  en: {
    sessions: 'Where you are signed in',
    as: (name: string, email: string, role: string, tenant: string) =>
      `${name === '' ? email : `${name}, ${email}`}. ${role} of ${tenant}.`,
  },
  pt: {
    sessions: 'Onde você está conectado',
    as: (name: string, email: string, role: string, tenant: string) =>
      `${name === '' ? email : `${name}, ${email}`}. ${role} em ${tenant}.`,
  },
});

/** Settings of the user's own account: second factor, password and sessions. */
export function AccountPage() {
  const t = useWords(words);
  const { pages } = useWords(navigationWords);
  const { user, tenant, mfaEnrolmentRequired } = useCurrent();
  const roleName = useRoleName();
  return (
    <Page title={pages['/account']} lead={t.as(user.name, user.email, roleName(user.role), tenant.name)} narrow>
      <SecondFactorSection />
      {!mfaEnrolmentRequired && (
        <>
          <PasswordSection />
          <Section title={t.sessions}>
            <SessionList userId={user.id} own mayEnd />
          </Section>
        </>
      )}
    </Page>
  );
}
