/**
 * Rows that show one figure of the engine beside those of others, and say whether it is better or why not. Used by
 * screening-side-by-side.ts.
 */
import { amount, round, type Row } from './figures.ts';

/** Figures by contender. */
export type Others = Readonly<Record<string, number>>;

interface Compared {
  readonly what: string;
  readonly own: number;
  readonly others: Others;
  readonly better: 'more' | 'less';
  readonly unit?: string;
  /** Says why these contenders are better, or null if nobody knows. */
  readonly because?: (ahead: readonly string[]) => string | null;
}

/**
 * Returns a row whose value is the ratio to the best of the others, 1 or more if the engine is as good. Contenders that
 * are better are named with the reason.
 */
export function sideBySide({ what, own, others, better, unit = '', because = () => null }: Compared): Row {
  const shown = (value: number): string => `${value < 1 ? value.toFixed(3) : round(value)}${unit && ` ${unit}`}`;
  const ratio = (other: number): number => {
    if (own === other) return 1;
    return better === 'more' ? own / other : other / own;
  };
  const ahead = Object.keys(others).filter((name) => !(ratio(others[name]!) >= 1));
  const all = Object.entries(others).map(([name, value]) => `${name} ${shown(value)}`);
  const verdict =
    ahead.length === 0 ? 'not behind any' : `behind ${ahead.join(', ')}: ${because(ahead) ?? 'nobody has said why'}`;
  return [
    what,
    amount(Math.min(...Object.values(others).map(ratio)), '', `${shown(own)} · ${all.join(' · ')} · ${verdict}`),
    '≥ 1',
  ];
}

/** What a contender finds and which share of false pairs it alerts, at its own line. */
interface AtOwnLine {
  readonly found: number;
  readonly falseAlerts: number;
}

/**
 * Returns the rows at own lines. Whoever has a lower line finds more and alerts more, so being behind in one row is
 * explained by being ahead in the other one, and not at all by anything else.
 */
export function atOwnLines(which: string, own: AtOwnLine, others: Readonly<Record<string, AtOwnLine>>): Row[] {
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const row = (
    of: keyof AtOwnLine,
    better: Compared['better'],
    { what, price, verb }: Readonly<Record<'what' | 'verb', string>> & { readonly price: keyof AtOwnLine },
  ): Row =>
    sideBySide({
      what: `${which}: ${what} at own lines`,
      own: 100 * own[of],
      others: Object.fromEntries(Object.entries(others).map(([name, figures]) => [name, 100 * figures[of]])),
      better,
      unit: '%',
      because: (ahead) => {
        const paid = ahead.map((name) => others[name]![price]);
        const isDearer = paid.every((value) => (price === 'found' ? value < own[price] : value > own[price]));
        return isDearer ? `they ${verb}, ${paid.map(percent).join(', ')}, not ${percent(own[price])}` : null;
      },
    });
  return [
    row('found', 'more', { what: 'true pairs found', price: 'falseAlerts', verb: 'alert more of the false pairs' }),
    row('falseAlerts', 'less', { what: 'false pairs alerted', price: 'found', verb: 'find fewer of the true pairs' }),
  ];
}
