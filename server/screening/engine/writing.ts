/**
 * Limits similarities of sound for names in Chinese, Japanese and Korean writing. Used by judgement.ts. Without it,
 * many different people would sound alike.
 */
import { fold } from '../names/fold.ts';
import type { Alignment, Cap } from './alignment.ts';

/** Scripts in which one sign is one syllable, so that a name is two or three of a few hundred syllables. */
const SYLLABIC = ['Han', 'Hangul', 'Kana'] as const;
const SIGN: Readonly<Record<(typeof SYLLABIC)[number], RegExp>> = {
  Han: /\p{Script=Han}/u,
  Hangul: /\p{Script=Hangul}/u,
  Kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
};

/** Simplified characters of frequent names, paired with the traditional ones: both forms are one sign. */
const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  [
    ...'張张陳陈劉刘楊杨黃黄趙赵吳吴鄭郑馬马許许孫孙韓韩馮冯葉叶蕭萧羅罗鄧邓蔣蒋盧卢閻阎譚谭鄒邹陸陆錢钱湯汤賀贺龍龙賴赖龔龚溫温譚谭齊齐嚴严顧顾習习國国華华東东軍军傑杰偉伟麗丽榮荣',
  ].flatMap((sign, index, all) => (index % 2 === 0 ? [[sign, all[index + 1]!] as const] : [])),
);

/**
 * Returns the signs of a name and their scripts. Null if any of its letters are of other scripts, which identify
 * enough.
 */
function writingOf(name: string): { readonly signs: readonly string[]; readonly scripts: string } | null {
  const letters = name.normalize('NFKC').match(/\p{L}/gu) ?? [];
  const scripts = SYLLABIC.filter((script) => letters.some((letter) => SIGN[script].test(letter)));
  if (
    scripts.length === 0 ||
    !letters.every((letter) => letter === 'ー' || scripts.some((script) => SIGN[script].test(letter)))
  )
    return null;
  return { signs: letters.map((sign) => SIMPLIFIED.get(sign) ?? sign), scripts: scripts.join(' ') };
}

/** Limits of a similarity across scripts, by the number of syllables. */
const OTHER_SCRIPT = { two: 0.76, three: 0.86, more: 0.9 } as const;
function otherScriptLimit(syllables: number): number {
  if (syllables <= 2) return OTHER_SCRIPT.two;
  return syllables === 3 ? OTHER_SCRIPT.three : OTHER_SCRIPT.more;
}

const SYLLABLE = { missing: 0.62, differs: 0.68, inOtherOrder: 0.62 } as const;

/**
 * Returns the caps that writing sets for a similarity of sound. Many signs are read alike, so a name in Chinese,
 * Japanese or Korean writing and one in Latin letters agree less than they seem to, the less the fewer syllables they
 * have. Syllables are not omitted in practice, and the syllables of a given name in another order are another name. Two
 * names in such writing are compared by their signs.
 */
export function capsOfWriting(subject: string, listed: string, { aligned, unmatched }: Alignment): Cap[] {
  const [ofSubject, ofListed] = [writingOf(subject), writingOf(listed)];
  if (ofSubject === null && ofListed === null) return [];
  if (ofSubject?.scripts === ofListed?.scripts) {
    const [one, rest] = [ofSubject!.signs, [...ofListed!.signs]];
    const shared = one.filter((sign) => rest.includes(sign) && rest.splice(rest.indexOf(sign), 1)).length;
    const most = Math.max(one.length, ofListed!.signs.length);
    return shared === most ? [] : [{ rule: 'other_signs', to: 0.4 + (0.4 * shared) / most }];
  }
  const syllables = Math.max(ofSubject?.signs.length ?? 0, ofListed?.signs.length ?? 0);
  const caps: Cap[] = [{ rule: 'other_script', to: otherScriptLimit(syllables) }];
  if ((ofSubject === null ? unmatched.listed : unmatched.subject).length > 0)
    caps.push({ rule: 'syllable_missing', to: SYLLABLE.missing });
  if (aligned.some(({ method }) => method === 'edit' || method === 'consonants'))
    caps.push({ rule: 'syllable_differs', to: SYLLABLE.differs });
  if (
    !isInOrder(
      fold(subject).map(({ text }) => text),
      fold(listed).map(({ text }) => text),
      aligned,
    )
  )
    caps.push({ rule: 'syllables_in_other_order', to: SYLLABLE.inOtherOrder });
  return caps;
}

/**
 * Returns whether the words are in the same order on both sides, except for words moved from one end to the other, like
 * the family name.
 */
function isInOrder(subject: string[], listed: string[], aligned: Alignment['aligned']): boolean {
  const positionIn = (all: string[], text: string): number => {
    const at = all.indexOf(text.split(' ')[0]!);
    if (at >= 0) all[at] = '';
    return at;
  };
  const order = aligned
    .map((pair) => [positionIn(subject, pair.subject), positionIn(listed, pair.listed)] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, at]) => at);
  return order.filter((at, index) => at > order[(index + 1) % order.length]!).length <= 1;
}
