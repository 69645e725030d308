import { inLanguages, useWords } from '../../app/language.ts';
import { useFormat } from '../../ui/format.ts';
import { type Feature, type Reason, sentences } from './reason-sentences.ts';

const words = inLanguages({
  en: { words: 'The names, word by word', screened: 'Screened', listed: 'On the list', alike: 'Alike', adds: 'Adds', rest: 'What else counts', sum: 'Score', similar: (percent: string) => `${percent} alike` },
  pt: { words: 'Os nomes, palavra por palavra', screened: 'Consultado', listed: 'Na lista', alike: 'Semelhança', adds: 'Soma', rest: 'O que mais conta', sum: 'Nota', similar: (percent: string) => `${percent} de semelhança` },
});

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
/** Words stand beside each other, or alone. */
const isOfWords = ({ name }: Feature): boolean => name === 'alignment' || name === 'unmatched';

/** Why a score is what it is and not more, in sentences: each word beside the one that it was taken for, words that only one side has, and everything else that counts. What the last column holds adds up to the score. */
export function Reasons({ features, score }: { readonly features: readonly Feature[]; readonly score: number }) {
  const t = useWords(words);
  const say = useSentence();
  const [ofWords, rest] = [features.filter(isOfWords), features.filter((feature) => !isOfWords(feature))];
  return (
    <table className="alignment">
      <caption>{t.words}</caption>
      <thead><tr><th scope="col">{t.screened}</th><th scope="col">{t.alike}</th><th scope="col">{t.listed}</th><th scope="col" className="number">{t.adds}</th></tr></thead>
      <tbody>
        {ofWords.map((feature, place) => {
          const { query, candidate, similarity, contribution } = feature;
          return (
            <tr key={place}>
              <th scope="row">{query}</th>
              <td><span className="bridge">{similarity !== null && <meter min={0} max={1} value={similarity} aria-label={t.similar(percentOf(similarity))} />}<span className="muted">{say(feature)}</span></span></td>
              <td>{candidate}</td>
              <td className="number">{signed(contribution)}</td>
            </tr>
          );
        })}
      </tbody>
      <tbody>
        <tr><th scope="rowgroup" colSpan={4}>{t.rest}</th></tr>
        {rest.map((feature, place) => <tr key={place}><td colSpan={3}>{say(feature)}</td><td className="number">{signed(feature.contribution)}</td></tr>)}
      </tbody>
      <tfoot><tr><th scope="row" colSpan={3}>{t.sum}</th><td className="number"><strong>{score.toFixed(3)}</strong></td></tr></tfoot>
    </table>
  );
}

const percentOf = (part: number): string => `${Math.round(part * 100)} %`;

/** The sentence of a reason. The engine names more with each release; one that a page does not know yet is shown as it is written. */
function useSentence(): (feature: Feature) => string {
  const known = useWords(sentences);
  const format = useFormat();
  return ({ reason, query, candidate, similarity, weight, limit }) => {
    const say = (known as Readonly<Partial<Record<string, (typeof known)[Reason]>>>)[reason];
    return say === undefined ? reason : say({ query, candidate, percent: percentOf(similarity ?? 0), weight: format.number(Number((weight ?? 0).toFixed(2))), limit: format.number(Number((limit ?? 0).toFixed(3))) });
  };
}
