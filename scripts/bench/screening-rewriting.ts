/**
 * Rewrites listed names as other people write them: by habits of romanization, shorter, joined, split, abbreviated,
 * with other legal forms. Used by screening-kinds.ts. The tables follow norms and passports, and nothing of the engine
 * is used, so that a rule of the engine is not measured by itself.
 */

/** Returns random numbers below a bound, which depend on the text alone. */
export function chance(text: string): (below: number) => number {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 16_777_619) >>> 0;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) >>> 0;
    state = Math.imul(state ^ (state >>> 13), 3_266_489_917) >>> 0;
    state = (state ^ (state >>> 16)) >>> 0;
    return state % below;
  };
}

export const SEED = 'second round';
export const HALVES = ['development', 'validation'] as const;
export type Half = (typeof HALVES)[number];

/** Returns the half of an entity or a row. */
export const halfOf = (key: string): Half => HALVES[chance(`${SEED} ${key}`)(2)]!;

export const HABITS = ['ICAO', 'German', 'French', 'Portuguese', 'Polish', 'Czech', 'Cyrillic'] as const;
export type Habit = (typeof HABITS)[number];

/**
 * Letters of a Slavic name as the lists of the United States write them (BGN/PCGN), and as each habit writes them. `^`
 * is the beginning of a word, `$` its end.
 */
const LETTERS: readonly (readonly [RegExp, ...string[]])[] = [
  [/shch/y, 'shch', 'schtsch', 'chtch', 'chtch', 'szcz', 'šč', 'щ'],
  [/zh/y, 'zh', 'sch', 'j', 'j', 'ż', 'ž', 'ж'],
  [/kh/y, 'kh', 'ch', 'kh', 'kh', 'ch', 'ch', 'х'],
  [/ts/y, 'ts', 'z', 'ts', 'ts', 'c', 'c', 'ц'],
  [/ch/y, 'ch', 'tsch', 'tch', 'tch', 'cz', 'č', 'ч'],
  [/sh/y, 'sh', 'sch', 'ch', 'x', 'sz', 'š', 'ш'],
  [/ya|ia/y, 'ia', 'ja', 'ia', 'ia', 'ja', 'ja', 'я'],
  [/yu|iu/y, 'iu', 'ju', 'iou', 'iu', 'ju', 'ju', 'ю'],
  [/yo/y, 'e', 'jo', 'io', 'io', 'jo', 'jo', 'ё'],
  [/^ye/y, 'e', 'je', 'e', 'e', 'je', 'je', 'е'],
  [/ye/y, 'e', 'je', 'ie', 'ie', 'je', 'je', 'е'],
  [/iy$/y, 'ii', 'i', 'i', 'i', 'ij', 'ij', 'ий'],
  [/(?<=[aeo])[yi]$/y, 'i', 'j', 'i', 'i', 'j', 'j', 'й'],
  [/(?<=[^aeiou])y$/y, 'ii', 'i', 'i', 'i', 'ij', 'ij', 'ий'],
  [/g(?=[ei])/y, 'g', 'g', 'gu', 'gu', 'g', 'g', 'г'],
  [/x/y, 'ks', 'x', 'x', 'x', 'ks', 'x', 'кс'],
  [/v/y, 'v', 'w', 'v', 'v', 'w', 'v', 'в'],
  [/(?<=[^aeiou])in$/y, 'in', 'in', 'ine', 'in', 'in', 'in', 'ин'],
  [/u/y, 'u', 'u', 'ou', 'u', 'u', 'u', 'у'],
  ...[...'abdefghiklmnoprstyz'].map(
    (letter, index) =>
      [
        new RegExp(letter, 'y'),
        ...Array.from({ length: 6 }, () => letter),
        [...'абдефгхиклмнопрстыз'][index]!,
      ] as const,
  ),
];

/** Returns a word in another habit; null if it has a letter that Slavic names do not have. */
function inHabit(word: string, habit: Habit): string | null {
  const [small, column] = [word.toLowerCase(), HABITS.indexOf(habit) + 1];
  let written = '';
  for (let at = 0; at < small.length; ) {
    const found = LETTERS.find(([letters]) => {
      letters.lastIndex = at;
      return letters.test(small);
    });
    if (found === undefined) return null;
    at = found[0].lastIndex;
    written += found[column] as string;
  }
  return written;
}

const PATRONYMIC = /(?:[oe]vich|[oe]vna|ichna|[oe]vych|[iy]vna)$/i;

/** Returns the parts of a name whose second of three words is a patronymic. */
function slavic(name: string): { readonly given: string; readonly family: string; readonly father: string } | null {
  const [given, father, family, more] = name.split(' ');
  return more === undefined && family !== undefined && PATRONYMIC.test(father!)
    ? { given: given!, father: father!, family }
    : null;
}

/** Returns the first and the family name in another habit; null unless the name is Slavic and is written otherwise. */
export function romanized(name: string, habit: Habit): string | null {
  const parts = slavic(name);
  if (parts === null) return null;
  const [given, family] = [inHabit(parts.given, habit), inHabit(parts.family, habit)];
  const plain = `${parts.given} ${parts.family}`.toLowerCase();
  return given === null || family === null || `${given} ${family}` === plain ? null : `${given} ${family}`;
}

