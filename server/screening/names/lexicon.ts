/**
 * Words with a special role in names: particles, titles, legal forms, nicknames, frequencies. Used by tokens and
 * similarity. Adding a word alters scores and needs a new version of the algorithm.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const setOf = (text: string): ReadonlySet<string> => new Set(words(text));

/** Words that join the parts of a name and identify almost nothing by themselves. */
export const PARTICLES = setOf(`
  al el ul ur ad as ash ath at az an ar bin ibn ben bint bt binti ould oulad wald da das de del della di do dos du des e y i la le los las lo
  van von der den ter ten zu zum zur vom af av st san santa the of and und et for a o bar bat ap mac mc`);

/** Words for and, in and the in names of organisations, where they are no part of a person's name. */
export const JOINING_WORDS = setOf('ve va wa wal fi und et in im por para na no dlya imeni');

/** Titles and forms of address. */
export const HONORIFICS = setOf(`
  mr mrs ms miss dr prof sir dame lord lady hon rev fr sr jr ii iii iv sra senhor senhora dona don dona haji hajji hadji hajj haj alhaj alhaji mullah mulla maulana mawlana maulawi mawlawi
  mawlavi maulavi molla sheikh shaykh shaikh sheik cheikh qari ustad ustaz imam ayatollah general gen brigadier brig colonel col major maj captain capt
  lieutenant lt commander admiral comandante engineer eng junior filho neto sobrinho daw u`);

/** Legal forms of companies, grouped in classes: forms of one class do not contradict each other. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  limited: words(
    'ltd limited ltda limitada llc lc llp lp dmcc eurl pty too eood ood uab gmbh sarl srl sro bv ooo tov doo dooel eireli me epp mei pte pvt fze fzc fzco wll sdn bhd oy ab as aps kft spzoo sp sl sirketi sti unipessoal lda iooo tzov sal saoc',
  ),
  stock: words(
    'sa sas saa ag plc inc incorporated corp corporation jsc ojsc cjsc pjsc pao oao zao ao spa nv se ae ad dd asa kk kgaa aktiengesellschaft bhd sasu nao oyj ead zrt pcl tbk sapi sc spr jsb',
  ),
  state: words('gup fgup mup fsue sue rup rue fkp fgbu fgau fgbou'),
  partnership: words('kg ohg gbr partnership partners snc'),
  cooperative: words('coop cooperativa cooperative'),
  foundation: words('stichting stiftelse asbl foundation fundacao fundacion stiftung waqf trust'),
};

export const FORM_CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMS).flatMap(([form, all]) => all.map((word) => [word, form] as const)),
);

/** Legal forms of several words, which are replaced by one word before a name is compared. */
export const LONG_FORMS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:(?:public|open|closed|private) ){0,3}joint stock (?:company|co)\b|\b(?:otkrytoe |zakrytoe |publichnoe ){0,3}aktsionernoe obshchestvo\b/g,
    'jsc',
  ],
  [/\b(?:limited|additional) liability (?:company|co)\b|\bobshchestvo s ogranichennoy otvetstvennostyu\b/g, 'llc'],
  [
    /\bsociedade (?:limitada|unipessoal limitada)\b|\bsocietatea? cu raspundere limitata\b|\bsociete a responsabilite limitee\b/g,
    'ltda',
  ],
  [/\bsociedad(?:e)? an[oi]nima\b|\bsociete anonyme\b/g, 'sa'],
  [/\bpublic limited company\b/g, 'plc'],
  [/\b(?:private )?limited company\b|\bcompany limited\b/g, 'ltd'],
  [/\bgesellschaft mit beschrankter haftung\b/g, 'gmbh'],
  [/\b(?:societa a responsabilita limitata|sociedad de responsabilidad limitada)\b/g, 'srl'],
  [/\bsociedad limitada\b/g, 'sl'],
  [/\bs de r ?l\b/g, 'srl'],
  [/(?<=\b(?:sa|srl)) de (?:capital variable|c ?v)\b/g, ''],
  [/\bsociedad por acciones simplificada\b/g, 'sas'],
  [/\bsocieta per azioni\b/g, 'spa'],
  [/\banonim sirketi\b/g, 'as'],
  [/\bbesloten vennootschap\b/g, 'bv'],
  [/\bdrustvo [sz]a? ogranicenom odgovornoscu\b/g, 'doo'],
  [/\bfree zone (?:establishment|company)\b/g, 'fze'],
  [/\bsp z o ?o\b/g, 'spzoo'],
  [/\bsociedad civil\b/g, 'sc'],
  [/\bsociedad de produccion rural de responsabilidad (?:il)?limitada\b|\bspr de ri?l?\b/g, 'spr'],
  [/(?<=\bsapi) de (?:capital variable|c ?v)\b/g, ''],
  [/\b(?:research|scientific) (?:and )?production (?:association|enterprise)\b/g, 'npo'],
];

