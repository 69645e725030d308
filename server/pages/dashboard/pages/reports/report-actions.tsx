/** What can be done with a report now: change, decide, file it, and save its file. Used by report-page.tsx. */
import { useState } from 'react';
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Problems } from '../../ui/problems.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ChangeReport } from './change-report.tsx';
import { DecideReport } from './decide-report.tsx';
import { FileReport } from './file-report.tsx';
import { isOpen, type Report } from './report-words.ts';

const words = inLanguages({
  en: {
    change: 'Day, amount, parties',
    decide: 'Decide',
    file: 'Mark as filed',
    save: 'Save the file for submission',
    recorded: 'Each download is recorded in the sealed log.',
  },
  pt: {
    change: 'Dia, valor, envolvidos',
    decide: 'Decidir',
    file: 'Marcar como enviada',
    save: 'Salvar o arquivo de envio',
    recorded: 'Cada download é registrado na trilha lacrada.',
  },
});

export function ReportActions({ report }: { readonly report: Report }) {
  const t = useWords(words);
  const [shown, setShown] = useState<'change' | 'decide' | 'file' | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { id, kind, status } = report;
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      const params = { path: { reportId: id } };
      const call = client.GET('/v1/cases/reports/{reportId}/submission-file', { params, parseAs: 'blob' });
      const content = await answerOf(call);
      saveFile(nameIn((await call).response, id), content);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const close = () => setShown(null);
  const isDecided = status === 'decided_report' || status === 'filed';
  return (
    <>
      {error !== null && <Problems error={error} />}
      {isOpen(report) && kind !== 'non_occurrence' && <Button onClick={() => setShown('change')}>{t.change}</Button>}
      {status === 'draft' && (
        <Button look="primary" onClick={() => setShown('decide')}>
          {t.decide}
        </Button>
      )}
      {isDecided && (
        <Button busy={busy} onClick={() => void save()} title={t.recorded}>
          {t.save}
        </Button>
      )}
      {status === 'decided_report' && (
        <Button look="primary" onClick={() => setShown('file')}>
          {t.file}
        </Button>
      )}
      {shown === 'change' && <ChangeReport report={report} close={close} />}
      {shown === 'decide' && <DecideReport report={report} close={close} />}
      {shown === 'file' && <FileReport report={report} close={close} />}
    </>
  );
}

/** Returns the name that the service gave the file. */
function nameIn({ headers }: Response, otherwise: string): string {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? otherwise;
}
