/**
 * The page `/onboarding`, the checklist of a tenant before it goes live. Opened by shell/routes.tsx. The service
 * decides which steps are done.
 */
import './onboarding.css';
import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { useWords } from '../../core/language.ts';
import { type NavigationEntry, navigationWords, openTo } from '../../core/navigation.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { settingsSearch } from '../settings/settings-search.ts';
import { DismissDialog, GoLiveDialog, RestoreDialog } from './onboarding-dialogs.tsx';
import { words } from './words.ts';

type Checklist = Schemas['Checklist'];
type Step = Schemas['ChecklistStep'];

/** Shows the remaining steps before the tenant goes live, and the next one. It is reloaded at each window focus. */
export function OnboardingPage() {
  const t = useWords(words);
  const { tenant } = useCurrent();
  const checklist = api.useQuery(
    'get',
    '/v1/onboarding/checklist',
    {},
    { staleTime: 0, refetchOnWindowFocus: 'always' },
  );
  const isLive = checklist.data !== undefined && checklist.data.tenantStatus !== 'onboarding';
  return (
    <Page
      title={t.title}
      lead={isLive ? t.liveLead : t.lead}
      badges={isLive ? <Badge tone="good">{t.live(tenant.name)}</Badge> : undefined}
    >
      <Loaded query={checklist}>{(data) => <Steps checklist={data} />}</Loaded>
    </Page>
  );
}

type Asked = { readonly kind: 'go-live' } | { readonly kind: 'dismiss' | 'restore'; readonly step: Step };

