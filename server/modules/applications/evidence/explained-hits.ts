/**
 * Writes the hits of a screening for a reader without the service, in both languages. Used by the evidence pack. A name
 * or remark of a list is text of others, so characters that control lines or their direction never reach the file.
 */
import type { ExplainedHit } from './explained-hits-store.ts';

const WORDS = {
  en: {
    title: 'Why the entries of the newest screening are hits',
    screened: 'Screened',
    listed: 'On the list',
    score: 'Score',
    state: {
      open: 'open',
      true_positive: 'confirmed',
      false_positive: 'dismissed',
      inconclusive: 'inconclusive',
      auto_dismissed: 'dismissed by the allow-list',
    },
  },
  pt: {
    title: 'Por que as entradas da última consulta são ocorrências',
    screened: 'Consultado',
    listed: 'Na lista',
    score: 'Nota',
    state: {
      open: 'aberta',
      true_positive: 'confirmada',
      false_positive: 'descartada',
      inconclusive: 'inconclusiva',
      auto_dismissed: 'descartada pela lista de permitidos',
    },
  },
} as const;

/** Returns the text of the hits: first all in English, then all in Portuguese. */
export const hitsInSentences = (hits: readonly ExplainedHit[]): string =>
  (['en', 'pt'] as const)
    .map((language) => {
      const { title, screened, listed, score, state } = WORDS[language];
      const written = hits.map((hit, index) =>
        [
          `${index + 1}. ${screened}: ${hit.subjectName}`,
          `   ${listed} ${hit.listId}: ${hit.listedName}`,
          ...hit.reasons.map((reason) => `   - ${reason[language]}`),
          `   ${score}: ${scoreIn(language, hit.score)} (${state[hit.status]})`,
        ]
          .map((line) => line.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, ' '))
          .join('\n'),
      );
      return `${title} (${hits[0]!.screeningId})\n\n${written.join('\n\n')}\n`;
    })
    .join('\n');

const scoreIn = (language: 'en' | 'pt', score: number): string =>
  language === 'en' ? score.toFixed(3) : score.toFixed(3).replace('.', ',');
