/**
 * Readings of names in Chinese, Japanese and Korean writing. The three languages read a sign differently, so the family
 * name decides which language a name is in: a family name of two signs is Japanese, 金 and 朴 before two signs of Korean
 * given names are Korean, and the rest is Chinese. Used by fold.ts. A wrong reading makes a name unfindable in Latin
 * letters.
 */
import anyAscii from 'any-ascii';

const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  );

const JAPANESE_FAMILY_NAMES = pairsOf(`
  佐藤=sato 鈴木=suzuki 高橋=takahashi 田中=tanaka 伊藤=ito 伊東=ito 渡辺=watanabe 渡邊=watanabe 渡部=watanabe 山本=yamamoto 中村=nakamura 小林=kobayashi 加藤=kato 吉田=yoshida 山田=yamada 佐々木=sasaki
  山口=yamaguchi 松本=matsumoto 井上=inoue 木村=kimura 斎藤=saito 斉藤=saito 齋藤=saito 清水=shimizu 山崎=yamazaki 阿部=abe 安倍=abe 安部=abe 池田=ikeda 橋本=hashimoto 山下=yamashita 石川=ishikawa 中島=nakajima
  前田=maeda 藤田=fujita 後藤=goto 小川=ogawa 岡田=okada 村上=murakami 長谷川=hasegawa 近藤=kondo 石井=ishii 坂本=sakamoto 遠藤=endo 青木=aoki 藤井=fujii 西村=nishimura 福田=fukuda 太田=ota 三浦=miura 藤原=fujiwara
  岡本=okamoto 松田=matsuda 中川=nakagawa 中野=nakano 原田=harada 小野=ono 田村=tamura 竹内=takeuchi 金子=kaneko 和田=wada 中山=nakayama 石田=ishida 上田=ueda 森田=morita 柴田=shibata 酒井=sakai 宮崎=miyazaki
  横山=yokoyama 高木=takagi 安藤=ando 宮本=miyamoto 大野=ono 小島=kojima 谷口=taniguchi 今井=imai 高田=takada 丸山=maruyama 増田=masuda 杉山=sugiyama 村田=murata 大塚=otsuka 新井=arai 小山=koyama 平野=hirano 藤本=fujimoto
  河野=kono 武田=takeda 野口=noguchi 松井=matsui 千葉=chiba 菅原=sugawara 岩崎=iwasaki 木下=kinoshita 佐野=sano 野村=nomura 松尾=matsuo 菊地=kikuchi 菊池=kikuchi 市川=ichikawa 古川=furukawa 水野=mizuno 桜井=sakurai
  麻生=aso 岸田=kishida 石破=ishiba 高市=takaichi 小泉=koizumi 鳩山=hatoyama 黒田=kuroda 豊田=toyoda 本田=honda 川崎=kawasaki 重信=shigenobu 浅原=asahara 麻原=asahara`);

const JAPANESE_GIVEN_NAMES = pairsOf(`
  太郎=taro 一郎=ichiro 二郎=jiro 次郎=jiro 三郎=saburo 健一=kenichi 健二=kenji 健太=kenta 健=ken 誠=makoto 浩=hiroshi 博=hiroshi 隆=takashi 孝=takashi 茂=shigeru 進=susumu 正=tadashi 勇=isamu 清=kiyoshi 明=akira 章=akira 晃=akira 彰=akira
  豊=yutaka 実=minoru 稔=minoru 昇=noboru 修=osamu 治=osamu 猛=takeshi 武=takeshi 剛=tsuyoshi 学=manabu 聡=satoshi 智=satoshi 哲也=tetsuya 達也=tatsuya 和也=kazuya 拓也=takuya 直樹=naoki 大輔=daisuke 翔太=shota 翔=sho 純一=junichi 純一郎=junichiro
  晋三=shinzo 文雄=fumio 太一=taichi 由紀夫=yukio 幸夫=yukio 和夫=kazuo 正夫=masao 秀樹=hideki 英樹=hideki 英機=hideki 茂雄=shigeo 洋=hiroshi 洋子=yoko 陽子=yoko 花子=hanako 恵子=keiko 京子=kyoko 幸子=sachiko 和子=kazuko 裕子=yuko 優子=yuko
  智子=tomoko 明美=akemi 由美子=yumiko 由美=yumi 直美=naomi 久美子=kumiko 美咲=misaki 早苗=sanae 房子=fusako 雅子=masako 愛子=aiko 愛=ai 香織=kaori 真由美=mayumi 陽一=yoichi 洋一=yoichi 雄一=yuichi 勝=masaru 徹=toru 亮=ryo 彰晃=shoko`);

/** Korean family names, whose spelling cannot be derived from a table of sounds. */
const KOREAN_FAMILY_NAMES: Readonly<Record<string, string>> = {
  김: 'kim',
  이: 'lee',
  리: 'ri',
  박: 'park',
  최: 'choi',
  정: 'jung',
  조: 'cho',
  강: 'kang',
  임: 'lim',
  신: 'shin',
  오: 'oh',
  유: 'yoo',
  노: 'roh',
  우: 'woo',
  문: 'moon',
  구: 'koo',
  심: 'shim',
  안: 'ahn',
  윤: 'yoon',
};
const KOREAN_FAMILY_SIGNS: Readonly<Record<string, string>> = { 金: 'kim', 朴: 'park' };