export function withoutPatronymic(name: string): string | null {
  const parts = slavic(name);
  return parts === null ? null : `${parts.given} ${parts.family}`;
}

/**
 * Returns the words of a person's name, divided at the family name, which the list of the United States capitalizes.
 */
function parted(name: string): { readonly given: readonly string[]; readonly family: readonly string[] } | null {
  const words = name.split(' ');
  const from = words.findIndex((word) => word.length > 1 && word === word.toUpperCase());
  if (from < 1 || !words.slice(from).every((word) => word === word.toUpperCase())) return null;
  return { given: words.slice(0, from), family: words.slice(from) };
}

/** Returns the first given name and one of two family names, the first or the second by chance. */
export function oneOfTwoSurnames(name: string): string | null {
  const parts = parted(name);
  if (parts === null || parts.family.length !== 2 || parts.family.some((word) => word.length < 4 || word.includes('-')))
    return null;
  return `${parts.given[0]} ${parts.family[chance(name)(2)]}`;
}

/** Returns the family name with the initials of the given names, in one of four orders by chance. */
export function withInitials(name: string): string | null {
  const parts = parted(name);
  if (parts === null || parts.given.length < 2 || parts.family.length > 1) return null;
  const letters = parts.given.map((word) => word[0]!);
  const family = parts.family.join(' ');
  return [
    `${family} ${letters.map((letter) => `${letter}.`).join('')}`,
    `${letters.map((letter) => `${letter}.`).join(' ')} ${family}`,
    `${family}, ${letters.join(' ')}`,
    `${letters
      .toReversed()
      .map((letter) => `${letter}.`)
      .join('')} ${family}`,
  ][chance(name)(4)]!;
}

const paired = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  );

/** Short forms that people are called by, by culture. */
const CALLED = paired(`
  aleksandr=Sasha alexander=Sasha aleksey=Lyosha alexei=Alyosha vladimir=Volodya dmitriy=Dima dmitry=Dima
  mikhail=Misha ivan=Vanya nikolai=Kolya
  nikolay=Kolya konstantin=Kostya yuriy=Yura yury=Yura yuri=Yura sergey=Seryozha sergei=Seryozha pavel=Pasha
  boris=Borya viktor=Vitya
  anatoliy=Tolya anatoly=Tolya yevgeniy=Zhenya evgeny=Zhenya vasiliy=Vasya roman=Roma maksim=Max tatiana=Tanya
  natalya=Natasha natalia=Natasha
  anna=Anya maria=Masha olga=Olya elena=Lena yelena=Lena irina=Ira svetlana=Sveta ekaterina=Katya grigory=Grisha
  leonid=Lyonya
  jose=Pepe francisco=Paco jesus=Chuy ignacio=Nacho guadalupe=Lupe enrique=Quique manuel=Manolo alfonso=Poncho
  alberto=Beto
  roberto=Beto eduardo=Lalo antonio=Toño rafael=Rafa fernando=Nando guillermo=Memo luis=Lucho ricardo=Richi gabriel=Gabo
  robert=Bob william=Bill richard=Dick james=Jim john=Jack charles=Chuck edward=Ted thomas=Tom michael=Mike
  daniel=Dan`);

/** Returns a name with the short form of its first word. */
export function called(name: string): string | null {
  const [first, ...rest] = name.split(' ');
  const short = CALLED.get(first!.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));
  return short === undefined || rest.length === 0
    ? null
    : [short, ...rest.filter((word) => !PATRONYMIC.test(word))].join(' ');
}

/** Returns a name in which two adjacent words, chosen by chance, are written as one. */
export function joined(name: string): string | null {
  const words = name.split(/[\s-]+/);
  const places = words
    .slice(1)
    .flatMap((word, at) => (/^\p{L}{2,}$/u.test(word) && /^\p{L}{2,}$/u.test(words[at]!) ? [at] : []));
  if (words.length < 3 || places.length === 0) return null;
  const at = places[chance(name)(places.length)]!;
  return [...words.slice(0, at), words[at]! + words[at + 1]!, ...words.slice(at + 2)].join(' ');
}

/** Returns a name in which a long word, chosen by chance, is written as two. */
export function split(name: string): string | null {
  const words = name.split(' ');
  const places = words.flatMap((word, at) => (/^\p{L}{7,}$/u.test(word) ? [at] : []));
  if (words.length < 2 || places.length === 0) return null;
  const random = chance(name);
  const at = places[random(places.length)]!;
  const where = 3 + random(words[at]!.length - 5);
  return [...words.slice(0, at), words[at]!.slice(0, where), words[at]!.slice(where), ...words.slice(at + 1)].join(' ');
}

