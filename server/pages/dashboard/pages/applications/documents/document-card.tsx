/**
 * One document of an application or a company, with preview and download. Used by documents.tsx. Each download is in
 * the audit log, so the file is never fetched before somebody asks for it.
 */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { inLanguages, useWords } from '../../../core/language.ts';
import { part } from '../../../core/reachability.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFormat } from '../../../ui/format.ts';
import { Loaded, Loading } from '../../../ui/loaded.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { useCountryName } from '../form/countries.ts';
import { callsOf } from '../subject-calls.ts';
import type { Subject } from '../subject.ts';
import { type Document, nameOf, useNames } from '../words.ts';
import { DeleteDocument } from './delete-document.tsx';

const PdfPages = lazy(part(() => import('./pdf-pages.tsx')));

const words = inLanguages({
  en: {
    show: 'Show',
    hide: 'Hide',
    save: 'Save the file',
    preview: (name: string) => `Preview of ${name}`,
    expires: (day: string) => `valid until ${day}`,
    pages: (count: number) => (count === 1 ? '1 page' : `${count} pages`),
    reused: 'The same file is in another application.',
    trimmed: 'Bytes after the end of the picture, left by a camera or phone, were cut off.',
    withdrawn: 'The consent to its use was withdrawn.',
    fileErased: (time: string) =>
      `The file was erased on ${time}: the time for which selfies and videos are kept had passed.`,
    sealed: 'Your role does not see documents.',
    broken: 'The picture cannot be shown. Save the file to open it elsewhere.',
    answers: (items: string) => `Answers: ${items}`,
    audited: 'Each look at a document is written into the audit log.',
  },
  pt: {
    show: 'Mostrar',
    hide: 'Esconder',
    save: 'Salvar o arquivo',
    preview: (name: string) => `Visualização de ${name}`,
    expires: (day: string) => `válido até ${day}`,
    pages: (count: number) => (count === 1 ? '1 página' : `${count} páginas`),
    reused: 'O mesmo arquivo está em outra solicitação.',
    trimmed: 'Bytes depois do fim da imagem, deixados por uma câmera ou um celular, foram removidos.',
    withdrawn: 'O consentimento para o seu uso foi revogado.',
    fileErased: (time: string) => `O arquivo foi apagado em ${time}: o prazo de guarda de selfies e vídeos passou.`,
    sealed: 'O seu papel não vê documentos.',
    broken: 'Não foi possível mostrar a imagem. Salve o arquivo para abri-lo em outro lugar.',
    answers: (items: string) => `Responde a: ${items}`,
    audited: 'Cada consulta a um documento fica na trilha de auditoria.',
  },
});

const TONES: Readonly<Record<Document['status'], Tone>> = {
  uploaded: 'info',
  accepted: 'good',
  rejected: 'danger',
  superseded: 'neutral',
  erased: 'neutral',
};

interface Props {
  readonly subject: Subject;
  readonly document: Document;
  readonly mayOpen: boolean;
  readonly mayDelete: boolean;
}

export function DocumentCard({ subject, document, mayOpen, mayDelete }: Props) {
  const t = useWords(words);
  const names = useNames();
  const format = useFormat();
  const countryName = useCountryName();
  const [shown, setShown] = useState(false);
  const {
    type,
    side,
    country,
    expiresOn,
    fileName,
    sizeBytes,
    pageCount,
    status,
    rejectionCode,
    signals,
    answers,
    fileErasedAt,
    createdAt,
  } = document;
  const facts = [
    fileName,
    `${format.number(Math.max(1, Math.round(sizeBytes / 1000)))} kB`,
    pageCount === null ? '' : t.pages(pageCount),
    side === 'single' ? '' : names.sides[side],
    country === null ? '' : countryName(country),
    expiresOn === null ? '' : t.expires(format.day(expiresOn)),
    format.dateTime(createdAt),
  ];
  const openable = mayOpen && status !== 'erased' && fileErasedAt === null;
  return (
    <li className="document">
      <div className="document-head">
        <div>
          <p className="row">
            <strong>{names.documentTypes[type]}</strong>{' '}
            <Badge tone={TONES[status]}>{names.documentStatuses[status]}</Badge>
          </p>
          <p className="hint">{facts.filter((fact) => fact !== '').join(' · ')}</p>
          {answers !== null && (
            <p className="hint">
              {t.answers(answers.requirementKeys.map((key) => nameOf(names.requirements, key)).join(', '))}
            </p>
          )}
          {signals.includes('reused_in_other_application') && <p className="field-error">{t.reused}</p>}
          {signals.includes('tail_removed') && <p className="hint">{t.trimmed}</p>}
          {fileErasedAt !== null && <p className="hint">{t.fileErased(format.dateTime(fileErasedAt))}</p>}
          {rejectionCode === 'consent_withdrawn' && <p className="field-error">{t.withdrawn}</p>}
          {!mayOpen && <p className="hint">{t.sealed}</p>}
        </div>
        <div className="row">
          {openable && (
            <Button
              small
              aria-expanded={shown}
              aria-label={`${shown ? t.hide : t.show}: ${names.documentTypes[type]}`}
              onClick={() => setShown(!shown)}
            >
              {shown ? t.hide : t.show}
            </Button>
          )}
          {mayDelete && <DeleteDocument subject={subject} document={document} />}
        </div>
      </div>
      {shown && openable && <Preview subject={subject} document={document} />}
    </li>
  );
}

/** Fetches the file only on request, because each download is audited. */
export function Preview({ subject, document: { id, fileName, mimeType } }: Omit<Props, 'mayOpen' | 'mayDelete'>) {
  const t = useWords(words);
  const file = useQuery({
    queryKey: ['document', subject.id, id],
    queryFn: ({ signal }) => callsOf(subject).content(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return (
    <Loaded query={file}>
      {(blob) => (
        <div className="stack">
          <div className="preview" role="group" aria-label={t.preview(fileName)} tabIndex={0}>
            {mimeType === 'application/pdf' ? (
              <Suspense fallback={<Loading />}>
                <PdfPages file={blob} />
              </Suspense>
            ) : (
              <Picture file={blob} name={fileName} />
            )}
          </div>
          <div className="row">
            <Button small onClick={() => saveFile(fileName, blob)}>
              {t.save}
            </Button>
            <span className="hint">{t.audited}</span>
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Picture({ file, name }: { readonly file: Blob; readonly name: string }) {
  const t = useWords(words);
  const [address, setAddress] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (broken) return <Notice tone="warning">{t.broken}</Notice>;
  return address !== null && <img src={address} alt={t.preview(name)} onError={() => setBroken(true)} />;
}
