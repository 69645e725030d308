/**
 * The form that records a consent or its withdrawal. Opened by consents.tsx. What is recorded cannot be corrected, only
 * followed by another record.
 */
import { client } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { answerOf } from '../../../core/problem.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { localMinute } from '../../../ui/local-minute.ts';
import { announce } from '../../../ui/toasts.tsx';
import { useReadAgain } from '../changed.ts';
import { type Application, type Channel, optionsOf, useNames } from '../words.ts';
import { type Consent, useConsentNames } from './consent-words.ts';

const words = inLanguages({
  en: {
    title: 'Record a consent',
    lead: 'What is recorded never changes: a withdrawal is a record of its own.',
    action: 'What happened',
    purpose: 'Purpose',
    basis: 'Legal basis',
    version: 'Version of the text',
    digest: 'SHA-256 of the text',
    digestHint: '64 digits from 0 to 9 and a to f.',
    locale: 'Language of the text',
    localeHint: 'Such as pt-BR.',
    channel: 'Channel',
    captured: 'When',
    evidence: 'Proved by',
    none: 'No document',
    record: 'Record',
    recorded: 'The consent is recorded.',
    missing: {
      textVersion: 'Enter the version of the text.',
      textSha256: 'Enter the SHA-256 of the text.',
      locale: 'Enter the language of the text.',
      capturedAt: 'Enter when it happened.',
    },
    messages: {
      no_grant: 'No consent to this purpose stood then that could be withdrawn.',
      range: 'This is in the future, or too long ago.',
    },
  },
  pt: {
    title: 'Registrar um consentimento',
    lead: 'O que é registrado não muda: uma revogação é outro registro.',
    action: 'O que aconteceu',
    purpose: 'Finalidade',
    basis: 'Base legal',
    version: 'Versão do texto',
    digest: 'SHA-256 do texto',
    digestHint: '64 dígitos de 0 a 9 e de a até f.',
    locale: 'Idioma do texto',
    localeHint: 'Por exemplo pt-BR.',
    channel: 'Canal',
    captured: 'Quando',
    evidence: 'Comprovado por',
    none: 'Nenhum documento',
    record: 'Registrar',
    recorded: 'O consentimento foi registrado.',
    missing: {
      textVersion: 'Informe a versão do texto.',
      textSha256: 'Informe o SHA-256 do texto.',
      locale: 'Informe o idioma do texto.',
      capturedAt: 'Informe quando aconteceu.',
    },
    messages: {
      no_grant: 'Não havia então consentimento para esta finalidade que pudesse ser revogado.',
      range: 'Está no futuro, ou é antigo demais.',
    },
  },
});

interface Values {
  readonly action: Consent['action'];
  readonly purpose: Consent['purpose'];
  readonly legalBasis: Consent['legalBasis'];
  readonly textVersion: string;
  readonly textSha256: string;
  readonly locale: string;
  readonly channel: Channel;
  readonly capturedAt: string;
  readonly evidenceDocumentId: string;
}

/** Returns the initial values. They repeat the last text, because several consents usually refer to the same one. */
function valuesFor({ channel, consents = [] }: Application): Values {
  const [last] = consents;
  return {
    action: 'granted',
    purpose: 'identity_verification',
    legalBasis: 'consent',
    textVersion: last?.textVersion ?? '',
    textSha256: last?.textSha256 ?? '',
    locale: last?.locale ?? 'pt-BR',
    channel,
    capturedAt: localMinute(new Date()),
    evidenceDocumentId: '',
  };
}

export function RecordConsent({
  application,
  close,
}: {
  readonly application: Application;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const names = useNames();
  const consentNames = useConsentNames();
  const readAgain = useReadAgain(application);
  const keyFor = useIdempotencyKey();
  const { id, documents = [] } = application;
  const form = useForm({
    initial: valuesFor(application),
    required: t.missing,
    messages: t.messages,
    submit: async ({ capturedAt, evidenceDocumentId, textVersion, textSha256, locale, ...chosen }) => {
      const body = {
        ...chosen,
        textVersion: textVersion.trim(),
        textSha256: textSha256.trim().toLowerCase(),
        locale: locale.trim(),
        capturedAt: new Date(capturedAt).toISOString(),
        ...(evidenceDocumentId !== '' && { evidenceDocumentId }),
      };
      const header = { 'Idempotency-Key': keyFor({ id, body }) };
      await answerOf(
        client.POST('/v1/applications/{applicationId}/consents', {
          params: { path: { applicationId: id }, header },
          body,
        }),
      );
      await readAgain();
      announce(t.recorded);
      close();
    },
  });
  const proofs = documents.map(
    (document) => [document.id, `${names.documentTypes[document.type]}: ${document.fileName}`] as const,
  );
  return (
    <Dialog title={t.title} onClose={close} wide>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.record} cancel={close}>
        <div className="form-grid">
          <SelectField field={form.field('action')} label={t.action} options={optionsOf(consentNames.actions)} />
          <SelectField field={form.field('purpose')} label={t.purpose} options={optionsOf(consentNames.purposes)} />
          <SelectField field={form.field('legalBasis')} label={t.basis} options={optionsOf(consentNames.legalBases)} />
          <SelectField field={form.field('channel')} label={t.channel} options={optionsOf(names.channels)} />
          <TextField field={form.field('capturedAt')} type="datetime-local" label={t.captured} />
          <SelectField
            field={form.field('evidenceDocumentId')}
            label={t.evidence}
            optional
            options={[['', t.none], ...proofs]}
          />
          <TextField field={form.field('textVersion')} label={t.version} maxLength={40} />
          <TextField
            field={form.field('locale')}
            label={t.locale}
            hint={t.localeHint}
            maxLength={35}
            spellCheck={false}
          />
          <div className="whole">
            <TextField
              field={form.field('textSha256')}
              label={t.digest}
              hint={t.digestHint}
              maxLength={64}
              spellCheck={false}
              autoComplete="off"
            />
          </div>
        </div>
      </Form>
    </Dialog>
  );
}