const FEDERAL_STATE = [/^federal/, /^(?:state$|gosudarstven\w)/];
const AUTONOMOUS = /^(?:bud\w|b[iy]u\w|financed$|autonomous$|avtonomn\w)/;

/**
 * Romanizations, misspellings and translations of legal forms of several words, by one pattern for each word: patterns
 * of the whole name would take a time that grows with a high power of its length. The first form that fits replaces the
 * words.
 */
export const MISSPELT_FORMS: readonly { readonly form: string; readonly words: readonly RegExp[] }[] = [
  { form: 'llc', words: [/^ob\w*s\w*tv/, /^s$/, /^o\w*r\w*anic?h?e/, /^o\w+ven\w/] },
  { form: 'llc', words: [/^tovar[iy]\w/, /^[iz]$/, /^obm\w/, /^v[iy]dp\w/] },
  { form: 'spzoo', words: [/^spolka$/, /^z$/, /^o\w/, /^odp\w/] },
  { form: 'jsc', words: [/^(?:ne)?(?:pub|otkr|zakr)\w/, /^akt[cs]\w+n\w/, /^ob\w*s\w*tv/] },
  { form: 'jsc', words: [/^akt[cs]\w+n\w/, /^ob\w*s\w*tv/] },
  { form: 'fgup', words: [...FEDERAL_STATE, /^unitar(?:y$|n\w)/, /^(?:enterprise|pred\w)/] },
  { form: 'fgup', words: [/^federal/, /^kaz\w/, /^pred\w/] },
  ...[[], [/educational|obrazovateln/]].flatMap((kind) =>
    [[/^of$/, /^higher$/, /^education$/], [/^of$/, /^science$/], [/^nauki$/], [/^vys\w/, /^ob\w/], []].map(
      (purpose) => ({
        form: 'fgbu',
        words: [...FEDERAL_STATE, AUTONOMOUS, ...kind, /^(?:institution|uchr\w)/, ...purpose],
      }),
    ),
  ),
  { form: 'sa', words: [/^sociedad$/, /^an\w+ma$/] },
  { form: 'npo', words: [/^nauchno$/, /^(?:proizvodstven\w|issled\w)/, /^(?:ob(?!\w*tv)\w+e\w|pred\w)/] },
];

/** Finds a word with which a misspelt form may begin, because few names have one. */
export const MAY_BE_MISSPELT = /\b(?:ob|tovar|spolka|(?:ne)?(?:pub|otkr|zakr)|akt|federal|sociedad|nauchno)/;

/** Length of the longest word that may belong to a misspelt form. */
export const LONGEST_OF_FORM = 30;

/**
 * Long legal forms that are recognised by their letters alone, however their words are joined, split or joined to a
 * neighbour. Only forms that no other words spell.
 */
