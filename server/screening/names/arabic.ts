/**
 * Names in Arabic writing, which omits most vowels: readers who know a name add them. Used by fold.ts. Words not
 * listed here are compared by their consonants only. Persian and Urdu write most of these names alike.
 */

const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  );

const NAMES = pairsOf(`
  عبد=abd الله=allah عبدالله=abdullah محمد=muhammad احمد=ahmad محمود=mahmud حامد=hamid حميد=hamid حمد=hamad علي=ali حسن=hasan حسين=husayn حسني=husni عمر=umar عمرو=amr عثمان=uthman خالد=khalid وليد=walid يوسف=yusuf ابراهيم=ibrahim اسماعيل=ismail اسحاق=ishaq يعقوب=yaqub
  موسي=musa عيسي=isa يحيي=yahya زكريا=zakariya سليمان=sulayman داود=dawud ايوب=ayyub يونس=yunus هارون=harun ادم=adam نوح=nuh صالح=salih سالم=salim سليم=salim سلمان=salman سلطان=sultan سعيد=said سعد=saad سعود=saud مسعود=masud اسعد=asad اسد=asad
  كريم=karim رحيم=rahim رحمن=rahman عزيز=aziz مجيد=majid ماجد=majid رشيد=rashid راشد=rashid فيصل=faysal فهد=fahd فارس=faris فاروق=faruq فؤاد=fuad فواد=fuad فريد=farid فاضل=fadil فضل=fadl فتحي=fathi طارق=tariq طاهر=tahir طه=taha طلال=talal
  جمال=jamal جميل=jamil جابر=jabir جعفر=jafar جواد=jawad جاسم=jasim قاسم=qasim كامل=kamil كمال=kamal مصطفي=mustafa مرتضي=murtada مهدي=mahdi هادي=hadi هاني=hani هشام=hisham هيثم=haytham حمزه=hamza حبيب=habib حاتم=hatim حسام=husam حكيم=hakim
  ناصر=nasir نصر=nasr نبيل=nabil نادر=nadir نعيم=naim نور=nur انور=anwar منصور=mansur منير=munir مروان=marwan معتز=mutazz مالك=malik مبارك=mubarak مجاهد=mujahid نجيب=najib وسام=wisam ياسر=yasir ياسين=yasin زيد=zayd زياد=ziyad زاهر=zahir
  عادل=adil عامر=amir امير=amir عماد=imad عباس=abbas عصام=isam عدنان=adnan عارف=arif عاطف=atif عمار=ammar غازي=ghazi غسان=ghassan بلال=bilal بشار=bashar بشير=bashir بدر=badr باسم=basim بكر=bakr ابو=abu ابي=abi ام=umm بن=bin ابن=ibn بنت=bint ال=al
  رضا=rida رامي=rami رائد=raid رياض=riyad ربيع=rabi سامي=sami سامر=samir سمير=samir سيف=sayf شريف=sharif شهاب=shihab صادق=sadiq صدام=saddam صلاح=salah ضياء=diya اشرف=ashraf اكرم=akram ايمن=ayman ايمان=iman اسامه=usama انس=anas
  فاطمه=fatima عائشه=aisha خديجه=khadija مريم=maryam زينب=zaynab امينه=amina سميره=samira ليلي=layla نوره=nura هدي=huda سعاد=suad نجوي=najwa
  اوباما=obama باراك=barack`);

/** Names of God in names such as `عبد الرحمن` or `عبدالرحمن` (servant of the Merciful). */
const SERVED = pairsOf(`
  الرحمن=rahman الرحيم=rahim العزيز=aziz الكريم=karim القادر=qadir المجيد=majid الملك=malik السلام=salam الحميد=hamid اللطيف=latif الغني=ghani الفتاح=fattah الرزاق=razzaq الوهاب=wahhab الجبار=jabbar الخالق=khaliq
  الناصر=nasir الستار=sattar الهادي=hadi الباسط=basit الواحد=wahid الحكيم=hakim القدوس=quddus الغفار=ghaffar الغفور=ghafur الرؤوف=rauf الحق=haqq`);

const SERVANT = 'عبد';

/** Removes marks and unifies letters that have several forms. */
const plain = (word: string): string =>
  word
    .replace(/\p{M}/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ىی]/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/ک/g, 'ك');

/**
 * Returns a word with the vowels that its readers add, as one word or, with its article, as two; null if the word is
 * unknown.
 */
export function withVowels(word: string): readonly string[] | null {
  const text = plain(word);
  const served = SERVED.get(text);
  if (served !== undefined) return ['al', served];
  const joined = text.startsWith(SERVANT) ? SERVED.get(text.slice(SERVANT.length)) : undefined;
  const name = joined === undefined ? NAMES.get(text) : `abdul${joined}`;
  return name === undefined ? null : [name];
}