const KOREAN_GIVEN_SIGNS = pairsOf(`
  正=jong 恩=un 日=il 一=il 成=song 男=nam 南=nam 哲=chol 永=yong 英=yong 榮=yong 春=chun 鎮=jin 鎭=jin 珍=jin 明=myong 星=song 民=min 敏=min 秀=su 洙=su 鍾=jong 鐘=jong 宗=jong 光=kwang 浩=ho 虎=ho 鎬=ho 赫=hyok 賢=hyon 鉉=hyon 慶=kyong 京=kyong 敬=kyong
  植=sik 國=guk 国=guk 泰=tae 大=dae 中=jung 在=jae 載=jae 熙=hui 姬=hui 槿=kun 惠=hye 善=son 順=sun 玉=ok 福=bok 東=dong 海=hae 龍=yong 元=won 源=won 俊=jun 宇=u 相=sang 尚=sang 學=hak 根=kun 基=ki 奎=kyu 圭=kyu 錫=sok 石=sok 天=chon 花=hwa 和=hwa
  仁=in 寅=in 勳=hun 煥=hwan 愛=ae 美=mi 淑=suk 貞=jong 廷=jong 承=sung 勝=sung 吉=kil 萬=man 格=gyok 岩=am 律=ryul 河=ha 道=do 雲=un 殷=un 平=pyong 炳=byong 昌=chang 炫=hyon 姸=yon 娟=yon`);

const HANGUL = /\p{Script=Hangul}/u;
const SIGNS = /^\p{Script=Han}+々?\p{Script=Han}*$/u;

/**
 * Returns the words of a name in one of these writings in Latin letters, as passports have them; null if the word is to
 * be transliterated sign by sign. The order of the words does not matter: the family name is the word of one syllable,
 * or begins the only word.
 */
export function readingOf(word: string, all: readonly string[]): readonly string[] | null {
  if (HANGUL.test(word))
    return hangul(word, word.length === 1 || all.filter((other) => HANGUL.test(other)).length === 1);
  if (!SIGNS.test(word)) return null;
  const words = all.filter((other) => SIGNS.test(other));
  return isJapanese(words) ? japanese(word) : korean(word, words);
}

/** Returns whether a word begins with a Japanese family name, and a given name follows in it or in another word. */
const isJapanese = (words: readonly string[]): boolean =>
  words.some((word) => {
    const family = japaneseFamilyOf(word);
    return family !== null && word.length + words.length > family.length + 1;
  });

/** Reads one word of a Korean name in Chinese signs: the family name has one, the given name two. */
function korean(word: string, words: readonly string[]): readonly string[] | null {
  const [family = '', given = ''] = words.length === 1 ? [word.slice(0, 1), word.slice(1)] : shorterFirst(words);
  if (
    given.length !== 2 ||
    KOREAN_FAMILY_SIGNS[family] === undefined ||
    ![...given].every((sign) => KOREAN_GIVEN_SIGNS.has(sign))
  )
    return null;
  return [
    ...(word.length === 2 ? [] : [KOREAN_FAMILY_SIGNS[family]]),
    ...(word.length === 1 ? [] : [...given].map((sign) => KOREAN_GIVEN_SIGNS.get(sign)!)),
  ];
}

const shorterFirst = (words: readonly string[]): readonly string[] =>
  words.length === 2 ? words.toSorted((a, b) => a.length - b.length) : [];

const japaneseFamilyOf = (word: string): string | null =>
  [3, 2].map((length) => word.slice(0, length)).find((start) => JAPANESE_FAMILY_NAMES.has(start)) ?? null;

function japanese(word: string): readonly string[] | null {
  const family = japaneseFamilyOf(word);
  const given = word.slice(family?.length ?? 0);
  const read = JAPANESE_GIVEN_NAMES.get(given);
  if (family === null) return read === undefined ? null : [read];
  const familyRead = JAPANESE_FAMILY_NAMES.get(family)!;
  if (given === '') return [familyRead];
  return [familyRead, ...(read === undefined ? [...given].map(official) : [read])];
}

const official = (sign: string): string =>
  anyAscii(sign)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Returns one word per syllable, in the spelling that passports use rather than the official romanization. */
function hangul(word: string, beginsWithFamily: boolean): readonly string[] {
  return [...word]
    .map((syllable, index) => {
      const family = beginsWithFamily && index === 0 ? KOREAN_FAMILY_NAMES[syllable] : undefined;
      return (
        family ??
        official(syllable)
          .replace('eo', 'o')
          .replace('eu', 'u')
          .replace(/^g/, 'k')
          .replace(/^d/, 't')
          .replace(/^b/, 'p')
          .replace(/(?<!n)g$/, 'k')
      );
    })
    .filter((text) => text !== '');
}
