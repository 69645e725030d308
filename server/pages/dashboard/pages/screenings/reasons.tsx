/** Explains the score of a hit by the sentences of the service. Used by hit-card.tsx. */
import { inLanguages, useLanguage, useWords } from '../../core/language.ts';
import type { Hit } from './screening-words.ts';

type Feature = Hit['features'][number];

const words = inLanguages({
  en: {
    words: 'The names, word by word',
    screened: 'Screened',
    listed: 'On the list',
    alike: 'Alike',
    adds: 'Adds',
    rest: 'What else counts',
    sum: 'Score',
    similar: (percent: string) => `${percent} alike`,
  },
  pt: {
    words: 'Os nomes, palavra por palavra',
    screened: 'Consultado',
    listed: 'Na lista',
    alike: 'Semelhança',
    adds: 'Soma',
    rest: 'O que mais conta',
    sum: 'Nota',
    similar: (percent: string) => `${percent} de semelhança`,
  },
});

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
/** Returns whether a feature is about words, which are shown beside each other or alone. */
const isOfWords = ({ name }: Feature): boolean => name === 'alignment' || name === 'unmatched';

/**
 * Explains a score and why it is not higher, in sentences: each word beside its match, unmatched words, and all other
 * features. The last column adds up to the score.
 */
export function Reasons({ features, score }: { readonly features: readonly Feature[]; readonly score: number }) {
  const t = useWords(words);
  const language = useLanguage();
  const [ofWords, rest] = [features.filter(isOfWords), features.filter((feature) => !isOfWords(feature))];
  return (
    <table className="alignment">
      <caption>{t.words}</caption>
      <thead>
        <tr>
          <th scope="col">{t.screened}</th>
          <th scope="col">{t.alike}</th>
          <th scope="col">{t.listed}</th>
          <th scope="col" className="number">
            {t.adds}
          </th>
        </tr>
      </thead>
      <tbody>
        {ofWords.map((feature, index) => {
          const { query, candidate, similarity, contribution } = feature;
          return (
            <tr key={index}>
              <th scope="row">{query}</th>
              <td>
                <span className="bridge">
                  {similarity !== null && (
                    <meter min={0} max={1} value={similarity} aria-label={t.similar(percentOf(similarity))} />
                  )}
                  <span className="muted">{feature.text[language]}</span>
                </span>
              </td>
              <td>{candidate}</td>
              <td className="number">{signed(contribution)}</td>
            </tr>
          );
        })}
      </tbody>
      <tbody>
        <tr>
          <th scope="rowgroup" colSpan={4}>
            {t.rest}
          </th>
        </tr>
        {rest.map((feature, index) => (
          <tr key={index}>
            <td colSpan={3}>{feature.text[language]}</td>
            <td className="number">{signed(feature.contribution)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            {t.sum}
          </th>
          <td className="number">
            <strong>{score.toFixed(3)}</strong>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const percentOf = (part: number): string => `${Math.round(part * 100)} %`;
