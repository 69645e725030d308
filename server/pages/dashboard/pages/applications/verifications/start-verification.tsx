/**
 * The button and dialog by which an analyst starts a verification: of a document, of a face against it, or in a
 * register. Part of verifications.tsx. A challenge of liveness is answered by the applicant on the camera page.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../../core/api.ts';
import { useMay } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { answerOf } from '../../../core/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RadioGroup, SelectField } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { announce } from '../../../ui/toasts.tsx';
import { type Application, type Document, nameOf, optionsOf, useNames } from '../words.ts';
import { useVerificationNames } from './verification-words.ts';

const words = inLanguages({
  en: {
    action: 'Verify',
    title: 'Start a verification',
    about: 'The service looks at it now. Five attempts of each type are allowed; an error of a provider uses none.',
    type: 'What is verified',
    hints: {
      document_ocr: 'Reads a document and compares it with the application.',
      face_match: 'Compares a selfie with the picture of a document. It needs the consent to biometric data.',
      registry: 'Asks a register about the CPF.',
    },
    document: 'Document',
    selfie: 'Selfie',
    source: 'Register',
    choose: 'Choose',
    done: 'The verification was started.',
    missing: {
      document: 'Choose a document.',
      selfie: 'Choose a selfie.',
      source: 'Choose a register.',
    },
  },
  pt: {
    action: 'Verificar',
    title: 'Iniciar uma verificação',
    about: 'O serviço verifica agora. São cinco tentativas de cada tipo; um erro de um provedor não usa nenhuma.',
    type: 'O que é verificado',
    hints: {
      document_ocr: 'Lê um documento e o compara com o cadastro.',
      face_match: 'Compara uma selfie com a foto de um documento. Exige o consentimento para dados biométricos.',
      registry: 'Consulta o CPF em um cadastro.',
    },
    document: 'Documento',
    selfie: 'Selfie',
    source: 'Cadastro',
    choose: 'Escolha',
    done: 'A verificação foi iniciada.',
    missing: {
      document: 'Escolha um documento.',
      selfie: 'Escolha uma selfie.',
      source: 'Escolha um cadastro.',
    },
  },
});

type Type = Exclude<Schemas['VerificationTypeInput'], 'liveness'>;
type Source = Schemas['RegistrySourceInput'];

const TYPES = ['document_ocr', 'face_match', 'registry'] as const satisfies readonly Type[];
const OF_IDENTITY: readonly Document['type'][] = ['id_card', 'driver_license', 'passport', 'national_migration_card'];

interface Props {
  readonly application: Application;
}

export function StartVerification({ application }: Props) {
  const t = useWords(words);
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('createVerification') || application.personalDataMasked) return null;
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        {t.action}
      </Button>
      {open && <StartDialog application={application} close={() => setOpen(false)} />}
    </>
  );
}

interface Values {
  readonly type: Type;
  /** Ids of the sides of a document, separated by a space. */
  readonly document: string;
  readonly selfie: string;
  readonly source: Source | '';
}

function StartDialog({ application, close }: Props & { readonly close: () => void }) {
  const t = useWords(words);
  const { types, registers } = useVerificationNames();
  const { documentTypes } = useNames();
  const keyFor = useIdempotencyKey();
  const queries = useQueryClient();
  const form = useForm<Values>({
    initial: {
      type: 'document_ocr',
      document: '',
      selfie: '',
      source: '',
    },
    required: ({ type }) => ({
      ...(type === 'registry' ? { source: t.missing.source } : { document: t.missing.document }),
      ...(type === 'face_match' ? { selfie: t.missing.selfie } : {}),
    }),
    pointers: { document: '/inputs/documentIds', selfie: '/inputs/selfieDocumentId', source: '/registrySource' },
    submit: async ({ type, document, selfie, source }) => {
      const inputs = {
        ...(type === 'registry' ? {} : { documentIds: document.split(' ') }),
        ...(type === 'face_match' ? { selfieDocumentId: selfie } : {}),
      };
      const body = {
        applicationId: application.id,
        type,
        ...(type === 'registry' && source !== '' ? { registrySource: source } : { inputs }),
      };
      const header = { 'Idempotency-Key': keyFor(body) };
      await answerOf(client.POST('/v1/verifications', { params: { header }, body }));
      await queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/verifications').queryKey });
      announce(t.done);
      close();
    },
  });
  const { type } = form.values;
  const current = (application.documents ?? []).filter(isCurrent);
  const nameOfFile = (document: Document) => `${nameOf(documentTypes, document.type)}: ${document.fileName}`;
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.about}</p>
      <Form form={form} action={t.action} cancel={close}>
        <RadioGroup
          // Not every type takes the same documents.
          field={{ ...form.field('type'), change: (wanted) => form.set({ type: wanted, document: '' }) }}
          label={t.type}
          options={TYPES.map((value) => ({
            value,
            label: value === 'registry' ? t.source : nameOf(types, value),
            hint: t.hints[value],
          }))}
        />
        {type !== 'registry' && (
          <SelectField
            field={form.field('document')}
            label={t.document}
            options={[
              ['', t.choose],
              ...current
                .filter((one) => isReadable(one, type) && one.side !== 'back')
                .map((one) => [sidesOf(one, current).join(' '), nameOfFile(one)] as const),
            ]}
          />
        )}
        {type === 'face_match' && (
          <SelectField
            field={form.field('selfie')}
            label={t.selfie}
            options={[
              ['', t.choose],
              ...current.filter((one) => one.type === 'selfie').map((one) => [one.id, nameOfFile(one)] as const),
            ]}
          />
        )}
        {type === 'registry' && (
          <SelectField
            field={form.field('source')}
            label={t.source}
            options={[['', t.choose], ...optionsOf(registers)]}
          />
        )}
      </Form>
    </Dialog>
  );
}

const isCurrent = ({ status, fileErasedAt }: Document): boolean =>
  fileErasedAt === null && (status === 'uploaded' || status === 'accepted');

const isReadable = ({ type }: Document, verification: Type): boolean =>
  OF_IDENTITY.includes(type) || (verification === 'document_ocr' && type === 'proof_of_address');

/** Returns the ids of a document and, for a front, of the back that belongs to it. */
function sidesOf({ id, type, side }: Document, documents: readonly Document[]): readonly string[] {
  const back = side === 'front' ? documents.find((one) => one.type === type && one.side === 'back') : undefined;
  return back === undefined ? [id] : [id, back.id];
}
