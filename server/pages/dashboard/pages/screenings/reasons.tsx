import { inLanguages, useWords } from '../../app/language.ts';
import { nameOf } from '../applications/words.ts';
import { type Hit, useScreeningNames } from './screening-words.ts';

type Feature = Hit['features'][number];

const words = inLanguages({
  en: { words: 'The names, word by word', screened: 'Screened', listed: 'On the list', alike: 'Alike', adds: 'Adds', rest: 'What else counts', sum: 'Score', similar: (percent: string) => `${percent} alike` },
  pt: { words: 'Os nomes, palavra por palavra', screened: 'Consultado', listed: 'Na lista', alike: 'Semelhança', adds: 'Soma', rest: 'O que mais conta', sum: 'Nota', similar: (percent: string) => `${percent} de semelhança` },
});

/** Reasons that set something of the subject beside something of the entity. */
const COMPARES: readonly Feature['name'][] = ['modifier', 'identifier'];
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;

/** Why a score is what it is: each word beside the one that it was taken for, and everything else that counts. What the last column holds adds up to the score. */
export function Reasons({ features, score }: { readonly features: readonly Feature[]; readonly score: number }) {
  const t = useWords(words);
  const names = useScreeningNames();
  const aligned = features.filter(({ name }) => name === 'alignment');
  const rest = features.filter(({ name }) => name !== 'alignment');
  return (
    <table className="alignment">
      <caption>{t.words}</caption>
      <thead><tr><th scope="col">{t.screened}</th><th scope="col">{t.alike}</th><th scope="col">{t.listed}</th><th scope="col" className="number">{t.adds}</th></tr></thead>
      <tbody>
        {aligned.map(({ query, candidate, reason, similarity, contribution }, place) => {
          const percent = `${Math.round((similarity ?? 0) * 100)} %`;
          return (
            <tr key={place}>
              <th scope="row">{query}</th>
              <td><span className="bridge"><meter min={0} max={1} value={similarity ?? 0} aria-label={t.similar(percent)} /><span className="muted">{nameOf(names.features, reason)}, {percent}</span></span></td>
              <td>{candidate}</td>
              <td className="number">{signed(contribution)}</td>
            </tr>
          );
        })}
      </tbody>
      {rest.length > 0 && (
        <tbody>
          <tr><th scope="rowgroup" colSpan={4}>{t.rest}</th></tr>
          {rest.map(({ name, query, candidate, reason, contribution }, place) => {
            // The other reasons are about the names as wholes, which stand above.
            const [screened, listed] = COMPARES.includes(name) ? [query, candidate] : ['', ''];
            return <tr key={place}><td>{screened}</td><td>{nameOf(names.features, reason)}</td><td>{listed}</td><td className="number">{signed(contribution)}</td></tr>;
          })}
        </tbody>
      )}
      <tfoot><tr><th scope="row" colSpan={3}>{t.sum}</th><td className="number"><strong>{score.toFixed(3)}</strong></td></tr></tfoot>
    </table>
  );
}
