/**
 * Says each reason of a score in a sentence, in English and Portuguese: what agreed, what did not, and what that adds
 * or takes. Used wherever a hit is presented. A reason without both sentences does not compile.
 */
import type { Feature, Reason } from './engine/features.ts';
import { EQUAL_IDENTIFIER } from './engine/judgement.ts';

/** A text in both languages. */
export interface Sentence {
  readonly en: string;
  readonly pt: string;
}
type Language = keyof Sentence;

/** Values in a sentence, formatted in its language. */
interface Said {
  /** Value of the subject, and value of the list. */
  readonly query: string;
  readonly candidate: string;
  /** Similarity of two words, in percent. */
  readonly percent: string;
  /** Highest possible score. */
  readonly limit: string;
}

/** Says what agrees or differs. The texts have no full stop, because what it costs may follow. */
type Template = (said: Said) => Sentence;

/** Returns the sentence of two words that agree in some way. */
const pair =
  (en: string, pt: string): Template =>
  ({ query, candidate, percent }) => ({
    en: `“${query}” and “${candidate}” ${en} (${percent} alike)`,
    pt: `“${query}” e “${candidate}” ${pt} (${percent} de semelhança)`,
  });

/** Returns the sentence of two words that count less than equal ones. */
const counted =
  (en: string, pt: string): Template =>
  ({ query, candidate, percent }) => ({
    en: `“${query}” and “${candidate}” ${en}, so they count ${percent}`,
    pt: `“${query}” e “${candidate}” ${pt}, por isso contam ${percent}`,
  });

const withoutSpaces = (text: string): string => text.replaceAll(' ', '');

/** Returns the sentence of a limit and its reason. */
const limited =
  (en: string, pt: string): Template =>
  ({ limit }) => ({
    en: `${en}, so the score of the names is ${limit} at most`,
    pt: `${pt}, por isso a nota dos nomes é no máximo ${limit}`,
  });

/** A number, and not a name, which stands in its place for a tax number. Only codes of banks have no digit. */
const isNumber = (text: string, kind: string): boolean =>
  kind.includes('BIC') || /^(?=[A-Z]*\d)[A-Z0-9]{5,}$/.test(text);

/** Returns the sentence of an equal number, with the score that follows. */
const identified = (en: string, pt: string): Sentence => ({
  en: `${en}, so the score is at least ${numberIn('en', EQUAL_IDENTIFIER)}`,
  pt: `${pt}, por isso a nota é ao menos ${numberIn('pt', EQUAL_IDENTIFIER)}`,
});

/** Returns the sentence of a CPF or CNPJ that both have. Its number is not said. */
const sameTaxNumber =
  (kind: 'CPF' | 'CNPJ'): Template =>
  () =>
    identified(`Both have the same ${kind}`, `Ambos têm o mesmo ${kind}`);

/** Returns the sentence of a number that both have. */
const sameNumber =
  (en: string, pt: string): Template =>
  ({ query, candidate }) => {
    const written = (onList: string): string => {
      if (!isNumber(query, en)) return '';
      return query === candidate ? ` (${query})` : ` (${query}; ${onList} ${candidate})`;
    };
    return identified(`Both have the same ${en}${written('on the list')}`, `Ambos têm ${pt}${written('na lista')}`);
  };

/** Returns the sentence of two values that are compared with each other. */
const compared =
  (en: string, pt: string): Template =>
  ({ query, candidate }) => ({
    en: `${en} (screened: ${query}; on the list: ${candidate})`,
    pt: `${pt} (consultado: ${query}; na lista: ${candidate})`,
  });