const SHORTENED = paired(`
  GROUP=GRP SERVICES=SRVCS SERVICE=SVC COMPANY=CO CORPORATION=CORP INTERNATIONAL=INTL TRADING=TRDG INDUSTRIES=INDS
  INDUSTRIAL=INDL
  INDUSTRY=IND ENGINEERING=ENGG DEVELOPMENT=DEV MANAGEMENT=MGMT INVESTMENT=INV INVESTMENTS=INVS TECHNOLOGY=TECH
  TECHNOLOGIES=TECH
  MANUFACTURING=MFG ASSOCIATION=ASSN ORGANIZATION=ORG NATIONAL=NATL GENERAL=GEN TRANSPORT=TRANS ENTERPRISES=ENT
  COMERCIAL=COM
  COMERCIALIZADORA=COM INSTITUTE=INST UNIVERSITY=UNIV DEPARTMENT=DEPT EXPORT=EXP IMPORT=IMP BROTHERS=BROS
  HOLDING=HLDG HOLDINGS=HLDGS
  CONSTRUCTION=CONSTR SHIPPING=SHPG LOGISTICS=LOG CENTER=CTR CENTRE=CTR RESEARCH=RES SOCIETY=SOC AND=&`);

/** Returns the name of an organisation with its general words abbreviated. */
export function abbreviated(name: string): string | null {
  const short = name.replace(/\p{L}+/gu, (word) => SHORTENED.get(word.toUpperCase()) ?? word);
  return short === name ? null : short;
}

/** Legal forms at the end of a name: as lists write them, in full, and of the same kind in another language. */
const FORMS: readonly (readonly [RegExp, string, string])[] = [
  [/,? S\.?A\.? DE C\.?V\.?$/, ' Sociedad Anónima de Capital Variable', ' S.A.'],
  [/,? S\. ?DE R\. ?L\.?(?: DE C\. ?V\.?)?$/, ' Sociedad de Responsabilidad Limitada de Capital Variable', ' LLC'],
  [/,? S\.?A\.?S\.?$/, ' Sociedad por Acciones Simplificada', ' JSC'],
  [/,? S\.?A\.?R\.?L\.?$/, ' Société à responsabilité limitée', ' GmbH'],
  [/,? S\.?R\.?L\.?$/, ' Sociedad de Responsabilidad Limitada', ' LLC'],
  [/,? S\.?P\.?A\.?$/, ' Società per azioni', ' JSC'],
  [/,? S\.?A\.?$/, ' Sociedad Anónima', ' AG'],
  [/,? LTDA\.?$/, ' Sociedad Limitada', ' Ltd.'],
  [/,? (?:PTE|PVT|PRIVATE)\.? (?:LTD|LIMITED)\.?$/, ' Private Limited Company', ' Sdn Bhd'],
  [/,? CO\.?,? (?:LTD|LIMITED)\.?$/, ' Company Limited', ' LLC'],
  [/,? (?:LTD|LIMITED)\.?$/, ' Limited Company', ' GmbH'],
  [/,? (?:LLC|L\.L\.C\.?)$/, ' Limited Liability Company', ' OOO'],
  [/,? GMBH$/, ' Gesellschaft mit beschränkter Haftung', ' LLC'],
  [/,? (?:PJSC)$/, ' Public Joint Stock Company', ' PAO'],
  [/,? (?:OJSC)$/, ' Open Joint Stock Company', ' OAO'],
  [/,? (?:CJSC)$/, ' Closed Joint Stock Company', ' ZAO'],
  [/,? (?:JSC|AO)$/, ' Aktsionernoe obshchestvo', ' Joint Stock Company'],
  [/,? INC\.?$/, ' Incorporated', ' Corp.'],
  [/,? CORP\.?$/, ' Corporation', ' Inc.'],
  [/,? A\.?S\.?$/, ' Anonim Şirketi', ' JSC'],
  [/,? B\.?V\.?$/, ' Besloten Vennootschap', ' GmbH'],
  [/,? AG$/, ' Aktiengesellschaft', ' S.A.'],
  [/,? D\.?O\.?O\.?$/, ' društvo s ograničenom odgovornošću', ' Ltd.'],
  [/,? FZE$/, ' Free Zone Establishment', ' LLC'],
  [/,? FZCO$/, ' Free Zone Company', ' LLC'],
];

/** Returns the name of a company with its legal form in full, of the same kind in another language, or left out. */
export function withLegalForm(name: string, as: 'in full' | 'in another language' | 'left out'): string | null {
  const found = FORMS.find(([form]) => form.test(name.toUpperCase()));
  if (found === undefined) return null;
  const rest = name.slice(0, name.toUpperCase().search(found[0]));
  if (!rest.includes(' ')) return null;
  const form = { 'in full': found[1], 'in another language': found[2], 'left out': '' }[as];
  return rest + form;
}

const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIII', 'XIV', 'XV'];

/** Returns a name with its number in Roman instead of Arabic numerals, or the other way round. */
export function renumbered(name: string): string | null {
  const written = name
    .split(' ')
    .map((word) => {
      if (/^\d+$/.test(word)) return ROMAN[Number(word)] || word;
      const at = ROMAN.indexOf(word);
      return at > 1 ? String(at) : word;
    })
    .join(' ');
  return written === name ? null : written;
}

/** Returns a name with its words in another order and in small letters. */
export const reordered = (name: string): string => name.split(' ').reverse().join(' ').toLowerCase();
