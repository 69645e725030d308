/**
 * The consents of an applicant. Part of application-page.tsx. A withdrawal is a record of its own: nothing here changes
 * or deletes one.
 */
import { useState } from 'react';
import { useMay } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFormat } from '../../../ui/format.ts';
import { Section } from '../../../ui/page.tsx';
import { type Application, nameOf, type Status, useNames } from '../words.ts';
import { type Consent, useConsentNames } from './consent-words.ts';
import { RecordConsent } from './record-consent.tsx';

const words = inLanguages({
  en: {
    title: 'Consents',
    none: 'No consent has been recorded yet.',
    record: 'Record a consent',
    text: (version: string, locale: string) => `text ${version} (${locale})`,
    proof: 'with a document',
  },
  pt: {
    title: 'Consentimentos',
    none: 'Nenhum consentimento foi registrado ainda.',
    record: 'Registrar um consentimento',
    text: (version: string, locale: string) => `texto ${version} (${locale})`,
    proof: 'com documento',
  },
});

/** Statuses of applications that ended without a decision. They accept no consents; decided ones do. */
const CLOSED: readonly Status[] = ['withdrawn', 'expired'];

/** Shows the consents that the person gave and withdrew, newest record first. */
export function Consents({ application }: { readonly application: Application }) {
  const t = useWords(words);
  const [recording, setRecording] = useState(false);
  const mayRecord = useMay()('recordConsent') && !CLOSED.includes(application.status);
  const { consents = [] } = application;
  return (
    <Section
      title={t.title}
      actions={
        mayRecord && (
          <Button small onClick={() => setRecording(true)}>
            {t.record}
          </Button>
        )
      }
      id="consents"
    >
      {consents.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="document-list">
          {consents.map((consent) => (
            <Entry key={consent.id} consent={consent} />
          ))}
        </ul>
      )}
      {recording && <RecordConsent application={application} close={() => setRecording(false)} />}
    </Section>
  );
}

function Entry({
  consent: { action, purpose, legalBasis, textVersion, locale, channel, capturedAt, ip, evidenceDocumentId },
}: {
  readonly consent: Consent;
}) {
  const t = useWords(words);
  const names = useConsentNames();
  const { channels } = useNames();
  const format = useFormat();
  const facts = [
    format.dateTime(capturedAt),
    nameOf(names.legalBases, legalBasis),
    t.text(textVersion, locale),
    nameOf(channels, channel),
    ip ?? '',
    evidenceDocumentId === null ? '' : t.proof,
  ];
  return (
    <li className="document">
      <p className="row">
        <strong>{nameOf(names.purposes, purpose)}</strong>{' '}
        <Badge tone={action === 'granted' ? 'good' : 'neutral'}>{nameOf(names.actions, action)}</Badge>
      </p>
      <p className="hint">{facts.filter((fact) => fact !== '').join(' · ')}</p>
    </li>
  );
}