export const FORMS_IN_LETTERS: readonly { readonly form: string; readonly inLetters: string; readonly long: RegExp }[] =
  (
    [
      ['jsc', 'joint stock company', 'public|open|closed|private'],
      ['llc', 'limited liability company', 'additional'],
      ['jsc', 'aktsionernoe obshchestvo', 'otkrytoe|zakrytoe|publichnoe|nepublichnoe'],
      ['jsc', 'aktsionernoe obschestvo', 'otkrytoe|zakrytoe|publichnoe|nepublichnoe'],
      ['jsc', 'aktsionernoye obshchestvo', 'otkrytoye|zakrytoye|publichnoye|nepublichnoye'],
      ['jsc', 'aktsionernoye obschestvo', 'otkrytoye|zakrytoye|publichnoye|nepublichnoye'],
      ['llc', 'obshchestvo s ogranichennoi otvetstvennostyu', ''],
      ['llc', 'obshchestvo s ogranichennoy otvetstvennostyu', ''],
      ['ltd', 'company limited', ''],
      ['gmbh', 'gesellschaft mit beschrankter haftung', ''],
      ['srl', 'sociedad de responsabilidad limitada', ''],
      ['sa', 'sociedad anonima', ''],
      ['sa', 'societe anonyme', ''],
      ['gup', 'state unitary enterprise', 'federal'],
      ['gup', 'gosudarstvennoe unitarnoe predpriyatie', 'federalnoe'],
    ] as const
  ).map(([form, phrase, before]) => {
    const inLetters = phrase.replaceAll(' ', '');
    const spaced = [...inLetters].join(' ?');
    // The form begins or ends with a word, so that a longer word does not contain it by chance.
    const start = before === '' ? '\\b' : `\\b(?:(?:${before}) )?`;
    return { form, inLetters, long: new RegExp(`${start}${spaced}|${spaced}\\b`, 'g') };
  });

/** Words that many organisations share. A name that has no other words identifies no organisation. */
export const GENERIC_WORDS = setOf(`
  company co compania companhia cia companies enterprise enterprises empresa firm group grupo groupe holding holdings international internacional national nacional global world general trading trade traders
  services service servicos industries industry industria industrial import export exports imports importacao exportacao comercio comercial commercial commerce investment investments investimentos
  management consulting consultoria development technology technologies tecnologia tech systems solutions shipping transport transportes logistics construction construcoes construtora engineering engenharia
  energy oil gas petroleum petrochemical bank banco exchange money financial finance center centre institute research production product products scientific association organization organisation
  organizacao federation committee council ministry department agency bureau office state federal republic factory plant works manufacturing marine maritime agencia participacoes empreendimentos imoveis
  alimentos distribuidora supermercado posto auto pecas materiais moveis confeccoes new united first real estate and design electronics power steel chemical chemicals company foods medical health
  joint stock society sociedade uniao clube igreja transportadora limited public private central east west north south
  university insurance special invest military aviation information mechanical brigade`);

/** Abbreviations of general words, each line beginning with the word that they stand for. */
const ABBREVIATIONS = `
  company co cos kompaniya|group grp gruppa|services svcs srvcs serv|service svc srvc|international intl|trading trdg trd|industry ind|industries inds|industrial indl indust
  engineering engg eng engr|development dev devt devel|management mgmt mgt|investment inv invest|investments invs|technology tech technol|manufacturing mfg manuf|association assn assoc
  organization org|national natl nat|general genl gen|export exp|import imp|transport transp|enterprises entp ent|comercial com coml|institute inst|department dept|brothers bros|holding hldg|holdings hldgs|construction constr
  shipping shpg shp|logistics logist|center ctr cntr|laboratory lab|laboratories labs|committee cmte|electronics electr|production prod prodn|equipment equip eqpt|consulting consult|systems sys syst
  university univ|distribution distr|foundation fdn`;

/**
 * General words in other languages, each line beginning with the English word as which they are compared: a list often
 * has one name as it is written and its translation.
 */
