/**
 * Names in Arabic writing, which omits most vowels: readers who know a name add them. Used by fold.ts. Words not
 * listed here are compared by their consonants only. Persian and Urdu write most of these names alike.
 */

import anyAscii from 'any-ascii';

/** Removes marks and unifies letters that have several forms. */
const plain = (word: string): string =>
  word
    .replace(/\p{M}/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ىیئ]/g, 'ي')
    .replace(/ؤ/g, 'و')
    .replace(/ء/g, '')
    .replace(/ة/g, 'ه')
    .replace(/ک/g, 'ك')
    // Urdu and Kurdish have forms of their own.
    .replace(/[ہھۀە]/g, 'ه')
    .replace(/ے/g, 'ي')
    .replace(/ں/g, 'ن');

const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string])
      .map(([word, latin]) => [plain(word), latin]),
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
  الياس=ilyas الهام=ilham الطاف=altaf الماس=almas اياد=iyad اياس=iyas اكبر=akbar اصغر=asghar اعظم=azam افضل=afdal اقبال=iqbal امان=aman امجد=amjad امين=amin انصار=ansar انصاري=ansari
  اسلام=islam اسماعيلي=ismaili باقر=baqir بهاء=baha بها=baha برهان=burhan بخيت=bakhit تامر=tamir توفيق=tawfiq تيسير=taysir ثابت=thabit ثامر=thamir جهاد=jihad جلال=jalal جمعه=juma جمعة=juma
  جميله=jamila جنيد=junayd حارث=harith حازم=hazim حافظ=hafiz حسنين=hasanayn حسيني=husayni حقاني=haqqani حاجي=haji خان=khan خليفه=khalifa خليل=khalil خيري=khayri خميس=khamis خطاب=khattab خلف=khalaf
  دين=din درويش=darwish ذاكر=dhakir رجب=rajab رزق=rizq رسول=rasul رشاد=rashad رمضان=ramadan رمزي=ramzi روح=ruh رؤوف=rauf زاهد=zahid زكي=zaki زين=zayn ساجد=sajid سالمه=salima سعدي=saadi
  سعيدي=saidi سفيان=sufyan سلام=salam سليماني=sulaymani سنان=sinan سهيل=suhayl سيد=sayyid شاكر=shakir شاه=shah شعبان=shaban شعيب=shuayb شفيق=shafiq شكري=shukri شمس=shams شيخ=shaykh
  صابر=sabir صبري=sabri صباح=sabah صفاء=safa صفا=safa صفوت=safwat صقر=saqr طيب=tayyib طالب=talib ظاهر=zahir عابد=abid عاشور=ashur عاصم=asim عبيد=ubayd عبيده=ubayda عدي=uday عرفات=arafat عزت=izzat
  عزام=azzam عطيه=atiya عطا=ata عقيل=aqil علاء=ala علا=ala علوي=alawi عمران=imran عواد=awad عوض=awad عيد=id غلام=ghulam غانم=ghanim فائز=faiz فايز=faiz فتاح=fattah فخر=fakhr فرج=faraj فرحان=farhan
  فرحات=farhat فوزي=fawzi فيض=fayd قادر=qadir قاضي=qadi قدري=qadri قربان=qurban قيس=qays كاظم=kazim كرم=karam كليم=kalim كنعان=kanaan لطفي=lutfi لطيف=latif لقمان=luqman ماهر=mahir مامون=mamun
  مجدي=majdi محسن=muhsin محمدي=muhammadi مختار=mukhtar مراد=murad مسلم=muslim مصعب=musab معاذ=muadh معاويه=muawiya معروف=maruf معمر=muammar مفتاح=miftah مقداد=miqdad ملا=mulla منذر=mundhir
  مولوي=mawlawi ميرزا=mirza مير=mir ميلاد=milad نايف=nayif نبي=nabi نذير=nadhir نعمان=numan نعمه=nima نواف=nawaf نوري=nuri وائل=wail وايل=wail وحيد=wahid ولي=wali وجيه=wajih وهاب=wahhab وهيب=wahib
  هاشم=hashim هاشمي=hashimi همام=hammam هلال=hilal ياسمين=yasmin يزيد=yazid يحيا=yahya حيدر=haydar حمود=hammud حمدان=hamdan حمدي=hamdi حماد=hammad حنفي=hanafi حميدان=humaydan حسون=hassun
  ذبيح=dhabih ذو=dhu رباني=rabbani جان=jan گل=gul پور=pur زاده=zada نژاد=nejad شيرازي=shirazi تهراني=tehrani اكبري=akbari رضايي=rezai مهدوي=mahdavi قاسمي=qasimi موسوي=musavi
  عراقي=iraqi مصري=masri تونسي=tunisi ليبي=libi يمني=yamani شامي=shami سوري=suri مغربي=maghribi جزائري=jazairi جزايري=jazairi سوداني=sudani بغدادي=baghdadi بصري=basri موصلي=mawsili تكريتي=tikriti
  كردي=kurdi تركي=turki افغاني=afghani عتيبي=utaybi قحطاني=qahtani شمري=shammari دوري=duri حربي=harbi غامدي=ghamdi زهراني=zahrani عنزي=anzi عجمي=ajmi مطيري=mutayri جبوري=jaburi دليمي=dulaymi
  عبيدي=ubaydi ظواهري=zawahiri زرقاوي=zarqawi قذافي=qadhafi بن=bin خالده=khalida سلمي=salma سعاده=saada حسناء=hasna اميره=amira كريمه=karima رحمه=rahma نعيمه=naima زهره=zahra زهراء=zahra
  اغا=agha اخوند=akhund اخند=akhund اخوندزاده=akhundzada اخندزاده=akhundzada دكتور=doctor حجي=haji يار=yar ولد=ould داد=dad ضيا=diya خير=khayr عصمت=ismat هدايت=hidayat قدرت=qudrat رحمت=rahmat
  نعمت=nimat شوكت=shawkat حكمت=hikmat طلعت=talat بهجت=bahjat سعادت=saadat حشمت=hashmat بركات=barakat عنايت=inayat امانت=amanat رحمان=rahman مطيع=muti ثروت=tharwat شهيد=shahid بيك=beg جل=gul خواجه=khwaja
  اوباما=obama باراك=barack
  رجا=raja راضي=radi قائد=qaid قايد=qaid عايد=ayid عاني=ani طائي=tai طايي=tai عوادي=awadi صحراوي=sahrawi وثيق=wathiq شحاته=shihata نزار=nizar غيث=ghayth قصي=qusay مازن=mazin
  منيب=munib مهند=muhannad مويد=muayyad نبيه=nabih وضاح=waddah ادريس=idris اديب=adib حليم=halim حيدري=haydari خضر=khidr خطيب=khatib رافع=rafi راغب=raghib رفيق=rafiq رضوان=ridwan
  زهير=zuhayr شادي=shadi شوقي=shawqi صفوان=safwan صهيب=suhayb ضرار=dirar ظافر=zafir عاكف=akif عبود=abbud عثماني=uthmani عروه=urwa عزيزي=azizi عكرمه=ikrima علاوي=allawi عنتر=antar
  عياش=ayyash غريب=gharib غفور=ghafur فادي=fadi فراس=firas فيروز=firuz قحطان=qahtan كريمي=karimi كنان=kinan لبيب=labib محفوظ=mahfuz مشعل=mishal مصلح=muslih مطلق=mutlaq
  مظفر=muzaffar معتصم=mutasim مقبل=muqbil منتصر=muntasir موفق=muwaffaq ناجي=naji نجم=najm نجار=najjar نصار=nassar نصري=nasri نضال=nidal هزاع=hazza وسيم=wasim`);

/** Names of God in names such as `عبد الرحمن` or `عبدالرحمن` (servant of the Merciful). */
const SERVED = pairsOf(`
  الرحمن=rahman الرحمان=rahman الرحيم=rahim العزيز=aziz الكريم=karim القادر=qadir المجيد=majid الملك=malik السلام=salam الحميد=hamid اللطيف=latif الغني=ghani الفتاح=fattah الرزاق=razzaq الوهاب=wahhab الجبار=jabbar الخالق=khaliq
  الناصر=nasir الستار=sattar الهادي=hadi الباسط=basit الواحد=wahid الحكيم=hakim القدوس=quddus الغفار=ghaffar الغفور=ghafur الروف=rauf الرءوف=rauf الرووف=rauf الله=allah السميع=sami البصير=basir الخبير=khabir الحليم=halim العظيم=azim العلي=ali الحفيظ=hafiz الجليل=jalil الرقيب=raqib المجيب=mujib الواسع=wasi الودود=wadud الباعث=baith
  المتين=matin الولي=wali المحسن=muhsin الحي=hayy القيوم=qayyum الماجد=majid الاحد=ahad الصمد=samad المقتدر=muqtadir الاول=awwal الظاهر=zahir الباطن=batin البر=barr التواب=tawwab المنعم=munim المعطي=muti المانع=mani النور=nur الباقي=baqi الرشيد=rashid الصبور=sabur الكافي=kafi الشكور=shakur المومن=mumin المهيمن=muhaymin الباري=bari الفتاح=fattah القاهر=qahir القهار=qahhar العليم=alim النبي=nabi الرسول=rasul الحسين=husayn الامير=amir الخالق=khaliq الحق=haqq
  المنان=mannan السبحان=subhan الوكيل=wakil المعين=muin`);

const SERVANT = 'عبد';
const ARTICLE = 'ال';
const GOD = 'الله';
const FATHER = 'ابو';
const FATHER_OF_THE = FATHER + ARTICLE;

/** A word in Latin letters, with the vowels that its readers add or with the written letters only. */
interface ReadWord {
  readonly text: string;
  readonly isUnvowelled: boolean;
}

const vowelled = (text: string): ReadWord => ({ text, isUnvowelled: false });

/** Returns the letters of an unknown word. A final h is hardly heard, and most often marks a feminine name. */
const lettersOf = (text: string): ReadWord => ({
  text: anyAscii((text.length < 4 ? text : text.replace(/ه$/, 'ا')).replaceAll('ا', 'a').replaceAll('ظ', 'z'))
    .toLowerCase()
    .replace(/[^a-z]/g, ''),
  isUnvowelled: true,
});

/**
 * Returns a word in Arabic writing as it is compared: a known one with its vowels, the article as a word of its own,
 * and `Abd al-` joined to the name of God after it. Null if the word is in another script.
 */
export function readArabic(word: string): readonly ReadWord[] | null {
  const text = plain(word);
  if (!/^\p{Script=Arabic}+$/u.test(text)) return null;
  const known = NAMES.get(text);
  if (known !== undefined) return [vowelled(known)];
  const served = SERVED.get(text);
  if (served !== undefined) return [vowelled('al'), vowelled(served)];
  if (text.startsWith(SERVANT)) {
    const joined = SERVED.get(text.slice(SERVANT.length));
    if (joined !== undefined) return [vowelled(`abdul${joined}`)];
  }
  if (text.endsWith(GOD) && text.length > GOD.length + 1) {
    const own = text.slice(0, -GOD.length);
    const name = NAMES.get(own);
    return name === undefined ? [lettersOf(own), vowelled('allah')] : [vowelled(`${name}ullah`)];
  }
  if (text.startsWith(FATHER_OF_THE) && text.length >= FATHER_OF_THE.length + 3)
    return [vowelled('abu'), ...readArabic(text.slice(FATHER.length))!];
  if (text.startsWith(ARTICLE) && text.length >= ARTICLE.length + 3) {
    const own = text.slice(ARTICLE.length);
    const name = NAMES.get(own);
    return [vowelled('al'), name === undefined ? lettersOf(own) : vowelled(name)];
  }
  return [lettersOf(text)];
}
