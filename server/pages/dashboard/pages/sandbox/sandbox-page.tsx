/**
 * The page `/sandbox`. Opened by shell/routes.tsx. The switch decides where new records go; clearing it removes every
 * record of the sandbox.
 */
import './sandbox.css';
import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useCurrent, useMay, useRefreshCurrent } from '../../core/current.tsx';
import { useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problems } from '../../ui/problems.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { Personas } from './personas.tsx';
import { Simulate } from './simulate.tsx';
import { words } from './words.ts';

type SandboxStatus = Schemas['SandboxStatus'];

/** The sandbox of the tenant: its switch, its clock, its content and its personas. */
export function SandboxPage() {
  const t = useWords(words);
  const sandbox = api.useQuery('get', '/v1/sandbox');
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/sandbox').queryKey });
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={sandbox}>
        {(status) => (
          <>
            <Switch status={status} reload={reload} />
            <div className="sandbox-pair">
              <Clock clock={status.clock} />
              <Contents counts={status.counts} reload={reload} />
            </div>
            <Simulate status={status} reload={reload} />
            <Personas status={status} reload={reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Switches the sandbox on or off, and explains its state. */
function Switch({
  status: { enabled, enabledAt, enabledBy, warnings },
  reload,
}: {
  readonly status: SandboxStatus;
  readonly reload: () => Promise<void>;
}) {
  const t = useWords(words);
  const may = useMay();
  const label = useId();
  const { tenant } = useCurrent();
  const refresh = useRefreshCurrent();
  const format = useFormat();
  const keyFor = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const flip = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    const header = { 'Idempotency-Key': keyFor([enabled, enabledAt]) };
    try {
      await answerOf(
        enabled
          ? client.POST('/v1/sandbox/disable', { params: { header } })
          : client.POST('/v1/sandbox/enable', { params: { header } }),
      );
      await Promise.all([reload(), refresh()]);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="card stack" aria-labelledby={label}>
      <div className="section-header">
        <h2 id={label}>{t.mode}</h2>
        {may(enabled ? 'disableSandbox' : 'enableSandbox') && (
          <button
            type="button"
            role="switch"
            className="sandbox-switch"
            aria-checked={enabled}
            aria-labelledby={label}
            aria-disabled={busy || undefined}
            onClick={() => void flip()}
          />
        )}
      </div>
      <p>
        <strong>{enabled ? t.on : t.off}</strong>
        {enabled && enabledAt !== null && ` ${t.since(format.relative(enabledAt))}`}
        {enabled && enabledBy?.display != null && `, ${t.by(enabledBy.display)}`}. {enabled ? t.onText : t.offText}
      </p>
      {tenant.status === 'onboarding' && (
        <Notice>
          {t.onboarding} <Link to="/onboarding">{t.checklist}</Link>
        </Notice>
      )}
      {warnings.map(({ code, message, prefixes }) => (
        <Notice key={code} tone="warning">
          {Object.entries(t.redirected).find(([known]) => known === code)?.[1] ?? message}
          <ul>
            {prefixes.map((prefix) => (
              <li key={prefix}>
                <code>{prefix}</code>
              </li>
            ))}
          </ul>
        </Notice>
      ))}
      {error !== null && <Problems error={error} />}
    </section>
  );
}

/** Shows the time in the sandbox. */
function Clock({ clock: { now, offsetSeconds } }: { readonly clock: SandboxStatus['clock'] }) {
  const t = useWords(words);
  const format = useFormat();
  const [days, hours] = [Math.floor(offsetSeconds / 86_400), Math.floor((offsetSeconds % 86_400) / 3600)];
  const span = [
    ...(days > 0 ? [t.days(days)] : []),
    ...(hours > 0 ? [t.hours(hours)] : []),
    ...(days + hours === 0 ? [t.minutes(Math.ceil(offsetSeconds / 60))] : []),
  ].join(', ');
  return (
    <Section title={t.clock}>
      <p className="sandbox-clock">{format.dateTime(now)}</p>
      <p className="muted">{offsetSeconds === 0 ? t.real : t.ahead(span)}</p>
    </Section>
  );
}

/** Shows the content of the sandbox, and clears it. */
function Contents({
  counts,
  reload,
}: {
  readonly counts: SandboxStatus['counts'];
  readonly reload: () => Promise<void>;
}) {
  const t = useWords(words);
  const may = useMay();
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const { applications, documents, fundsRecoveryEvents } = counts;
  const remove = async () => {
    const { deleted } = await answerOf(client.DELETE('/v1/sandbox/data'));
    await reload();
    announce(t.removed(deleted.applications, deleted.documents, deleted.fundsRecoveryEvents));
  };
  return (
    <Section title={t.holds}>
      <Facts
        facts={[
          [t.applications, format.number(applications)],
          [t.documents, format.number(documents)],
          [t.events, format.number(fundsRecoveryEvents)],
        ]}
      />
      {may('deleteSandboxData') && applications + documents + fundsRecoveryEvents > 0 && (
        <p>
          <Button look="quiet-danger" small onClick={() => setAsking(true)}>
            {t.remove}
          </Button>
        </p>
      )}
      {asking && (
        <ConfirmDialog title={t.removeTitle} action={t.remove} danger run={remove} onClose={() => setAsking(false)}>
          <p>{t.removeText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