const TRANSLATIONS = `
  plant zavod zawod usine planta|factory fabrika fabrica fabryka fabrique factoria|center tsentr centro zentrum markaz merkez merkezi|group gruppe grup gruppo grupa|institute institut instituto istituto|company sherkat sherkate sharikat sharika sirket kompania kompaniia kampaniya compagnie gesellschaft gongsi
  scientific nauchno nauchnaya nauchny nauchnyi nauchnoe nauchnyy cientifico scientifique|research issledovatelskii issledovatelski issledovatelskiy issledovatelsky recherche recherches investigacion pesquisa forschung arastirma|production proizvodstvennoe proizvodstvennaya proizvodstvenny proizvodstvennyi proizvodstvenno produccion producao uretim
  association obedinenie obedineniye asociacion associacao jamiat jamiyat jamiyyat dernegi|bureau byuro biuro|trading torgovy torgovyi torgovaya torgovyy ticaret comercializadora handels tijarat bazargani|trade treid torgovlya
  construction stroitelnaya stroitelnyi stroitelny stroitelnoe stroitelstvo construccion construcciones insaat bau sakhteman|industry sanayi sanat sanaye promyshlennost industrie sinaat|industrial promyshlennaya promyshlenny promyshlennoe industriel|engineering inzhiniring inzhenernaya inzhenerny ingenieria ingenierie muhendislik mohandesi
  enterprise predpriyatie predpriiatie predpryyatie empresas entreprise unternehmen|management menedzhment upravlyayushchaya upravlyayushtaya upravliaiushchaia verwaltung verwaltungs gestion gestao administracion modiriyat|holding kholding kholdingovaya holdingi|technology tekhnologiya tekhnologii tekhnologiia tehnologii tekhnologies teknoloji tecnologica tecnologias technologie
  technologies tekhnologiy|systems sistemy sistem sistemas systemes|electronics elektronika elektroniks elektronik electronica electronique|international mezhdunarodnyi mezhdunarodny mezhdunarodnaya interneshnl internationale uluslararasi beynolmelal|national natsionalnaya natsionalny natsionalnyi natsionalnoe nationale ulusal melli
  state gosudarstvennoe gosudarstvennyi gosudarstvenny gosudarstvennaya dowlati estatal|federal federalnoe federalny federalnyi federalnaya|republic respublika respubliki republica republique jomhuri|university universitet universidad universidade universite daneshgah jamia|committee komitet kamitet comite|ministry ministerstvo ministerio ministere vezarat wizarat
  agency agentstvo agence ajans azhans|service sluzhba servis serviss hizmet|services uslugi hizmetleri khadamat|transport nakliyat naghliyat perevozki haml|oil naft nafta neft petrol|gas gaz|energy energiya enerji energetika energi energie|power silovye elektroenergetika|chemical khimicheskii khimicheskiy khimicheski quimica kimya shimi
  bank banka banque banco bankasi|insurance strakhovaya seguros assurance sigorta bimeh|exchange birzha sarafi sarraf|import ithalat|export ihracat|maritime morskaya morskoy morskoi denizcilik|shipping sudokhodnaya naviera|north severnaya severny severnyi severnoye severnoe norte nord kuzey|south yuzhnaya yuzhny sur sud guney|east vostochny vostochnaya vostochnyi este dogu|west zapadnaya zapadny oeste ouest bati
  new novaya novyi novy novoe nouveau nueva yeni|united obedinennaya obedinennyi unidos birlesik|central tsentralny tsentralnyi tsentralnoe tsentralnoye tsentralnaya|special spetsialnoe spetsialny spetsialnyi|design konstruktorskoe konstruktorskoye konstruktorsko diseno proektno proektny|consulting konsalting consultadoria danismanlik|logistics logistik logistika lojistik logistica|investment investitsii investitsionnaya inversion inversiones yatirim sarmayegozari
  financial finansovaya finansovyi financiera financeira finans finansal|military voenno voennaya voennyi militar nezami|organization organizatsiya organizatsii organizacion sazman sazmane munazzama|development razvitiya razvitie desarrollo desenvolvimento kalkinma towseh toseh|medical meditsinskii meditsinskaya medico|steel stal celik foulad|corporation korporatsiya korporatsiia korporatsii corporacion corporacao|aviation havacilik aviatsionnaya aviatsionnyi aviatsii|information informatsionnaya informatsionny informatsionnyi|mechanical mekhanicheskii mekhanicheskiy mekhanicheski mecanica|energy enerdzhi|brigade liwa saraya brigada|foundation fond fondu bonyad vakfi muassasat`;

