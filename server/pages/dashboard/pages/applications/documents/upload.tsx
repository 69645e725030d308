/**
 * The form that uploads a document. Used by documents.tsx. The service checks the content and refuses; the words for
 * those refusals are in refusals.ts. A file that is already there is told apart from a new one.
 */
import { useEffect } from 'react';
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { announce } from '../../../ui/toasts.tsx';
import { useReadAgain } from '../changed.ts';
import { useCountries } from '../form/countries.ts';
import { callsOf } from '../subject-calls.ts';
import { useOpenSubject } from '../subject-link.tsx';
import type { Subject } from '../subject.ts';
import { type DocumentType, nameOf, optionsOf, useNames } from '../words.ts';
import { multipart } from './multipart.ts';

type Side = Schemas['DocumentSideInput'];

const words = inLanguages({
  en: {
    type: 'What it is',
    side: 'Side',
    country: 'Issued in',
    expires: 'Valid until',
    upload: 'Upload',
    file: 'File',
    kinds: 'JPEG, PNG, WebP or PDF, up to 15 MB.',
    choose: 'Choose a file.',
    added: 'The document is added.',
    answers: (items: string) => `The document is added, and answers: ${items}.`,
    again: 'This file was already uploaded. It was not added again and meets no open request: choose another one.',
    sending: (name: string) => `Sending ${name}…`,
    messages: {
      consent_withdrawn:
        'The use of biometrics was withdrawn. Record another consent, or another legal basis, ' +
        'and upload another picture.',
    },
  },
  pt: {
    type: 'O que é',
    side: 'Lado',
    country: 'Emitido em',
    expires: 'Válido até',
    upload: 'Enviar',
    file: 'Arquivo',
    kinds: 'JPEG, PNG, WebP ou PDF, até 15 MB.',
    choose: 'Escolha um arquivo.',
    added: 'O documento foi acrescentado.',
    answers: (items: string) => `O documento foi acrescentado e responde a: ${items}.`,
    again:
      'Este arquivo já está aqui. Ele não foi acrescentado de novo e não responde a nada do que se ' +
      'pede agora: escolha outro.',
    sending: (name: string) => `Enviando ${name}…`,
    messages: {
      consent_withdrawn:
        'O uso de biometria foi revogado. Registre um novo consentimento, ou outra base legal, e envie outra imagem.',
    },
  },
});

interface Values {
  readonly type: DocumentType;
  readonly side: Side;
  readonly country: string;
  readonly expiresOn: string;
  readonly file: File | null;
}

interface Props {
  readonly subject: Subject;
  readonly initialType: DocumentType;
  /** Sources that would meet open requirements. Their types come first, and their sides are preselected. */
  readonly missingSources: readonly Schemas['RequirementSource'][];
}

export function Upload({ subject, initialType, missingSources }: Props) {
  const t = useWords(words);
  const names = useNames();
  const countries = useCountries();
  const readAgain = useReadAgain(subject);
  const close = useOpenSubject(subject);
  const keyFor = useIdempotencyKey();
  const sideFor = (type: DocumentType): Side =>
    missingSources.find(({ documentType }) => documentType === type)?.sides?.[0] === 'front' ? 'front' : 'single';
  const initial: Values = {
    type: initialType,
    side: sideFor(initialType),
    country: '',
    expiresOn: '',
    file: null,
  };
  const form = useForm({
    initial,
    required: { file: t.choose },
    messages: t.messages,
    handle: (error) => (error instanceof KnownFile ? { file: [t.again] } : null),
    submit: async ({ file, type, side, country, expiresOn }) => {
      if (file === null) return;
      const key = keyFor({
        id: subject.id,
        type,
        side,
        country,
        expiresOn,
        name: file.name,
        size: file.size,
        changed: file.lastModified,
      });
      const body = {
        file,
        type,
        side,
        ...(country !== '' && { country }),
        ...(expiresOn !== '' && { expiresOn }),
      };
      const {
        document: { answers },
        isKnown,
      } = await callsOf(subject).upload(body, multipart(body, file), key);
      if (isKnown) throw new KnownFile();
      await readAgain();
      announce(
        answers === null
          ? t.added
          : t.answers(answers.requirementKeys.map((requirement) => nameOf(names.requirements, requirement)).join(', ')),
      );
      close();
    },
  });
  const type = form.field('type');
  useEffect(() => {
    const field = document.getElementById(`${type.id}`);
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [type.id]);
  const likely = missingSources.map(({ documentType }) => documentType);
  const types = [...optionsOf(names.documentTypes)].sort(
    ([a], [b]) => Number(likely.includes(b)) - Number(likely.includes(a)),
  );
  const changeType = (to: DocumentType) => form.set({ type: to, side: sideFor(to) });
  return (
    <div className="card" id="upload">
      <Form form={form} action={t.upload} cancel={close}>
        <div className="form-grid">
          <SelectField field={{ ...type, change: changeType }} label={t.type} options={types} />
          <SelectField field={form.field('side')} label={t.side} options={optionsOf(names.sides)} />
          <SelectField field={form.field('country')} label={t.country} optional options={countries} />
          <TextField field={form.field('expiresOn')} type="date" label={t.expires} optional />
        </div>
        <FileField
          field={form.field('file')}
          label={t.file}
          hint={t.kinds}
          accept="image/jpeg,image/png,image/webp,application/pdf"
        />
        {/* Browsers do not report the progress of a request, so the bar only shows activity. */}
        {form.busy && (
          <p className="upload-progress" role="status">
            {t.sending(form.values.file?.name ?? '')}
            <progress aria-label={t.upload} />
          </p>
        )}
      </Form>
    </div>
  );
}

/** The file was already uploaded. The service stores a file once. */
class KnownFile extends Error {}
