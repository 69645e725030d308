import { useState } from 'react';
import { api } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';

const words = inLanguages({
  en: {
    title: 'Check',
    about: 'The stored facts are scored again by the model and the lists of the assessment.',
    check: 'Calculate it again',
    same: 'The result is the same.',
    other: 'The result is another. The assessment cannot be relied on.',
  },
  pt: {
    title: 'Conferência',
    about: 'Os fatos guardados são pontuados de novo pelo modelo e pelas listas da avaliação.',
    check: 'Calcular de novo',
    same: 'O resultado é o mesmo.',
    other: 'O resultado é outro. A avaliação não merece confiança.',
  },
});

/** Asks the service to score the stored facts again, and says whether the result is the same. */
export function Recompute({ assessmentId }: { readonly assessmentId: string }) {
  const t = useWords(words);
  const [asked, setAsked] = useState(false);
  const query = api.useQuery(
    'get',
    '/v1/risk/assessments/{assessmentId}',
    { params: { path: { assessmentId }, query: { recompute: true } } },
    { enabled: asked },
  );
  return (
    <Section title={t.title}>
      <p className="muted">{t.about}</p>
      {asked ? (
        <Loaded query={query}>
          {({ reproduced }) => (
            <Notice tone={reproduced === true ? 'good' : 'error'} role="status">
              {reproduced === true ? t.same : t.other}
            </Notice>
          )}
        </Loaded>
      ) : (
        <p>
          <Button small onClick={() => setAsked(true)}>
            {t.check}
          </Button>
        </p>
      )}
    </Section>
  );
}
