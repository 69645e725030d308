/**
 * The button that drafts a request for a better document from what a verification has found, in the language of the
 * tenant's mails. Part of verifications.tsx. It opens the usual dialog: a person reads the message before it is sent
 * on.
 */
import { useState } from 'react';
import { api } from '../../../core/api.ts';
import { useMay } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Button } from '../../../ui/button.tsx';
import { subjectOfApplication } from '../subject.ts';
import { AskForInformation } from '../information/ask-for-information.tsx';
import type { Application } from '../words.ts';
import { APPLICANT_MESSAGES } from './applicant-messages.ts';
import type { Verification } from './verification-words.ts';

const words = inLanguages({
  en: { ask: 'Ask for a better document' },
  pt: { ask: 'Pedir um documento melhor' },
});

interface Props {
  readonly application: Application;
  readonly verification: Verification;
}

export function AskAgain({ application, verification: { type, status, result } }: Props) {
  const t = useWords(words);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const settings = api.useQuery(
    'get',
    '/v1/settings',
    { params: { query: { section: 'branding' } } },
    { enabled: isOpen && may('getSettings') },
  );
  const checks = result?.checks ?? [];
  const requirement = checks.some(({ code }) => code === 'address_match') ? 'proof_of_address' : 'id_document';
  const reasons = checks.filter(({ outcome }) => outcome !== 'pass').map(({ reasonCode }) => reasonCode);
  const found = Object.entries(APPLICANT_MESSAGES).find(([reason]) => reasons.includes(reason))?.[1];
  const isNeeded = type === 'document_ocr' && (status === 'inconclusive' || status === 'failed');
  const mayAsk =
    may('createInformationRequest') && application.status === 'in_review' && !application.personalDataMasked;
  if (!isNeeded || !mayAsk || found === undefined) return null;
  const isRequired = application.requirements.items.some(({ key }) => key === requirement);
  const locale = settings.data?.branding?.locale ?? 'en';
  return (
    <>
      <Button look="quiet" small onClick={() => setOpen(true)}>
        {t.ask}
      </Button>
      {isOpen && (settings.data !== undefined || settings.isError || !may('getSettings')) && (
        <AskForInformation
          subject={subjectOfApplication(application)}
          close={() => setOpen(false)}
          draft={{
            requirementKeys: isRequired ? [requirement] : [],
            reasonCode: found.reasonCode,
            messageToApplicant: found.message[locale],
          }}
        />
      )}
    </>
  );
}
