/**
 * The page `/camera`, on which staff photograph a document of an application with their telephone. It is a document of
 * its own, which alone may use the camera, so it leaves to other pages only by loading them.
 */
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { CurrentProvider } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Outside } from '../../core/outside.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { multipart } from '../applications/documents/multipart.ts';
import { callsOf } from '../applications/subject-calls.ts';
import { subjectOfApplication } from '../applications/subject.ts';
import { type Application, type DocumentType, optionsOf, useNames } from '../applications/words.ts';
import { Viewfinder } from './viewfinder.tsx';

const words = inLanguages({
  en: {
    title: 'Photograph a document',
    of: (name: string) => `For the application of ${name}.`,
    type: 'What it is',
    side: 'Side',
    take: 'Take a picture first.',
    upload: 'Upload the picture',
    added: 'The document is added.',
    again: 'This picture was already uploaded. Take another one.',
    back: 'Back to the application',
  },
  pt: {
    title: 'Fotografar um documento',
    of: (name: string) => `Para a solicitação de ${name}.`,
    type: 'O que é',
    side: 'Lado',
    take: 'Tire uma foto primeiro.',
    upload: 'Enviar a foto',
    added: 'O documento foi acrescentado.',
    again: 'Esta foto já foi enviada. Tire outra.',
    back: 'Voltar à solicitação',
  },
});

/**
 * Documents that people photograph. A selfie needs the basis for biometric data, which the page of uploads explains.
 */
const TYPES: readonly DocumentType[] = [
  'id_card',
  'driver_license',
  'passport',
  'national_migration_card',
  'proof_of_address',
  'proof_of_income',
  'other',
];

const route = getRouteApi('/camera');

export function CameraPage() {
  const { applicationId } = route.useSearch();
  const current = api.useQuery('get', '/v1/auth/me');
  const application = api.useQuery('get', '/v1/applications/{applicationId}', { params: { path: { applicationId } } });
  return (
    <Outside>
      <Loaded query={current}>
        {(user) => (
          <CurrentProvider current={user}>
            <Loaded query={application}>{(found) => <Photograph application={found} />}</Loaded>
          </CurrentProvider>
        )}
      </Loaded>
    </Outside>
  );
}

interface Values {
  readonly type: DocumentType;
  readonly side: Schemas['DocumentSideInput'];
  readonly file: File | null;
}

const INITIAL: Values = { type: 'id_card', side: 'front', file: null };

function Photograph({ application }: { readonly application: Application }) {
  const t = useWords(words);
  const [count, setCount] = useState(0);
  return (
    <Page title={t.title} lead={t.of(application.applicant.fullName)}>
      {/* A new form for each picture, with a camera that starts again. */}
      <PictureForm key={count} application={application} added={() => setCount(count + 1)} />
      <p>
        <a href={`/applications/${application.id}`}>{t.back}</a>
      </p>
    </Page>
  );
}

function PictureForm({ application, added }: { readonly application: Application; readonly added: () => void }) {
  const t = useWords(words);
  const names = useNames();
  const keyFor = useIdempotencyKey();
  const subject = subjectOfApplication(application);
  const form = useForm({
    initial: INITIAL,
    required: { file: t.take },
    submit: async ({ file, type, side }) => {
      if (file === null) return;
      const key = keyFor({
        id: subject.id,
        type,
        side,
        name: file.name,
      });
      const body = { file, type, side };
      const { isKnown } = await callsOf(subject).upload(body, multipart(body, file), key);
      announce(isKnown ? t.again : t.added);
      added();
    },
  });
  const types = optionsOf(names.documentTypes).filter(([type]) => TYPES.includes(type));
  return (
    <Form form={form} action={t.upload}>
      <div className="form-grid">
        <SelectField field={form.field('type')} label={t.type} options={types} />
        <SelectField field={form.field('side')} label={t.side} options={optionsOf(names.sides)} />
      </div>
      <Viewfinder field={form.field('file')} />
    </Form>
  );
}
