/**
 * Exports the log, or the part that the filters find. Opened by audit-page.tsx. One export runs at a time, and its file
 * can be downloaded for a limited time only.
 */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, explainAlso } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, RadioGroup } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problems } from '../../ui/problems.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { type AuditSearch, filterOf } from './audit-search.ts';

const words = inLanguages({
  en: {
    title: 'Export the log',
    some: 'The events that the filters of this page find are exported.',
    all: 'The whole log is exported. Filters of this page narrow it.',
    action: 'Export',
    format: 'Format',
    ndjson: 'NDJSON',
    ndjsonHint: 'Complete, and verifies elsewhere without this service.',
    csv: 'CSV',
    csvHint: 'For spreadsheets.',
    proofs: 'With proofs',
    proofsHint: ' Each event brings the path to a signed checkpoint.',
    running: (percent: number) =>
      `The log is being read: ${percent} %. You may close this page and come back to its address.`,
    ready: (events: string, bytes: string) => `Ready: ${events} events, ${bytes} bytes.`,
    until: 'It can be downloaded until',
    download: 'Download the export',
    failed: 'The log could not be read or signed. Verify it.',
    another: 'Another export',
  },
  pt: {
    title: 'Exportar a trilha',
    some: 'São exportados os eventos que os filtros desta página encontram.',
    all: 'A trilha inteira é exportada. Os filtros desta página a reduzem.',
    action: 'Exportar',
    format: 'Formato',
    ndjson: 'NDJSON',
    ndjsonHint: 'Completo, e se verifica em outro lugar sem este serviço.',
    csv: 'CSV',
    csvHint: 'Para planilhas.',
    proofs: 'Com provas',
    proofsHint: ' Cada evento traz o caminho até um ponto de verificação assinado.',
    running: (percent: number) =>
      `A trilha está sendo lida: ${percent} %. Você pode fechar esta página e voltar ao endereço dela.`,
    ready: (events: string, bytes: string) => `Pronta: ${events} eventos, ${bytes} bytes.`,
    until: 'Pode ser baixada até',
    download: 'Baixar a exportação',
    failed: 'Não foi possível ler ou assinar a trilha. Verifique-a.',
    another: 'Outra exportação',
  },
});

explainAlso({
  en: {},
  pt: {
    export_running: 'Outra exportação está em andamento.',
    export_expired: 'O prazo para baixar esta exportação passou. Exporte de novo.',
    range_too_wide: 'É muito de uma vez: escolha um período menor nos filtros.',
  },
});

const POLL_MS = 1_000;

/** Requests an export of the search and shows its progress. The URL contains its id, so that it can be found again. */
export function ExportDialog({ search, onClose }: { readonly search: AuditSearch; readonly onClose: () => void }) {
  const t = useWords(words);
  return (
    <Dialog title={t.title} onClose={onClose}>
      {search.export === undefined ? <Order search={search} /> : <Progress key={search.export} id={search.export} />}
    </Dialog>
  );
}

function Order({ search }: { readonly search: AuditSearch }) {
  const t = useWords(words);
  const navigate = useNavigate({ from: '/audit' });
  const keyFor = useIdempotencyKey();
  const filter = filterOf(search);
  const isNarrowed = Object.keys(filter).length > 0;
  const initial: Pick<Required<Schemas['AuditExportCreate']>, 'format' | 'includeProofs'> = {
    format: 'ndjson',
    includeProofs: false,
  };
  const form = useForm({
    initial,
    submit: async ({ format, includeProofs }) => {
      const body = { format, includeProofs: format === 'ndjson' && includeProofs, ...(isNarrowed && { filter }) };
      const { id } = await answerOf(
        client.POST('/v1/audit/exports', { params: { header: { 'Idempotency-Key': keyFor(body) } }, body }),
      );
      await navigate({ search: (before) => ({ ...before, export: id }), replace: true, resetScroll: false });
    },
  });
  const format = form.field('format');
  return (
    <>
      <p className="muted">{isNarrowed ? t.some : t.all}</p>
      <Form form={form} action={t.action}>
        <RadioGroup
          field={format}
          label={t.format}
          options={[
            { value: 'ndjson', label: t.ndjson, hint: t.ndjsonHint },
            { value: 'csv', label: t.csv, hint: t.csvHint },
          ]}
        />
        {format.value === 'ndjson' && (
          <Checkbox field={form.field('includeProofs')} label={t.proofs} hint={t.proofsHint} />
        )}
      </Form>
    </>
  );
}

function Progress({ id }: { readonly id: string }) {
  const t = useWords(words);
  const navigate = useNavigate({ from: '/audit' });
  const made = api.useQuery(
    'get',
    '/v1/audit/exports/{exportId}',
    { params: { path: { exportId: id } } },
    { refetchInterval: ({ state: { data } }) => (data?.status === 'running' ? POLL_MS : false) },
  );
  return (
    <div className="stack" aria-live="polite">
      <Loaded query={made}>{(found) => <State found={found} />}</Loaded>
      {made.data?.status !== 'running' && (
        <Button
          onClick={() =>
            void navigate({ search: (before) => ({ ...before, export: undefined }), replace: true, resetScroll: false })
          }
        >
          {t.another}
        </Button>
      )}
    </div>
  );
}

function State({
  found: { id, status, format, progressPercent, eventCount, sizeBytes, expiresAt, createdAt },
}: {
  readonly found: Schemas['AuditExport'];
}) {
  const t = useWords(words);
  const { number, precise } = useFormat();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  if (status === 'running') return <Notice>{t.running(progressPercent)}</Notice>;
  if (status !== 'ready' || expiresAt === null) return <Notice tone="error">{t.failed}</Notice>;
  const download = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      saveFile(
        `audit-log-${createdAt.slice(0, 10)}.${format}`,
        await answerOf(
          client.GET('/v1/audit/exports/{exportId}/content', { params: { path: { exportId: id } }, parseAs: 'blob' }),
        ),
      );
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Notice tone="good">
        <strong>{t.ready(number(eventCount ?? 0), number(sizeBytes ?? 0))}</strong> {t.until}{' '}
        <time dateTime={expiresAt}>{precise(expiresAt)}</time>.
      </Notice>
      {error !== null && <Problems error={error} />}
      <Button look="primary" busy={busy} onClick={() => void download()}>
        {t.download}
      </Button>
    </>
  );
}
