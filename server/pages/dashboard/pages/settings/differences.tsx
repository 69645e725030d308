/** Shows what a save would change, and what somebody else has changed meanwhile. Used by section-form.tsx. */
import { inLanguages, useWords } from '../../core/language.ts';
import { useFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Member, Settings } from './section.ts';

const words = inLanguages({
  en: {
    none: 'None',
    removed: 'removed',
    added: 'added',
    order: 'in another order',
    notSaved: 'Not saved yet.',
    somebody: 'Somebody else',
    entered: (value: string) => `You entered: ${value}`,
    changed: (who: string, when: string) => `${who} changed the settings ${when}, while you had them open.`,
    also: 'Also changed',
    elsewhere: 'Changed',
    look: 'What you entered is still here. Look at it again, then save.',
    kept: 'What you entered here is kept.',
    will: 'What you are about to change',
    weaker: 'This protects less than before.',
    code: 'Saving it needs a fresh code of your authenticator, and the audit log keeps that you did it.',
  },
  pt: {
    none: 'Nenhum',
    removed: 'removido',
    added: 'incluído',
    order: 'em outra ordem',
    notSaved: 'Ainda não foi salvo.',
    somebody: 'Outra pessoa',
    entered: (value: string) => `Você digitou: ${value}`,
    changed: (who: string, when: string) => `${who} mudou as configurações ${when}, enquanto você as tinha abertas.`,
    also: 'Também mudou',
    elsewhere: 'Mudou',
    look: 'O que você digitou ainda está aqui. Confira e salve.',
    kept: 'O que você digitou aqui foi mantido.',
    will: 'O que você está prestes a mudar',
    weaker: 'Isto protege menos do que antes.',
    code: 'Salvar pede um código novo do seu autenticador, e a trilha de auditoria guarda que foi você.',
  },
});

/** Returns a function that describes the change of a member in words. */
function useFromTo() {
  const t = useWords(words);
  return <Draft,>({ items, empty = t.none }: Member<Draft>, before: Draft, after: Draft): string => {
    const [was, is] = [items(before), items(after)];
    if (was.length < 2 && is.length < 2) return `${was[0] ?? empty} → ${is[0] ?? empty}`;
    const [gone, come] = [was.filter((item) => !is.includes(item)), is.filter((item) => !was.includes(item))];
    return (
      [gone.length > 0 && `${t.removed}: ${gone.join(', ')}`, come.length > 0 && `${t.added}: ${come.join(', ')}`]
        .filter(Boolean)
        .join('; ') || t.order
    );
  };
}

interface DifferencesProps<Draft> {
  readonly members: readonly Member<Draft>[];
  readonly before: Draft;
  readonly after: Draft;
}

/** Shows the changes before they are saved, those that weaken protection first. */
export function Differences<Draft>({ members, before, after }: DifferencesProps<Draft>) {
  const t = useWords(words);
  const fromTo = useFromTo();
  const changed = members.filter((member) => !member.same(before, after));
  const weaker = changed.filter((member) => member.weakens(before, after));
  const others = changed.filter((member) => !weaker.includes(member));
  const list = (some: readonly Member<Draft>[]) => (
    <ul className="settings-differences">
      {some.map((member) => (
        <li key={member.pointer}>
          <strong>{member.label}</strong>: {fromTo(member, before, after)}
        </li>
      ))}
    </ul>
  );
  return (
    <div role="status" className="stack">
      {weaker.length > 0 && (
        <Notice tone="warning">
          <p>
            <strong>{t.weaker}</strong> {t.code}
          </p>
          {list(weaker)}
        </Notice>
      )}
      {others.length > 0 && (
        <Notice>
          <p>
            <strong>{t.will}</strong>
          </p>
          {list(others)}
        </Notice>
      )}
    </div>
  );
}

/** Changes that another user has saved meanwhile. */
export interface Overtaking<Draft> {
  readonly settings: Settings;
  /** The shown value, the current value and, if any, the entered value. */
  readonly changes: readonly {
    readonly member: Member<Draft>;
    readonly before: Draft;
    readonly now: Draft;
    readonly mine: Draft | null;
  }[];
  /** Titles of other changed sections. */
  readonly elsewhere: readonly string[];
  /** Whether this section was the one that could not be saved. */
  readonly pressed: boolean;
}

export function OvertakenNotice<Draft>({
  overtaking: { settings, changes, elsewhere, pressed },
}: {
  readonly overtaking: Overtaking<Draft>;
}) {
  const t = useWords(words);
  const format = useFormat();
  const fromTo = useFromTo();
  return (
    <Notice tone="warning" {...(pressed && { role: 'alert' as const })}>
      <p>
        {pressed && <strong>{t.notSaved} </strong>}
        {t.changed(settings.updatedBy?.display ?? t.somebody, format.relative(settings.updatedAt))}
      </p>
      {changes.length > 0 && (
        <ul className="settings-differences">
          {changes.map(({ member, before, now, mine }) => (
            <li key={member.pointer}>
              <strong>{member.label}</strong>: {fromTo(member, before, now)}
              {mine !== null && `. ${t.entered(member.items(mine).join(', ') || (member.empty ?? t.none))}`}
            </li>
          ))}
        </ul>
      )}
      {elsewhere.length > 0 && (
        <p>
          {changes.length > 0 ? t.also : t.elsewhere}: {elsewhere.join(', ')}.
        </p>
      )}
      <p>{pressed ? t.look : t.kept}</p>
    </Notice>
  );
}
