/**
 * The page `/settings`. Opened by shell/routes.tsx. It warns before unsaved changes are lost; roles that may not change
 * a section only see it.
 */
import './settings.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useBlocker, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { api } from '../../core/api.ts';
import { useCurrent, useMay, useRefreshCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { cases } from './case-settings.tsx';
import { decisionPolicy } from './decision-policy.tsx';
import { providers } from './provider-settings.tsx';
import { workflows } from './workflow-settings.tsx';
import { reports } from './report-settings.tsx';
import { risk } from './risk-settings.tsx';
import { type SectionKey, type Settings, wholeSettings } from './section.ts';
import { sectionForm, type SectionProps } from './section-form.tsx';
import {
  branding,
  customActTypes,
  fundsRecovery,
  ownership,
  queues,
  retention,
  screening,
  security,
} from './sections.tsx';
import { SECTION_KEYS } from './settings-search.ts';
import { settingsWords } from './settings-words.ts';

const words = inLanguages({
  en: {
    title: 'Settings',
    sections: 'Sections',
    untouched: 'Nothing has been changed yet: these are the defaults of the platform.',
    last: (when: string, who: string) => `Last changed ${when} by ${who}.`,
    saved: (title: string) => `${title} saved.`,
    unsaved: 'not saved',
    leave: 'Leave without saving?',
    lost: 'What you entered and did not save is lost.',
    discard: 'Leave',
  },
  pt: {
    title: 'Configurações',
    sections: 'Seções',
    untouched: 'Nada foi mudado ainda: estes são os padrões da plataforma.',
    last: (when: string, who: string) => `Última mudança ${when} por ${who}.`,
    saved: (title: string) => `Salvo: ${title}.`,
    unsaved: 'não salvo',
    leave: 'Sair sem salvar?',
    lost: 'O que você digitou e não salvou se perde.',
    discard: 'Sair',
  },
});

const FORMS: Readonly<Record<SectionKey, (props: SectionProps) => ReactNode>> = {
  branding: sectionForm(branding),
  decisionPolicy: sectionForm(decisionPolicy),
  ownership: sectionForm(ownership),
  screening: sectionForm(screening),
  retention: sectionForm(retention),
  security: sectionForm(security),
  queues: sectionForm(queues),
  cases: sectionForm(cases),
  risk: sectionForm(risk),
  customActTypes: sectionForm(customActTypes),
  fundsRecovery: sectionForm(fundsRecovery),
  reports: sectionForm(reports),
  providers: sectionForm(providers),
  workflows: sectionForm(workflows),
};

/** Sections that compliance officers cannot change: how the tenant presents itself and how its users sign in. */
const NOT_COMPLIANCE: readonly SectionKey[] = ['branding', 'security'];

export function SettingsPage() {
  const settings = api.useQuery('get', '/v1/settings');
  return (
    <Loaded query={settings}>
      {(answer) => <Sections settings={wholeSettings(answer)} catchUp={() => void settings.refetch()} />}
    </Loaded>
  );
}

/** Shows one section at a time, each with its own URL. The others keep their entered values. */
function Sections({ settings, catchUp }: { readonly settings: Settings; readonly catchUp: () => void }) {
  const t = useWords(words);
  const { sections } = useWords(settingsWords);
  const { section: shown = 'branding' } = useSearch({ from: '/signed-in/settings' });
  const { user } = useCurrent();
  const may = useMay();
  const refreshCurrent = useRefreshCurrent();
  const queries = useQueryClient();
  const [unsavedKeys, setUnsavedKeys] = useState<readonly SectionKey[]>([]);
  const unsaved = useCallback(
    (key: SectionKey, isUnsaved: boolean) =>
      setUnsavedKeys((before) => [...before.filter((other) => other !== key), ...(isUnsaved ? [key] : [])]),
    [],
  );
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsavedKeys.length > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsavedKeys.length > 0,
    withResolver: true,
  });
  const titles = {
    branding: sections.branding.title,
    decisionPolicy: sections.decisionPolicy.title,
    ownership: sections.ownership.title,
    screening: sections.screening.title,
    retention: sections.retention.title,
    security: sections.security.title,
    queues: sections.queues.title,
    cases: sections.cases.title,
    risk: sections.risk.title,
    customActTypes: sections.customActTypes.title,
    fundsRecovery: sections.fundsRecovery.title,
    reports: sections.reports.title,
    providers: sections.providers.title,
    workflows: sections.workflows.title,
  };
  const saved = (now: Settings, title: string) => {
    queries.setQueryData(api.queryOptions('get', '/v1/settings').queryKey, now);
    announce(t.saved(title));
    // A user without a second factor who requires one of everyone must enrol first.
    void refreshCurrent();
  };
  const mayChange = (key: SectionKey) =>
    may('updateSettings') && (user.role !== 'compliance_officer' || !NOT_COMPLIANCE.includes(key));

  return (
    <Page title={t.title} lead={<History settings={settings} />}>
      <div className="settings">
        <nav aria-label={t.sections} className="settings-sections">
          <ul>
            {SECTION_KEYS.map((key) => (
              <li key={key}>
                <Link to="/settings" search={{ section: key }} aria-current={key === shown ? 'page' : undefined}>
                  {titles[key]}
                  {unsavedKeys.includes(key) && (
                    <>
                      <span className="settings-unsaved" aria-hidden="true" />
                      <span className="visually-hidden"> ({t.unsaved})</span>
                    </>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {SECTION_KEYS.map((key) => {
          const Form = FORMS[key];
          return (
            <div key={key} hidden={key !== shown}>
              <Form
                settings={settings}
                mayChange={mayChange(key)}
                titles={titles}
                saved={saved}
                catchUp={catchUp}
                unsaved={unsaved}
              />
            </div>
          );
        })}
      </div>
      {blocker.status === 'blocked' && (
        <ConfirmDialog
          title={t.leave}
          action={t.discard}
          danger
          run={async () => blocker.proceed()}
          onClose={blocker.reset}
        >
          <p>{t.lost}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function History({ settings: { updatedBy, updatedAt } }: { readonly settings: Settings }) {
  const t = useWords(words);
  const format = useFormat();
  return updatedBy === null ? t.untouched : t.last(format.relative(updatedAt), updatedBy.display);
}
