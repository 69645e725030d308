/**
 * What the alert scores of the screening profile find on the loaded lists. Used by profile-field.tsx. Figures of
 * earlier lists are marked as such.
 */
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { useFormat } from '../../ui/format.ts';

const words = inLanguages({
  en: {
    people: (line: string, clean: string, dated: string) =>
      `From ${line}: about ${clean} of 1,000 people who are on no list produce a hit, ${dated} if their date ` +
      'of birth is given.',
    organisations: (line: string, clean: string) =>
      `From ${line}: about ${clean} of 1,000 organisations that are on no list produce a hit.`,
    aliases: (percent: string, tried: string) => `Of ${tried} aliases tried, ${percent} % are found.`,
    aliasesOfPeople: (percent: string, tried: string, dated: string) =>
      `Of ${tried} aliases tried, ${percent} % are found, and ${dated} % if the date of birth is given.`,
    noAliases: 'These lists have no aliases to try.',
    below: (lowest: string) => `Figures are computed for scores from ${lowest} on.`,
    none: 'What each score finds on the loaded lists is computed in the background and will be shown here.',
    earlier: 'The figures are of earlier lists or an earlier algorithm; new ones are computed in the background.',
    made: (when: string, people: string, companies: string) =>
      `Estimated ${when} with the names of ${people} invented people and ${companies} invented companies, most of ` +
      'them Brazilian, and with aliases of the lists. Each alias is compared with the other names of its entry.',
    on: (lists: string) => `Lists: ${lists}. Your own list is left out.`,
    sandbox: 'These are the invented lists of the sandbox.',
  },
  pt: {
    people: (line: string, clean: string, dated: string) =>
      `A partir de ${line}: de 1.000 pessoas que não constam em nenhuma lista, cerca de ${clean} geram ocorrência, ` +
      `ou ${dated} se a data de nascimento for informada.`,
    organisations: (line: string, clean: string) =>
      `A partir de ${line}: de 1.000 organizações que não constam em nenhuma lista, cerca de ${clean} geram ` +
      'ocorrência.',
    aliases: (percent: string, tried: string) => `De ${tried} outros nomes testados, ${percent} % são encontrados.`,
    aliasesOfPeople: (percent: string, tried: string, dated: string) =>
      `De ${tried} outros nomes testados, ${percent} % são encontrados, e ${dated} % se a data de nascimento for ` +
      'informada.',
    noAliases: 'Estas listas não têm outros nomes para testar.',
    below: (lowest: string) => `Os números são calculados para notas a partir de ${lowest}.`,
    none: 'O que cada nota encontra nas listas carregadas é calculado em segundo plano e aparecerá aqui.',
    earlier: 'Os números são de listas ou de um algoritmo anteriores; os novos são calculados em segundo plano.',
    made: (when: string, people: string, companies: string) =>
      `Estimado ${when} com os nomes de ${people} pessoas e ${companies} empresas inventadas, a maioria brasileiros, ` +
      'e com outros nomes das listas. Cada um é comparado com os demais nomes do seu registro.',
    on: (lists: string) => `Listas: ${lists}. A sua própria lista não entra.`,
    sandbox: 'São as listas inventadas do sandbox.',
  },
});

type Estimate = Schemas['ScreeningEstimate'];
type Figures = Schemas['ScreeningEstimateFigures'];

/** Returns the estimate; undefined until the service has answered, and null if there is none yet. */
export function useEstimate(): Estimate | null | undefined {
  return api.useQuery('get', '/v1/screenings/lists').data?.estimate;
}

/** Returns whether a list of the kind is loaded, so that its lines have figures. */
export function hasFigures(estimate: Estimate | null | undefined, kind: Row['kind'], subject: Row['subject']): boolean {
  return estimate?.figures.some((one) => one.kind === kind && one.subject === subject) ?? false;
}

interface Row {
  readonly kind: keyof Schemas['ScreeningProfile'];
  readonly subject: keyof Schemas['ScreeningLinesBySubject'];
  /** Typed alert score; NaN if the field is empty. */
  readonly alert: number;
}

/** Says what an alert score finds. */
export function LineFigures({
  estimate,
  row,
  id,
}: {
  readonly estimate: Estimate;
  readonly row: Row;
  readonly id: string;
}) {
  const t = useWords(words);
  const format = useFormat();
  const figuresOf = (withDate: boolean): Figures | undefined =>
    estimate.figures.find(
      (one) => one.kind === row.kind && one.subject === row.subject && one.withDateOfBirth === withDate,
    );
  const undated = figuresOf(false);
  const at = (of: Figures | undefined) =>
    of?.lines.find(({ line }) => Math.round(line * 100) === Math.round(row.alert * 100));
  const [plain, dated] = [at(undated), at(figuresOf(true))];
  const lowest = Math.min(1, ...(undated?.lines ?? []).map(({ line }) => line));
  if (plain === undefined) return <p id={id}>{row.alert < lowest && t.below(format.number(lowest))}</p>;
  const tenth = (value: number): string => format.number(Math.round(value * 10) / 10);
  // Only the whole is shown as the whole.
  const percent = (value: number): string => format.number(value < 100 ? Math.min(99, Math.round(value)) : 100);
  const [line, clean] = [format.number(plain.line), tenth(plain.cleanPerMille)];
  const tried = format.number(undated?.aliases ?? 0);
  const found = (): string => {
    if (plain.aliasPercent === null) return t.noAliases;
    return dated === undefined || dated.aliasPercent === null
      ? t.aliases(percent(plain.aliasPercent), tried)
      : t.aliasesOfPeople(percent(plain.aliasPercent), tried, percent(dated.aliasPercent));
  };
  return (
    <p id={id}>
      {dated === undefined ? t.organisations(line, clean) : t.people(line, clean, tenth(dated.cleanPerMille))} {found()}
    </p>
  );
}

/** Says how the figures were made, for which lists, and whether they are current. */
export function EstimateNote({ estimate }: { readonly estimate: Estimate | null }) {
  const t = useWords(words);
  const format = useFormat();
  if (estimate === null) return <p className="hint">{t.none}</p>;
  const { isCurrent, computedAt, environment, figures, lists } = estimate;
  const names = (subject: string): string =>
    format.number(
      Math.max(
        0,
        ...figures.filter((one) => one.subject === subject && !one.withDateOfBirth).map(({ cleanNames }) => cleanNames),
      ),
    );
  return (
    <div className="hint">
      {!isCurrent && <p className="settings-earlier">{t.earlier}</p>}
      <p>
        {t.made(format.relative(computedAt), names('person'), names('organisation'))}{' '}
        {t.on(lists.map(({ listId, version }) => `${listId} ${version}`).join(', '))}
        {environment === 'sandbox' && ` ${t.sandbox}`}
      </p>
    </div>
  );
}