function Steps({ checklist }: { readonly checklist: Checklist }) {
  const t = useWords(words);
  const may = useMay();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { steps, progressPercent, goLiveReady, missingRequired, tenantStatus } = checklist;
  const isLive = tenantStatus !== 'onboarding';
  const settled = steps.filter(({ status }) => status === 'done' || status === 'dismissed').length;
  const titleOf = (key: string) => t.steps[key] ?? steps.find((step) => step.key === key)?.title ?? key;
  const next =
    isLive || checklist.nextStep === 'go_live' ? undefined : steps.find(({ key }) => key === checklist.nextStep);
  const reload = () =>
    queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/onboarding/checklist').queryKey });
  const close = () => setAsked(null);

  return (
    <>
      <section className="card stack" aria-label={t.progressLabel}>
        <p>
          <strong>{t.progress(settled, steps.length)}</strong>
        </p>
        <progress max={100} value={progressPercent} aria-label={t.progressLabel} />
        {!isLive && missingRequired.length > 0 && <p className="muted">{t.missing(missingRequired.length)}</p>}
        {next !== undefined && (
          <p className="row">
            <strong>{t.next}:</strong>{' '}
            <StepLink step={next} primary>
              {titleOf(next.key)}
            </StepLink>
          </p>
        )}
        {!isLive && goLiveReady && may('goLive') && (
          <p>
            <Button look="primary" onClick={() => setAsked({ kind: 'go-live' })}>
              {t.goLive}
            </Button>
          </p>
        )}
      </section>
      <ol className="onboarding-steps">
        {steps.map((step) => (
          <StepItem
            key={step.key}
            step={step}
            titleOf={titleOf}
            isNext={step === next}
            dismiss={() => setAsked({ kind: 'dismiss', step })}
            restore={() => setAsked({ kind: 'restore', step })}
          />
        ))}
      </ol>
      {asked?.kind === 'go-live' && <GoLiveDialog changed={reload} close={close} />}
      {asked?.kind === 'dismiss' && (
        <DismissDialog step={asked.step} title={titleOf(asked.step.key)} changed={reload} close={close} />
      )}
      {asked?.kind === 'restore' && (
        <RestoreDialog step={asked.step} title={titleOf(asked.step.key)} changed={reload} close={close} />
      )}
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = { done: 'good', todo: 'warning' };
const MARKS: Readonly<Record<string, string>> = { done: '✓', dismissed: '–' };

interface StepProps {
  readonly step: Step;
  readonly titleOf: (key: string) => string;
  readonly isNext: boolean;
  readonly dismiss: () => void;
  readonly restore: () => void;
}

function StepItem({ step, titleOf, isNext, dismiss, restore }: StepProps) {
  const t = useWords(words);
  const may = useMay();
  const format = useFormat();
  const { key, required, status, completedAt, regressedAt, evidence, blockedBy, dismissal } = step;
  const isOpen = status === 'todo' || status === 'blocked';
  const mayDismiss = may('dismissChecklistStep') && !required;
  const title = titleOf(key);
  return (
    <li className={isNext ? 'onboarding-step next' : 'onboarding-step'} data-status={status}>
      <span className="onboarding-mark" aria-hidden="true">
        {MARKS[status]}
      </span>
      <div className="stack">
        <div className="section-header">
          <h2>{title}</h2>
          <span className="row">
            <Badge tone={TONES[status]}>{t.statuses[status] ?? status}</Badge>
            {!required && <Badge>{t.optional}</Badge>}
          </span>
        </div>
        {status === 'done' && completedAt !== null && (
          <p className="muted">
            {t.since} {format.day(completedAt)}
          </p>
        )}
        {status === 'done' && (
          <p className="row muted">
            {evidence.map((one) => (
              <Evidence key={one.id} {...one} />
            ))}
          </p>
        )}
        {regressedAt !== null && isOpen && (
          <Notice tone="warning">
            {t.fellBack} {format.relative(regressedAt)}.
          </Notice>
        )}
        {blockedBy.length > 0 && isOpen && <p className="muted">{t.first(blockedBy.map(titleOf).join('; '))}</p>}
        {dismissal !== null && (
          <p className="muted">
            “{dismissal.reason}” ({dismissal.by.display ?? dismissal.by.type}, {format.relative(dismissal.at)})
          </p>
        )}
        <div className="row">
          {isOpen && blockedBy.length === 0 && key !== 'go_live' && <StepLink step={step} />}
          {isOpen && mayDismiss && (
            <Button look="quiet" small onClick={dismiss}>
              {t.putAside}
              <span className="visually-hidden"> ({title})</span>
            </Button>
          )}
          {status === 'dismissed' && mayDismiss && (
            <Button look="quiet" small onClick={restore}>
              {t.takeUp}
              <span className="visually-hidden"> ({title})</span>
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

/**
 * Shows the evidence that a step is done: a person, a key, or a link to an event. Nothing if the title already says it.
 */
function Evidence({ type, id }: Step['evidence'][number]) {
  const t = useWords(words);
  const may = useMay();
  if (type === 'user') return may('getUser') && <Member userId={id} />;
  if (type === 'api_key' || type === 'watch_list') return <code>{id}</code>;
  if (type === 'application')
    return (
      may('getApplication') && (
        <Link to="/applications/$applicationId" params={{ applicationId: id }}>
          {t.application}
        </Link>
      )
    );
  if (type === 'audit_event')
    return (
      may('listAuditEvents') && (
        <Link to="/audit" search={{ event: id }}>
          {t.event}
        </Link>
      )
    );
  return null;
}

/** Names a member. A person who has left since is not named. */
function Member({ userId }: { readonly userId: string }) {
  const user = api.useQuery('get', '/v1/users/{userId}', { params: { path: { userId } } });
  return user.data && <span>{user.data.name}</span>;
}

/** Links to the page of a step, unless this role cannot open that page. */
function StepLink({
  step: { howTo },
  primary = false,
  children,
}: {
  readonly step: Step;
  readonly primary?: boolean;
  readonly children?: ReactNode;
}) {
  const t = useWords(words);
  const { pages } = useWords(navigationWords);
  const [path, query] = howTo.split(/[?#]/);
  const place: NavigationEntry | undefined = openTo(useCurrent()).find(({ to }) => to === path);
  const search = settingsSearch(Object.fromEntries(new URLSearchParams(query)));
  if (place === undefined)
    return (
      <>
        {children} <span className="muted">{t.ask}</span>
      </>
    );
  return primary ? (
    <ButtonLink look="primary" to={place.to} search={search}>
      {children}
    </ButtonLink>
  ) : (
    <Link to={place.to} search={search}>
      {pages[place.to]}
    </Link>
  );
}