const SAYS: Readonly<Record<Reason, Template>> = {
  exact: ({ query, candidate }) =>
    query === candidate
      ? { en: `“${query}” is in both names`, pt: `“${query}” está nos dois nomes` }
      : {
          // One is an abbreviation or a translation of the other, or both are of a third word.
          en: `“${query}” and “${candidate}” mean the same`,
          pt: `“${query}” e “${candidate}” significam o mesmo`,
        },
  sound: counted('sound the same but are spelt differently', 'soam igual, mas se escrevem de outro modo'),
  edit: pair('differ by a few letters', 'diferem em poucas letras'),
  consonants: pair('have the same consonants', 'têm as mesmas consoantes'),
  nickname: pair('are forms of one name, one of them short', 'são formas de um mesmo nome, uma delas curta'),
  initial: pair(
    'may be the same name, because one is the initial of the other',
    'podem ser o mesmo nome, pois um é a inicial do outro',
  ),
  joined: (said) =>
    withoutSpaces(said.query) === withoutSpaces(said.candidate)
      ? counted('differ only by a space', 'diferem só por um espaço')(said)
      : counted(
          'are alike if two words are written as one',
          'são parecidos se duas palavras se escrevem como uma',
        )(said),
  form: ({ query, candidate }) => ({
    en: `“${query}” and “${candidate}” are the same legal form`,
    pt: `“${query}” e “${candidate}” são a mesma forma jurídica`,
  }),
  only_screened: ({ query }) => ({
    en: `“${query}” is only in the screened name`,
    pt: `“${query}” só está no nome consultado`,
  }),
  only_listed: ({ candidate }) => ({
    en: `“${candidate}” is only in the name on the list`,
    pt: `“${candidate}” só está no nome da lista`,
  }),
  all_words: () => ({
    en: 'The words that both names share divide one point among them; rare words get more than common ones',
    pt: 'As palavras que os dois nomes têm em comum dividem um ponto entre si; as raras recebem mais que as comuns',
  }),
  single_strong_token: limited(
    'Only one word agrees of several that identify a bearer',
    'Só coincide uma palavra de várias que identificam um titular',
  ),
  initials_only: limited('Of the first names only initials agree', 'Dos prenomes só coincidem iniciais'),
  generic_words_only: limited(
    'Only words agree that many organisations have',
    'Só coincidem palavras que muitas organizações têm',
  ),
  common_words_only: limited('Only words agree that many names have', 'Só coincidem palavras que muitos nomes têm'),
  number_differs: limited('The numbers in the two names differ', 'Os números nos dois nomes diferem'),
  word_contradicted: limited(
    'Each name has a word that the other lacks, which suggests two bearers of similar names',
    'Cada nome tem uma palavra que falta ao outro, o que sugere dois titulares de nomes parecidos',
  ),
  other_signs: limited('The two names are written with other signs', 'Os dois nomes são escritos com outros sinais'),
  other_script: limited(
    'The names are in two scripts, of which many signs are read alike',
    'Os nomes estão em duas escritas, das quais muitos sinais se leem da mesma forma',
  ),
  syllable_missing: limited('A syllable of the name is missing', 'Falta uma sílaba do nome'),
  syllable_differs: limited('A syllable of the name is another one', 'Uma sílaba do nome é outra'),
  syllables_in_other_order: limited(
    'The syllables of the name are in another order',
    'As sílabas do nome estão em outra ordem',
  ),
  all_words_equal: () => ({
    en: 'All words of both names are the same, so the names score 1',
    pt: 'Todas as palavras dos dois nomes são iguais, por isso os nomes têm nota 1',
  }),
  cpf: sameTaxNumber('CPF'),
  cpf_masked: sameTaxNumber('CPF'),
  cnpj: sameTaxNumber('CNPJ'),
  cnpj_root: () =>
    identified('The two CNPJs are of branches of one company', 'Os dois CNPJs são de filiais da mesma empresa'),
  tax_number: sameNumber('tax number', 'o mesmo número fiscal'),
  passport: sameNumber('passport number', 'o mesmo número de passaporte'),
  national_id: sameNumber('identity card number', 'o mesmo número de identidade'),
  registration_number: sameNumber('registration number', 'o mesmo número de registro'),
  lei: sameNumber('legal entity identifier (LEI)', 'o mesmo identificador de entidade jurídica (LEI)'),
  bic: sameNumber('bank code (BIC)', 'o mesmo código de banco (BIC)'),
  imo: sameNumber('IMO number', 'o mesmo número IMO'),
  mmsi: sameNumber('radio number of a ship (MMSI)', 'o mesmo número de rádio de navio (MMSI)'),
  aircraft_registration: sameNumber('aircraft registration', 'a mesma matrícula de aeronave'),
  wallet: sameNumber('wallet address', 'o mesmo endereço de carteira'),
  other: sameNumber('number', 'o mesmo número'),
  date_of_birth_equal: ({ query }) => ({ en: `Both were born on ${query}`, pt: `Ambos nasceram em ${query}` }),
  date_of_birth_month_equal: compared('Both were born in the same month', 'Ambos nasceram no mesmo mês'),
  date_of_birth_year_equal: compared('Both were born in the same year', 'Ambos nasceram no mesmo ano'),
  date_of_birth_day_and_month_swapped: compared(
    'The dates of birth are the same with day and month transposed',
    'As datas de nascimento são iguais com dia e mês trocados',
  ),
  date_of_birth_digits_swapped: compared(
    'Two digits of the dates of birth are swapped',
    'Dois dígitos das datas de nascimento estão trocados',
  ),
  date_of_birth_one_digit_differs: compared(
    'One digit of the dates of birth differs',
    'Um dígito das datas de nascimento difere',
  ),
  date_of_birth_one_off: compared(
    'The dates of birth are a day or a month apart',
    'As datas de nascimento diferem em um dia ou um mês',
  ),
  date_of_birth_near_year: compared('The years of birth are close to each other', 'Os anos de nascimento são próximos'),
  date_of_birth_same_year_other_day: compared(
    'Both were born in the same year, on other days',
    'Ambos nasceram no mesmo ano, em outros dias',
  ),
  date_of_birth_year_differs: compared('The years of birth differ', 'Os anos de nascimento diferem'),
  date_of_birth_differs: compared('The dates of birth differ', 'As datas de nascimento diferem'),
  gender_differs: compared('The genders differ', 'Os gêneros diferem'),
  country_shared: compared('They have a country in common', 'Têm um país em comum'),
  country_differs: compared('Their countries differ', 'Os países diferem'),
  tax_id_mask_fits: ({ candidate }) => ({
    en: `The CPF has the digits that the list shows (${candidate})`,
    pt: `O CPF tem os dígitos que a lista mostra (${candidate})`,
  }),
  tax_id_mask_differs: compared(
    'The CPF has other digits than the list shows',
    'O CPF tem outros dígitos do que a lista mostra',
  ),
  tax_id_differs: compared('The tax numbers differ', 'Os números fiscais diferem'),
  imo_differs: compared('The IMO numbers differ', 'Os números IMO diferem'),
  lei_differs: compared(
    'The legal entity identifiers (LEI) differ',
    'Os identificadores de entidade jurídica (LEI) diferem',
  ),
  at_most_one: () => ({ en: 'No score is above 1', pt: 'Nenhuma nota passa de 1' }),
  at_least_zero: () => ({ en: 'No score is below 0', pt: 'Nenhuma nota fica abaixo de 0' }),
  weak_name: ({ limit }) => ({
    en:
      'The list itself marks this name as one that alone is not enough to identify somebody, ' +
      `so the score is ${limit} at most`,
    pt:
      'A própria lista marca este nome como um que sozinho não basta para identificar alguém, ' +
      `por isso a nota é no máximo ${limit}`,
  }),
  unconfirmed_namesake: ({ limit }) => ({
    en:
      'On this list many people share each name, and neither date nor number confirms it, ' +
      `so the score is ${limit} at most`,
    pt:
      'Nesta lista muitas pessoas têm o mesmo nome, e nem data nem número o confirma, ' +
      `por isso a nota é no máximo ${limit}`,
  }),
};

