/** A sentence in both languages for each reason of a score. Used by reasons.tsx. */
import { inLanguages } from '../../core/language.ts';
import type { Hit } from './screening-words.ts';

export type Feature = Hit['features'][number];

/** Values in a sentence, formatted in its language. */
interface Said {
  /** Value of the subject, and value of the list. */
  readonly query: string;
  readonly candidate: string;
  /** Similarity of two words, in percent. */
  readonly percent: string;
  readonly weight: string;
  /** Highest possible score. */
  readonly limit: string;
}
type Sentences = Readonly<Record<Feature['reason'], (said: Said) => string>>;

/** A sentence for each reason of a score in the contract. A reason that is added there no longer compiles here. */
export const sentences = inLanguages<Sentences>({
  en: {
    exact: () => 'The two have the same word.',
    sound: ({ percent }) => `The two words sound the same (${percent}).`,
    edit: ({ percent }) => `The two words are spelt almost the same (${percent}).`,
    consonants: ({ percent }) => `The two words have the same consonants (${percent}).`,
    nickname: ({ percent }) => `One word is a short form of the other (${percent}).`,
    initial: ({ percent }) => `One is the initial of the other (${percent}).`,
    joined: ({ percent }) => `One side writes as one word what the other writes as two (${percent}).`,
    form: () => 'Both are the same legal form.',
    only_screened: ({ query }) => `“${query}” is only in the screened name, which makes the two less alike.`,
    only_listed: ({ candidate }) => `“${candidate}” is only in the name on the list, which makes the two less alike.`,
    all_words: ({ weight }) =>
      `All words of both names together weigh ${weight}; the name scores what the words that agree say of it.`,
    single_strong_token: ({ limit }) =>
      `Only one word of a name of several agrees, so the name scores ${limit} at most.`,
    initials_only: ({ limit }) => `Only initials agree, so the name scores ${limit} at most.`,
    generic_words_only: ({ limit }) => `Only words agree that many names have, so the name scores ${limit} at most.`,
    common_words_only: ({ limit }) => `Only common words agree, so the name scores ${limit} at most.`,
    number_differs: ({ limit }) => `The numbers in the two names differ, so the name scores ${limit} at most.`,
    word_contradicted: ({ limit }) =>
      `Each name has a word that the other lacks, as the names of brothers do, so the name scores ${limit} at most.`,
    other_signs: ({ limit }) => `The two names are written with other signs, so the name scores ${limit} at most.`,
    other_script: ({ limit }) => `Many signs are read alike, so names in two scripts score ${limit} at most.`,
    syllable_missing: ({ limit }) => `A syllable of the name is missing, so the name scores ${limit} at most.`,
    syllable_differs: ({ limit }) => `A syllable of the name is another one, so the name scores ${limit} at most.`,
    syllables_in_other_order: ({ limit }) =>
      `The syllables of the name are in another order, so the name scores ${limit} at most.`,
    all_words_equal: () => 'All words of both names are the same, which makes the name score 1.',
    cpf: () => 'Both have the same CPF, which makes 0.97 at least.',
    cpf_masked: () => 'Both have the same CPF, which makes 0.97 at least.',
    cnpj: () => 'Both have the same CNPJ, which makes 0.97 at least.',
    cnpj_root: () => 'The two CNPJs are of branches of one company, which makes 0.97 at least.',
    tax_number: () => 'Both have the same tax number, which makes 0.97 at least.',
    passport: () => 'Both have the same passport number, which makes 0.97 at least.',
    national_id: () => 'Both have the same identity card number, which makes 0.97 at least.',
    registration_number: () => 'Both have the same registration number, which makes 0.97 at least.',
    lei: () => 'Both have the same legal entity identifier, which makes 0.97 at least.',
    bic: () => 'Both have the same business identifier code (BIC), which makes 0.97 at least.',
    imo: () => 'Both have the same IMO number, which makes 0.97 at least.',
    mmsi: () => 'Both have the same radio number of a ship (MMSI), which makes 0.97 at least.',
    aircraft_registration: () => 'Both have the same aircraft registration, which makes 0.97 at least.',
    wallet: () => 'Both have the same wallet address, which makes 0.97 at least.',
    other: () => 'Both have the same number, which makes 0.97 at least.',
    date_of_birth_equal: ({ query }) => `Both were born on ${query}.`,
    date_of_birth_month_equal: ({ query, candidate }) =>
      `Both were born in the same month (${query}, on the list ${candidate}).`,
    date_of_birth_year_equal: ({ query, candidate }) =>
      `Both were born in the same year (${query}, on the list ${candidate}).`,
    date_of_birth_day_and_month_swapped: ({ query, candidate }) =>
      `The dates of birth are the same with day and month transposed (${query}, on the list ${candidate}).`,
    date_of_birth_digits_swapped: ({ query, candidate }) =>
      `Two digits of the dates of birth are swapped (${query}, on the list ${candidate}).`,
    date_of_birth_one_digit_differs: ({ query, candidate }) =>
      `One digit of the dates of birth differs (${query}, on the list ${candidate}).`,
    date_of_birth_one_off: ({ query, candidate }) =>
      `The dates of birth are a day or a month apart (${query}, on the list ${candidate}).`,
    date_of_birth_near_year: ({ query, candidate }) =>
      `The years of birth are close to each other (${query}, on the list ${candidate}).`,
    date_of_birth_same_year_other_day: ({ query, candidate }) =>
      `Both were born in the same year, on other days (${query}, on the list ${candidate}).`,
    date_of_birth_year_differs: ({ query, candidate }) =>
      `The years of birth differ (${query}, on the list ${candidate}).`,
    date_of_birth_differs: ({ query, candidate }) => `The dates of birth differ (${query}, on the list ${candidate}).`,
    gender_differs: ({ query, candidate }) => `The genders differ (${query}, on the list ${candidate}).`,
    country_shared: ({ query, candidate }) => `They have a country in common (${query}, on the list ${candidate}).`,
    country_differs: ({ query, candidate }) => `Their countries differ (${query}, on the list ${candidate}).`,
    tax_id_mask_fits: ({ candidate }) => `The CPF has the digits that the list shows (${candidate}).`,
    tax_id_mask_differs: ({ query, candidate }) =>
      `The CPF has other digits than the list shows (${query}, on the list ${candidate}).`,
    tax_id_differs: ({ query, candidate }) => `The tax numbers differ (${query}, on the list ${candidate}).`,
    imo_differs: ({ query, candidate }) => `The IMO numbers differ (${query}, on the list ${candidate}).`,
    lei_differs: ({ query, candidate }) => `The legal entity identifiers differ (${query}, on the list ${candidate}).`,
    at_most_one: () => 'No score is above 1.',
    at_least_zero: () => 'No score is below 0.',
    weak_name: ({ limit }) => `The list marks this name as weak, so it scores ${limit} at most.`,
    unconfirmed_namesake: ({ limit }) =>
      'On this list many people share each name, and neither date nor number confirms it, so it ' +
      `scores ${limit} at most.`,
  },
  pt: {
    exact: () => 'Os dois têm a mesma palavra.',
    sound: ({ percent }) => `As duas palavras soam igual (${percent}).`,
    edit: ({ percent }) => `As duas palavras têm grafia quase igual (${percent}).`,
    consonants: ({ percent }) => `As duas palavras têm as mesmas consoantes (${percent}).`,
    nickname: ({ percent }) => `Uma palavra é a forma curta da outra (${percent}).`,
    initial: ({ percent }) => `Uma é a inicial da outra (${percent}).`,
    joined: ({ percent }) => `Um lado escreve junto o que o outro escreve em duas palavras (${percent}).`,
    form: () => 'Ambos têm a mesma forma jurídica.',
    only_screened: ({ query }) => `“${query}” só está no nome consultado, o que os torna menos semelhantes.`,
    only_listed: ({ candidate }) => `“${candidate}” só está no nome da lista, o que os torna menos semelhantes.`,
    all_words: ({ weight }) =>
      `Todas as palavras dos dois nomes juntas pesam ${weight}; a nota do nome é o que as palavras em comum ` +
      'representam disso.',
    single_strong_token: ({ limit }) =>
      `Só uma palavra de um nome de várias coincide, por isso a nota do nome é no máximo ${limit}.`,
    initials_only: ({ limit }) => `Só iniciais coincidem, por isso a nota do nome é no máximo ${limit}.`,
    generic_words_only: ({ limit }) =>
      `Só coincidem palavras que muitos nomes têm, por isso a nota do nome é no máximo ${limit}.`,
    common_words_only: ({ limit }) => `Só coincidem palavras comuns, por isso a nota do nome é no máximo ${limit}.`,
    number_differs: ({ limit }) => `Os números nos dois nomes diferem, por isso a nota do nome é no máximo ${limit}.`,
    word_contradicted: ({ limit }) =>
      'Cada nome tem uma palavra que falta ao outro, como nos nomes de irmãos, por isso a nota do nome é no ' +
      `máximo ${limit}.`,
    other_signs: ({ limit }) =>
      `Os dois nomes são escritos com outros sinais, por isso a nota do nome é no máximo ${limit}.`,
    other_script: ({ limit }) =>
      `Muitos sinais se leem da mesma forma, por isso nomes em duas escritas têm nota máxima ${limit}.`,
    syllable_missing: ({ limit }) => `Falta uma sílaba do nome, por isso a nota do nome é no máximo ${limit}.`,
    syllable_differs: ({ limit }) => `Uma sílaba do nome é outra, por isso a nota do nome é no máximo ${limit}.`,
    syllables_in_other_order: ({ limit }) =>
      `As sílabas do nome estão em outra ordem, por isso a nota do nome é no máximo ${limit}.`,
    all_words_equal: () => 'Todas as palavras dos dois nomes são iguais, o que dá nota 1 ao nome.',
    cpf: () => 'Ambos têm o mesmo CPF, o que dá ao menos 0,97.',
    cpf_masked: () => 'Ambos têm o mesmo CPF, o que dá ao menos 0,97.',
    cnpj: () => 'Ambos têm o mesmo CNPJ, o que dá ao menos 0,97.',
    cnpj_root: () => 'Os dois CNPJs são de filiais da mesma empresa, o que dá ao menos 0,97.',
    tax_number: () => 'Ambos têm o mesmo número fiscal, o que dá ao menos 0,97.',
    passport: () => 'Ambos têm o mesmo número de passaporte, o que dá ao menos 0,97.',
    national_id: () => 'Ambos têm o mesmo número de identidade, o que dá ao menos 0,97.',
    registration_number: () => 'Ambos têm o mesmo número de registro, o que dá ao menos 0,97.',
    lei: () => 'Ambos têm o mesmo identificador LEI, o que dá ao menos 0,97.',
    bic: () => 'Ambos têm o mesmo código de banco (BIC), o que dá ao menos 0,97.',
    imo: () => 'Ambos têm o mesmo número IMO, o que dá ao menos 0,97.',
    mmsi: () => 'Ambos têm o mesmo número de rádio de navio (MMSI), o que dá ao menos 0,97.',
    aircraft_registration: () => 'Ambos têm a mesma matrícula de aeronave, o que dá ao menos 0,97.',
    wallet: () => 'Ambos têm o mesmo endereço de carteira, o que dá ao menos 0,97.',
    other: () => 'Ambos têm o mesmo número, o que dá ao menos 0,97.',
    date_of_birth_equal: ({ query }) => `Ambos nasceram em ${query}.`,
    date_of_birth_month_equal: ({ query, candidate }) =>
      `Ambos nasceram no mesmo mês (${query}, na lista ${candidate}).`,
    date_of_birth_year_equal: ({ query, candidate }) =>
      `Ambos nasceram no mesmo ano (${query}, na lista ${candidate}).`,
    date_of_birth_day_and_month_swapped: ({ query, candidate }) =>
      `As datas de nascimento são iguais com dia e mês trocados (${query}, na lista ${candidate}).`,
    date_of_birth_digits_swapped: ({ query, candidate }) =>
      `Dois dígitos das datas de nascimento estão trocados (${query}, na lista ${candidate}).`,
    date_of_birth_one_digit_differs: ({ query, candidate }) =>
      `Um dígito das datas de nascimento difere (${query}, na lista ${candidate}).`,
    date_of_birth_one_off: ({ query, candidate }) =>
      `As datas de nascimento diferem em um dia ou um mês (${query}, na lista ${candidate}).`,
    date_of_birth_near_year: ({ query, candidate }) =>
      `Os anos de nascimento são próximos (${query}, na lista ${candidate}).`,
    date_of_birth_same_year_other_day: ({ query, candidate }) =>
      `Ambos nasceram no mesmo ano, em outros dias (${query}, na lista ${candidate}).`,
    date_of_birth_year_differs: ({ query, candidate }) =>
      `Os anos de nascimento diferem (${query}, na lista ${candidate}).`,
    date_of_birth_differs: ({ query, candidate }) =>
      `As datas de nascimento diferem (${query}, na lista ${candidate}).`,
    gender_differs: ({ query, candidate }) => `Os gêneros diferem (${query}, na lista ${candidate}).`,
    country_shared: ({ query, candidate }) => `Têm um país em comum (${query}, na lista ${candidate}).`,
    country_differs: ({ query, candidate }) => `Os países diferem (${query}, na lista ${candidate}).`,
    tax_id_mask_fits: ({ candidate }) => `O CPF tem os dígitos que a lista mostra (${candidate}).`,
    tax_id_mask_differs: ({ query, candidate }) =>
      `O CPF tem outros dígitos do que a lista mostra (${query}, na lista ${candidate}).`,
    tax_id_differs: ({ query, candidate }) => `Os números fiscais diferem (${query}, na lista ${candidate}).`,
    imo_differs: ({ query, candidate }) => `Os números IMO diferem (${query}, na lista ${candidate}).`,
    lei_differs: ({ query, candidate }) => `Os identificadores LEI diferem (${query}, na lista ${candidate}).`,
    at_most_one: () => 'Nenhuma nota passa de 1.',
    at_least_zero: () => 'Nenhuma nota fica abaixo de 0.',
    weak_name: ({ limit }) => `A lista marca este nome como fraco, por isso a nota é no máximo ${limit}.`,
    unconfirmed_namesake: ({ limit }) =>
      'Nesta lista muitas pessoas têm o mesmo nome, e nem data nem número o confirma, por isso a ' +
      `nota é no máximo ${limit}.`,
  },
});