/** The word as which an abbreviation or a translation is compared in the name of an organisation. */
export const LONG_WORD: ReadonlyMap<string, string> = new Map(
  `${ABBREVIATIONS}\n${TRANSLATIONS}`.split(/[|\n]/).flatMap((line) => {
    const [long, ...short] = line.trim() === '' ? [] : words(line);
    return short.map((word) => [word, long!] as const);
  }),
);

/** Nicknames and short forms, each line beginning with the full name. */
const NICKNAMES = `
  jose ze zeca zezinho pepe josef joseph joe|francisco chico chiquinho paco frank|maria cida mariazinha mary|antonio toninho tonho tony antony anthony|joao joaozinho janjao john jack johnny juan jean giovanni ivan johann hans ian yahya
  luiz luis lula luizinho lou louis ludwig|carlos carlinhos carlito charles charlie chuck karl carl|roberto beto robert bob rob bobby|sebastiao tiao bastiao sebastian|raimundo mundinho raymond ray|manoel manuel mane maneco neco
  paulo paulinho paul pavel pablo pavlo|pedro pedrinho peter pete petr pyotr pierre|geraldo gera gerald gerry|alberto albert al bert beto|eduardo edu dudu edward ed eddie ted|fernando nando ferdinand|rafael rafa raphael
  gabriel gabi|daniel dani danny dan|alexandre xande alex alexander aleksandr aleksander alyaksandr alexandros iskander sasha sandy sacha oleksandr|aparecida cida|fatima fatinha|terezinha teresa tereza theresa teca|benedito dito bene|joaquim quim quinzinho joaquin
  severino biu|severina bia|beatriz bia beatrice|isabel bel isabela elizabeth liz beth betty eliza|margarida guida margaret maggie peggy meg rita|helena lena leninha helen elena ellen|guilherme gui william will bill billy liam wilhelm guillermo
  henrique rique henry harry hank heinrich enrique|ricardo rick richard dick rich|jorge jorginho george georg yuri georgy georgiy jurgen|miguel michael mike mick mikhail michel mikael miguelito mykhailo misha|tiago thiago james jim jimmy jacob jaime jacques yaqub
  nicolau nicholas nick nikolai nikolay nikolaos nikos nicolas mykola mikalai mikalay kolya|estevao stephen steve steven stefan stepan stefano|andre andrew andy andrei andrey andriy andreas andres|mateus matthew matt matthias matthieu mateo
  filipe felipe philip phil philippe filip|vicente vincent vince vinny|cristiano chris christian|cristovao christopher chris kit christoph|tomas thomas tom tommy|timoteo timothy tim|samuel sam sammy|benjamim benjamin ben benny|leonardo leo leonard len
  gregorio gregory greg grigory grigoriy hryhoriy|bartolomeu bartholomew bart|lourenco lawrence larry lorenzo laurent|frederico frederick fred freddy friedrich fritz|rodrigo digo rodrigues|ronaldo ronald ron|kenneth ken kenny|patricia pat patty tricia|theodore ted teddy theo teodoro fyodor|terence terry terrence|edmund ned ed|nathaniel nathan nate|zachary zach zack|alfred alf fred alfredo|harold hal harry|gerald jerry|jeremy jerry jeremiah|joshua josh|donald don donny|douglas doug|walter walt|abigail abby|virginia ginny|jennifer jenny jen|jessica jess jessie|amanda mandy|rebecca becky|dorothy dot dolly|eleanor nell nora|frances fanny|gertrude trudy|kimberly kim|melissa mel|pamela pam|veronica ronnie|vladislav vlad|stanislav stas|vyacheslav slava viacheslav|svyatoslav slava sviatoslav|yaroslav slava iaroslav|rostislav slava|viktoria vika|anastasia nastya asya|lyudmila lyuda liudmila ludmila|svetlana sveta|gavriil gavril|bogdan bohdan|gleb hlib|catarina catherine kate kathy katherine katya ekaterina yekaterina kateryna katsiaryna katarina
  ana anna ann anne annie aninha anya|joana joan jane janet joanna|luciana lu lucy|susana susan sue susie suzanne|deborah debora debbie deb|barbara babs barb|cristina christina chris tina christine|vitoria victoria vicky tori viktoria|vitor victor viktor vic|sofia sophie sophia sonya
  eugenio eugene gene evgeny yevgeny evgeniy yevgeniy yevhen zhenya|sergio serge sergei sergey serhiy serhii siarhei|vladimir volodymyr vova uladzimir wladimir volodimir|dimitri dmitry dmitri dmitriy dmytro dzmitry dima|konstantin kostya kostyantyn kanstantsin|aleksei aleksey alexey alexei oleksiy oleksii alyosha|natalia natalya nataliya natasha nataliia
  yelena elena olena lena|tatiana tatyana tanya tetiana tetyana|yuliya julia yulia iuliia|galina halyna halina|pavel paul pavlo|igor ihor ihar|oleg oleh aleh|roman raman|vasily vasiliy vasyl vasil basil|kirill kyrylo cyril|ilya elijah illia elias|maxim maksim maksym max|anatoly anatoliy anatolii anatol|gennady gennadiy gennadi hennadii gennadii henadz|leonid leonyd
  mohammed muhammad mohamed mohammad mohamad muhammed mahamed mehmet mahmud mahomed md mohd|ahmed ahmad ahmet achmad|yusuf youssef yousef joseph yousuf yusif jusuf yosef|ibrahim abraham ebrahim brahim avraham abe|ismail ishmael esmail smail|musa moussa mousa moses moshe|isa issa eisa|sulaiman suleiman soliman solomon sleiman suleyman
  ali aly|sayed sayyid sayyed syed said seyed seyyed saiyid saeed saied|hussein husain hussain hossein husayn hoseyn huseyin hocine hussin|hassan hasan hassen|omar umar omer oumar umer|othman osman usman uthman|khalid khaled halid|abdullah abdallah abdulla abdellah abdoulaye|abdulrahman abdurrahman abderrahmane abdelrahman abdirahman|yahya yehya yahia|dawud daoud david dave davood|ishaq isaac
  fadl fazl fazal fadhl|fayd faiz fayz faid|diya zia ziya dia|rida reza raza riza|ramadan ramazan ramzan ramadhan|qadi qazi kazi|fadil fazil fadhil|riyad riaz riyaz|nadhir nazir nadir|dhakir zakir|ould wald walad|agha aga
  aleksandr alexander alexandr aleksander sasha sanya shura|aleksey alexey alexei aleksei oleksiy alyosha lyosha alesha lesha|vladimir volodymyr volodya vova|dmitriy dmitry dmitri dima mitya|mikhail misha
  ivan vanya|nikolay nikolai kolya|yuriy yury yuri yura|sergey sergei sergiy seryozha serezha serge|pavel pasha|boris borya|viktor victor vitya|anatoliy anatoly anatoli tolya|vasiliy vasily vasya
  roman roma|maksim maxim max|natalya natalia nataliya natasha|maria mariya masha|olga olya|irina ira|svetlana sveta|ekaterina yekaterina katya|grigoriy grigory grisha|leonid lyonya lenya
  georgiy georgy zhora gosha|stanislav stas|vyacheslav viacheslav slava|valeriy valery valera|lyudmila ludmila lyuda|anastasia anastasiya nastya|arkadiy arkady arkasha|gennadiy gennady gena|evgeniy yevgeniy evgeny zhenya
  jesus chuy chucho|ignacio nacho|guadalupe lupe|enrique quique kike|manuel manolo|alfonso poncho|eduardo lalo|antonio tono|guillermo memo|luis lucho|ricardo richi|gabriel gabo|dolores lola|rosario charo|consuelo chelo
  giuseppe beppe peppe|giovanni gianni|luigi gigi|salvatore toto turi|domenico mimmo|johannes hans|friedrich fritz|josef sepp|wolfgang wolf|jerzy jurek|jan janek|krzysztof krzys|tadeusz tadek|mehmet memo
  kim gim|lee li yi rhee ri|park pak bak|choi choe|jung jeong chung chong|cho jo|kang gang`;

