/** Country codes by their English names. Used by the readers. An unknown name gives null and is left out. */

/** Names of countries on lists that differ from the standard. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'russian federation': 'RU',
  burma: 'MM',
  'korea, north': 'KP',
  'north korea': 'KP',
  "democratic people's republic of korea": 'KP',
  dprk: 'KP',
  'korea, south': 'KR',
  'republic of korea': 'KR',
  'iran (islamic republic of)': 'IR',
  'islamic republic of iran': 'IR',
  'syrian arab republic': 'SY',
  'congo, democratic republic of the': 'CD',
  'democratic republic of the congo': 'CD',
  'congo (democratic republic)': 'CD',
  'congo, republic of the': 'CG',
  'united states of america': 'US',
  usa: 'US',
  'united kingdom of great britain and northern ireland': 'GB',
  uk: 'GB',
  turkey: 'TR',
  'türkiye': 'TR',
  'viet nam': 'VN',
  "cote d'ivoire": 'CI',
  'ivory coast': 'CI',
  'cape verde': 'CV',
  'czech republic': 'CZ',
  macedonia: 'MK',
  'macedonia, the former yugoslav republic of': 'MK',
  swaziland: 'SZ',
  'the gambia': 'GM',
  'bahamas, the': 'BS',
  'libyan arab jamahiriya': 'LY',
  "lao people's democratic republic": 'LA',
  'united republic of tanzania': 'TZ',
  'republic of moldova': 'MD',
  'moldova, republic of': 'MD',
  'state of palestine': 'PS',
  palestinian: 'PS',
  palestine: 'PS',
  'west bank': 'PS',
  'region: gaza': 'PS',
  'venezuela (bolivarian republic of)': 'VE',
  'bolivia (plurinational state of)': 'BO',
  'brunei darussalam': 'BN',
  'hong kong': 'HK',
  macau: 'MO',
  'occupied palestinian territory': 'PS',
  'occupied palestinian territories': 'PS',
  kosovo: 'XK',
  myanmar: 'MM',
  'saint kitts and nevis': 'KN',
  'virgin islands, british': 'VG',
  'man, isle of': 'IM',
  'cabo verde': 'CV',
  'north macedonia, the republic of': 'MK',
  'cote d ivoire': 'CI',
  'palestinian authority': 'PS',
  brasil: 'BR',
  'st kitts and nevis': 'KN',
  'saint vincent and the grenadines': 'VC',
  'east timor': 'TL',
  'bosnia and herzegovina': 'BA',
  'trinidad and tobago': 'TT',
  'antigua and barbuda': 'AG',
  "people's republic of china": 'CN',
};

const CODES: ReadonlyMap<string, string> = (() => {
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const standard = letters.flatMap((first) =>
    letters.flatMap((second) => {
      // A withdrawn code is replaced by its successor, and would take the successor's name.
      const isCurrent = Intl.getCanonicalLocales(`und-${first}${second}`)[0] === `und-${first}${second}`;
      const name = english.of(first + second);
      return name === undefined || !isCurrent ? [] : [[name.toLowerCase(), first + second] as const];
    }),
  );
  return new Map([...standard, ...Object.entries(OTHER_NAMES)]);
})();

/** Returns the ISO 3166-1 code of a country by its English name or by the code itself; null if it is no country. */
export function countryCode(text: string): string | null {
  const name = text.trim().replace(/\.$/, '').toLowerCase();
  return (
    CODES.get(name) ??
    (/^[a-z]{2}$/.test(name) && [...CODES.values()].includes(name.toUpperCase()) ? name.toUpperCase() : null)
  );
}

/** Returns each code once, without texts that are no country. */
export const countryCodes = (texts: readonly string[]): string[] => [
  ...new Set(texts.map(countryCode).filter((code) => code !== null)),
];
