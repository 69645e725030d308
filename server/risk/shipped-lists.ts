/**
 * The reference lists that are active from the first day. They are starting points, which a compliance officer checks
 * against the current publications and replaces by versions of the tenant's own.
 */
import type { ReferenceLists } from './facts.ts';

/** A reference list as it is shipped. */
export interface ShippedList {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
}

export const SHIPPED_LISTS: readonly ShippedList[] = [
  {
    key: 'high_risk_countries',
    name: 'Countries under a call for action',
    description:
      'Jurisdictions for which the FATF calls for countermeasures or enhanced diligence, as of October 2025.',
    values: ['IR', 'KP', 'MM'],
  },
  {
    key: 'monitored_countries',
    name: 'Countries under increased monitoring',
    description: 'Jurisdictions whose deficiencies the FATF monitors, as of October 2025.',
    values: [
      ...['AO', 'BG', 'BO', 'CD', 'CI', 'CM', 'DZ', 'HT', 'KE', 'LA'],
      ...['LB', 'MC', 'NA', 'NP', 'SS', 'SY', 'VE', 'VG', 'VN', 'YE'],
    ],
  },
  {
    key: 'favoured_tax_countries',
    name: 'Countries with favoured taxation',
    description: 'A selection of the jurisdictions of the Instrução Normativa RFB 1.037/2010.',
    values: [
      ...['AD', 'AG', 'AI', 'AW', 'BB', 'BH', 'BM', 'BN', 'BS', 'BZ', 'CK', 'DM', 'GD', 'GG', 'GI'],
      ...['IM', 'JE', 'KN', 'KY', 'LC', 'LI', 'LR', 'MC', 'MH', 'MS', 'MU', 'MV', 'NR', 'NU', 'OM'],
      ...['PA', 'SC', 'SM', 'TC', 'TO', 'VC', 'VG', 'VI', 'VU', 'WS'],
    ],
  },
  {
    key: 'higher_risk_occupations',
    name: 'Occupations with a higher risk',
    description: 'Occupations near cash, goods of high value or intermediation, in lower case and without accents.',
    values: [
      ...['agente de atletas', 'comerciante de joias', 'comerciante de obras de arte', 'comerciante de veiculos'],
      ...['corretor de imoveis', 'despachante aduaneiro', 'garimpeiro', 'joalheiro', 'leiloeiro'],
      ...['operador de cambio', 'ourives', 'proprietario de casa de apostas'],
    ],
  },
  {
    key: 'higher_risk_products',
    name: 'Products with a higher risk',
    description: 'Codes of products that move value abroad, in cash or in virtual assets. Use your own product codes.',
    values: ['cash_deposit', 'crypto', 'fx', 'international_transfer', 'prepaid_card'],
  },
  {
    key: 'higher_risk_activities',
    name: 'Activities with a higher risk',
    description: 'Activities of the CNAE near cash, precious goods, bets, weapons or intermediation, as seven digits.',
    values: [
      ...['0724301', '4511101', '4511102', '4783101', '4783102', '4785701', '4789009', '6612603'],
      ...['6821801', '6821802', '9200301', '9200302', '9200399'],
    ],
  },
];

/** Returns the values of lists by their keys. */
export function valuesOf(lists: readonly Pick<ShippedList, 'key' | 'values'>[]): ReferenceLists {
  return Object.fromEntries(lists.map(({ key, values }) => [key, values]));
}
