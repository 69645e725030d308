/** What an address shows under which there is no case. */
import { inLanguages, useWords } from '../../core/language.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

const words = inLanguages({
  en: {
    unknown: 'There is no such case',
    why: 'It may belong to another tenant, or its address is not complete.',
    list: 'To the cases',
  },
  pt: {
    unknown: 'Este caso não existe',
    why: 'Ele pode ser de outro inquilino, ou o endereço está incompleto.',
    list: 'Para os casos',
  },
});

export function UnknownCase() {
  const t = useWords(words);
  return (
    <Page title={t.unknown} lead={t.why}>
      <p>
        <ButtonLink to="/cases">{t.list}</ButtonLink>
      </p>
    </Page>
  );
}
