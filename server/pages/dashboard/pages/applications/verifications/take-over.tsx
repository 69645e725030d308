/**
 * Offers values that were read from a document and differ from the application, as long as the application can be
 * changed. Part of verifications.tsx. Nothing is taken over by itself: the user sees both values and confirms. Names
 * are left out, because a machine-readable zone has neither accents nor small letters.
 */
import { useState } from 'react';
import { client, type Schemas } from '../../../core/api.ts';
import { useMay } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { answerOf } from '../../../core/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { matching, useChanged } from '../changed.ts';
import type { Application, Status } from '../words.ts';
import { useVerificationNames } from './verification-words.ts';

const words = inLanguages({
  en: {
    offer: (field: string) => `Take over: ${field}`,
    title: 'Take over what was read?',
    change: (before: string, after: string) => `The application states ${before}; the document shows ${after}.`,
    nothing: 'nothing',
    action: 'Take over',
    done: 'The application was changed.',
  },
  pt: {
    offer: (field: string) => `Usar o que foi lido: ${field}`,
    title: 'Usar o que foi lido?',
    change: (before: string, after: string) => `A solicitação informa ${before}; o documento mostra ${after}.`,
    nothing: 'nada',
    action: 'Usar',
    done: 'A solicitação foi alterada.',
  },
});

const CHANGEABLE: readonly Status[] = ['draft', 'needs_information'];
/** A field that was read with less certainty is not offered. */
const LEAST_CONFIDENCE = 0.6;
const WHOLE_DATE = /^\d{4}-\d\d-\d\d$/;

type Extracted = Schemas['ExtractedFields'];

interface Offer {
  readonly field: 'dateOfBirth' | 'taxId';
  readonly before: string | null;
  readonly after: string;
  readonly patch: NonNullable<Schemas['ApplicationUpdate']['applicant']>;
}

/** Returns what could be taken over into an application. */
function offersOf({ applicant: { dateOfBirth, taxId } }: Application, read: Extracted): Offer[] {
  const offers: Offer[] = [];
  const isCertain = (field: Extracted['taxId']): field is NonNullable<Extracted['taxId']> =>
    field !== null && field.confidence >= LEAST_CONFIDENCE;
  const birth = read.dateOfBirth;
  if (isCertain(birth) && WHOLE_DATE.test(birth.value) && birth.value !== dateOfBirth)
    offers.push({
      field: 'dateOfBirth',
      before: dateOfBirth,
      after: birth.value,
      patch: { dateOfBirth: birth.value },
    });
  const cpf = read.taxId;
  if (isCertain(cpf) && cpf.value !== taxId?.value)
    offers.push({
      field: 'taxId',
      before: taxId?.value ?? null,
      after: cpf.value,
      patch: { taxId: { type: 'cpf', value: cpf.value } },
    });
  return offers;
}

interface Props {
  readonly application: Application;
  readonly fields: Extracted;
}

export function TakeOver({ application, fields }: Props) {
  const t = useWords(words);
  const names = useVerificationNames();
  const may = useMay();
  const changed = useChanged();
  const [chosen, setChosen] = useState<Offer | null>(null);
  const { id, status, personalDataMasked } = application;
  if (!may('updateApplication') || personalDataMasked || !CHANGEABLE.includes(status)) return null;
  const take = async (patch: Offer['patch']): Promise<void> => {
    changed(
      await answerOf(
        client.PATCH('/v1/applications/{applicationId}', {
          params: { path: { applicationId: id }, header: matching(application) },
          headers: { 'Content-Type': 'application/merge-patch+json' },
          body: { applicant: patch },
        }),
      ),
    );
    announce(t.done);
  };
  return (
    <>
      {offersOf(application, fields).map((offer) => (
        <Button key={offer.field} look="quiet" small onClick={() => setChosen(offer)}>
          {t.offer(names.fields[offer.field])}
        </Button>
      ))}
      {chosen !== null && (
        <ConfirmDialog title={t.title} action={t.action} run={() => take(chosen.patch)} onClose={() => setChosen(null)}>
          <p>{t.change(chosen.before ?? t.nothing, chosen.after)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