/** The words that are forms of the same name, for each word. */
export const NICKNAMES_OF: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const all = new Map<string, Set<string>>();
  for (const line of NICKNAMES.split(/[|\n]/)) {
    const group = line.trim() === '' ? [] : words(line);
    for (const word of group) {
      const forms = all.get(word) ?? new Set<string>();
      for (const other of group) if (other !== word) forms.add(other);
      all.set(word, forms);
    }
  }
  return all;
})();

/**
 * Words of names that millions of people share, most frequent first. A list of a few thousand names cannot show how
 * common they are where the tenant's customers live, above all in Brazil.
 */
const VERY_COMMON = words(`
  silva santos souza oliveira pereira lima ferreira costa rodrigues almeida nascimento alves carvalho araujo ribeiro maria jose ana joao antonio francisco carlos paulo pedro lucas luiz marcos luis gabriel rafael
  abu abou mohammed muhammad mohamed mohammad ahmed ahmad ali hassan hussein abdul abdullah khan kim lee park wang li zhang chen nguyen singh kumar garcia martinez rodriguez lopez gonzalez smith johnson john james michael david`);
const COMMON = words(`
  sousa gomes martins rocha dias barbosa soares fernandes vieira lopes andrade moreira nunes marques machado mendes freitas cardoso ramos goncalves santana teixeira monteiro moura correia correa cavalcanti cavalcante
  campos batista miranda pinto reis castro cruz azevedo cunha borges melo mello nogueira pires tavares coelho brito farias barros aguiar matos bezerra medeiros sales guimaraes siqueira fonseca macedo dantas leite duarte
  adriana juliana marcia fernanda patricia aline sandra camila amanda bruna jessica leticia julia luciana vanessa mariana gabriela vera vitoria larissa claudia beatriz rita luana sonia renata eliane josefa simone natalia
  cristiane carla debora rosangela jaqueline rosa daniela aparecida marlene terezinha raimunda andreia fabiana lucia raquel angela rafaela joana luzia daniel marcelo bruno eduardo felipe raimundo rodrigo manoel mateus
  andre fernando fabio leonardo gustavo guilherme leandro tiago anderson ricardo marcio jorge sebastiao alexandre roberto edson diego vitor sergio claudio matheus thiago geraldo adriano luciano julio renato alex vinicius
  rogerio samuel ronaldo mario flavio igor douglas davi jeferson cicero joaquim miguel domingos
  ibrahim omar yusuf youssef ismail abdel khaled khalid mahmoud mustafa salem saleh said hamid hamad rahman karim nasser abu abd mansour sultan salim jamal tariq bilal hamza idris
  vladimir sergei sergey aleksandr alexander dmitry andrei andrey aleksei alexey nikolai ivan mikhail yuri viktor igor oleg pavel ivanov petrov vladimirovich aleksandrovich sergeevich nikolaevich ivanovich viktorovich mikhailovich
  mary robert william richard thomas charles joseph christopher daniel matthew anthony mark steven andrew paul joshua kenneth kevin brian george edward williams brown jones miller davis wilson anderson taylor thomas moore jackson martin
  thompson white harris clark lewis robinson walker young allen king wright scott torres hill green adams baker nelson hernandez perez sanchez ramirez flores rivera gomez diaz cruz morales reyes gutierrez ortiz juan luis jesus manuel
  yang zhao huang zhou wu xu sun ma zhu hu lin guo he gao luo liu choi jung jong chol sung young yong hyon song jin ho hyok su sik un il nam ok hwa myong kwang jun yun hyun seung chul soo jae ji min woo kyong sun ming hong wei hua ping xiao jie feng yan fang ying mei qiang bin yu hui tao bo lei shu chun zhen hai gang dan ling jing cheng jiang song deng tran pham hoang tanaka suzuki sato sharma gupta devi das begum islam hossain raj ram patel`);

/**
 * Rough number of people in a thousand who have a word in their name; undefined for words that are rarer than this
 * table covers.
 */
export const PEOPLE_PER_MILLE: ReadonlyMap<string, number> = new Map([
  ...COMMON.map((word) => [word, 2] as const),
  ...VERY_COMMON.map((word) => [word, 15] as const),
]);