/** Least difference that is said: smaller ones are written as zero. */
const LEAST = 0.0005;

/** Says what a reason adds to the score or takes from it. Only an equal number lets other data change nothing. */
function costIn(language: Language, { name, contribution }: Pick<Feature, 'name' | 'contribution'>): string {
  const amount = numberIn(language, Math.abs(contribution));
  if (Math.abs(contribution) < LEAST && name === 'modifier')
    return language === 'en'
      ? 'Nothing is taken for this, because an equal number already identifies the entry.'
      : 'Nada se tira por isso, porque um número igual já identifica a entrada.';
  if (Math.abs(contribution) < LEAST) return language === 'en' ? 'This changes nothing.' : 'Isso não muda nada.';
  if (contribution > 0) return language === 'en' ? `This adds ${amount}.` : `Isso soma ${amount}.`;
  return language === 'en' ? `This takes ${amount}.` : `Isso tira ${amount}.`;
}

const numberIn = (language: Language, value: number): string => {
  const text = String(Number(value.toFixed(3)));
  return language === 'en' ? text : text.replace('.', ',');
};

const GENDERS: Readonly<Record<string, string>> = { female: 'feminino', male: 'masculino' };

/**
 * Writes days, months and ranges of years as people do in the language, and genders in it; other values as they are.
 */
function valueIn(language: Language, value: string): string {
  const ranges = value.replace(/\b(\d{4})\/(\d{4})\b/g, language === 'en' ? '$1 to $2' : '$1 a $2');
  if (language === 'en') return ranges;
  return (
    GENDERS[value] ??
    ranges.replace(/\b(\d{4})-(\d\d)(?:-(\d\d))?\b/g, (_, year: string, month: string, day: string | undefined) =>
      [day, month, year].filter((part) => part !== undefined).join('/'),
    )
  );
}

/** Returns the sentence of a reason in both languages, followed by what it adds to the score or takes from it. */
export function sentenceOf({ name, reason, query, candidate, similarity, limit, contribution }: Feature): Sentence {
  const sentenceIn = (language: Language): string => {
    const isValue = name === 'modifier';
    const said = SAYS[reason]({
      query: isValue ? valueIn(language, query) : query,
      candidate: isValue ? valueIn(language, candidate) : candidate,
      percent: `${Math.round((similarity ?? 0) * 100)} %`,
      limit: numberIn(language, limit ?? 0),
    });
    // Everything adds up to the score, so what only explains the sum has no cost of its own.
    return name === 'divisor' ? `${said[language]}.` : `${said[language]}. ${costIn(language, { name, contribution })}`;
  };
  return { en: sentenceIn('en'), pt: sentenceIn('pt') };
}
