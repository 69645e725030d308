/** The page `/applications/new`, which creates a draft or submits at once. Opened by shell/routes.tsx. */
import { Link, useNavigate } from '@tanstack/react-router';
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Form } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Page } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useChanged } from './changed.ts';
import { ApplicationFields, DocumentsNote } from './form/application-fields.tsx';
import { creationOf } from './form/request.ts';
import { useApplicationForm } from './form/use-application-form.ts';
import { EMPTY } from './form/values.ts';
import './refusals.ts';
import './applications.css';

const words = inLanguages({
  en: {
    title: 'New application',
    lead: 'A name and a purpose are enough for a draft. Everything else can follow until it is submitted.',
    draft: 'Save as draft',
    submit: 'Create and submit',
    saved: 'The draft is saved.',
    submitted: 'The application is submitted.',
    open: 'Open it',
  },
  pt: {
    title: 'Nova solicitação',
    lead: 'Um nome e uma finalidade bastam para um rascunho. O resto pode vir até o envio.',
    draft: 'Salvar rascunho',
    submit: 'Criar e enviar',
    saved: 'O rascunho foi salvo.',
    submitted: 'A solicitação foi enviada.',
    open: 'Abrir',
  },
});

export function NewApplicationPage() {
  const t = useWords(words);
  const navigate = useNavigate();
  const changed = useChanged();
  const keyFor = useIdempotencyKey();
  const form = useApplicationForm({
    initial: EMPTY,
    submit: async (values, by) => {
      const submits = by !== 'draft';
      const body = creationOf(values, submits);
      const application = await answerOf(
        client.POST('/v1/applications', { params: { header: { 'Idempotency-Key': keyFor(body) } }, body }),
      );
      changed(application);
      const to = { to: '/applications/$applicationId', params: { applicationId: application.id } } as const;
      announce(
        <>
          {submits ? t.submitted : t.saved} <Link {...to}>{t.open}</Link>
        </>,
      );
      await navigate(to);
    },
  });
  return (
    <Page title={t.title} lead={t.lead} narrow>
      <div className="card">
        <Form form={form} action={t.submit} also={{ label: t.draft, value: 'draft' }} sticky>
          <ApplicationFields form={form} />
          <DocumentsNote field={form.field('documents')} />
        </Form>
      </div>
    </Page>
  );
}
