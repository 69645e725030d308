import { inLanguages, useWords } from '../../core/language.ts';
import { type Difference, useDifferences } from './differences.ts';
import type { Definition } from './risk-words.ts';

const words = inLanguages({
  en: {
    same: 'Nothing is different.',
    added: 'new',
    removed: 'gone',
    from: 'before',
    to: 'after',
  },
  pt: {
    same: 'Nada está diferente.',
    added: 'novo',
    removed: 'removido',
    from: 'antes',
    to: 'depois',
  },
});

/** Lists what differs between two versions of a model, each member with its value before and after. */
export function DifferenceList({ before, after }: { readonly before: Definition; readonly after: Definition }) {
  const t = useWords(words);
  const differences = useDifferences()(before, after);
  if (differences.length === 0) return <p className="muted">{t.same}</p>;
  return (
    <ul className="risk-differences">
      {differences.map((difference) => (
        <li key={difference.what}>
          <OneDifference difference={difference} />
        </li>
      ))}
    </ul>
  );
}

function OneDifference({ difference: { what, before, after } }: { readonly difference: Difference }) {
  const t = useWords(words);
  return (
    <>
      <strong>{what}</strong>
      {before === null && <span className="muted"> ({t.added})</span>}
      {after === null && <span className="muted"> ({t.removed})</span>}
      {before !== null && (
        <del>
          <span className="visually-hidden">{t.from}: </span>
          {before}
        </del>
      )}
      {after !== null && (
        <ins>
          <span className="visually-hidden">{t.to}: </span>
          {after}
        </ins>
      )}
    </>
  );
}
