/**
 * Invents people and companies that are on no list, to estimate how many clean names a line alerts. Used by the
 * estimate of the engine. The same seed gives the same names; the words are written by hand and come from no register.
 * A changed word or rule needs a new version of the estimate.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

interface Origin {
  readonly givenNames: readonly string[];
  readonly surnames: readonly string[];
}

/** Common names of Brazil, the most frequent ones first. */
const BRAZIL: Origin = {
  givenNames: words(`
    Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Francisca Daniel
    Marcelo Bruno Eduardo Felipe Raimundo Rodrigo Antônia Manoel Mateus André Fernando Fábio Leonardo Gustavo Guilherme
    Leandro Tiago Anderson Ricardo Márcio Jorge Sebastião Alexandre Roberto Edson Diego Vítor Sérgio Cláudio Matheus
    Thiago Geraldo Adriano Luciano Júlio Renato Alex Vinícius Rogério Samuel Ronaldo Mário Flávio Igor Douglas Davi
    Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa
    Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Luana Rita Sônia Renata Eliane Josefa Simone Natália Cristiane
    Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene Terezinha Raimunda Andreia Fabiana Lúcia Raquel
    Ângela Rafaela Joana Luzia Elaine Helena Isabel Tereza Cecília Heitor Otávio Benedito Valdir Osvaldo Wagner`),
  surnames: words(`
    Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes
    Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso
    Ramos Gonçalves Santana Teixeira Araújo Moura Melo Barros Correia Batista Castro Campos Cavalcanti Pinto Miranda
    Borges Monteiro Duarte Sales Cunha Nogueira Reis Moraes Pires Azevedo Farias Medeiros Coelho Macedo Brito Tavares
    Guimarães Xavier Rezende Bezerra Fonseca Neves Amaral Siqueira Queiroz Peixoto Aguiar Antunes Bastos Braga Bueno
    Camargo Cordeiro Dantas Domingues Esteves Evangelista Figueiredo Franco Furtado Garcia Leal Leite Leão Lacerda
    Magalhães Maia Matos Menezes Mota Muniz Novaes Pacheco Paiva Passos Pedrosa Pimentel Portela Prado Quadros Rangel
    Salgado Sampaio Saraiva Seixas Serra Simões Toledo Torres Trindade Vargas Vasconcelos Veloso Viana Vilela`),
};

/** Names of people of other countries and of their descendants, by language. */
const ELSEWHERE: readonly Origin[] = [
  {
    givenNames: words('Giuseppe Antonella Marco Francesca Luca Chiara Matteo Giulia Paolo Elena Stefano Valentina'),
    surnames: words(`Rossi Bianchi Ferrari Romano Colombo Ricci Marino Greco Bruno Gallo Conti Mancini Rizzo Lombardi
      Moretti Barbieri Fontana Santoro Mariani Rinaldi Zanetti Bertolini Perin Dalmolin`),
  },
  {
    givenNames: words('Hans Karin Peter Ursula Klaus Monika Stefan Petra Jürgen Heike Martin Birgit'),
    surnames: words(`Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Hoffmann Koch Bauer Klein Wolf Schröder
      Neumann Schwarz Zimmermann Krüger Hartmann Werner Lange Krause Lehmann Dietrich`),
  },
  {
    givenNames: words('Hiroshi Yoko Takashi Akemi Kenji Naomi Makoto Keiko Satoshi Yumi Akira Emiko'),
    surnames: words(`Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki
      Matsumoto Inoue Kimura Hayashi Shimizu Saito Mori Ikeda Hashimoto Ogawa Ishikawa`),
  },
  {
    givenNames: words('Ahmad Fatima Mohamed Layla Ali Nadia Hassan Samira Omar Yasmin Khaled Rania Elias Georges'),
    surnames: words(`Haddad Khoury Nassar Saleh Mansour Hamdan Awad Salem Farah Issa Abboud Maalouf Sayegh Rahman Aziz
      Younes Khalil Darwish Barakat Shaheen Fares Sabbagh Jaber Qasim`),
  },
  {
    givenNames: words('Juan Carmen Miguel Lucía Diego Sofía Alejandro Valeria Javier Paola Andrés Ximena'),
    surnames: words(`González Rodríguez Fernández López Martínez Sánchez Pérez Gómez Díaz Álvarez Romero Ruiz Hernández
      Flores Acosta Benítez Medina Herrera Aguirre Quispe Mamani Villalba Ortiz Cabrera`),
  },
  {
    givenNames: words('Ivan Olga Dmitri Natalia Sergei Irina Andrzej Katarzyna Pavel Jana Oleksandr Oksana'),
    surnames: words(`Ivanov Petrov Smirnov Kuznetsov Popov Sokolov Kowalski Nowak Wiśniewski Lewandowski Novák Dvořák
      Shevchenko Kovalenko Bondarenko Melnyk Volkov Morozov Zieliński Horák Kravchenko Fedorov Orlov Pavlov`),
  },
  {
    givenNames: words('Wei Li Jing Min Fang Jun Hui Lin Tao Xin Yan Hao'),
    surnames: words('Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo'),
  },
  {
    givenNames: words('James Mary Robert Jennifer Michael Linda William Susan Thomas Emily Kwame Ngozi'),
    surnames: words(`Smith Johnson Williams Brown Jones Davis Miller Wilson Moore Taylor Anderson Jackson White Harris
      Thompson Walker Okafor Mensah Adeyemi Campbell Stewart Murphy Kelly Bennett`),
  },
];

const OWN_WORDS = words(`
  Aliança Aurora Atlântica Horizonte Primavera Esperança Ipê Jatobá Araucária Cerrado Litoral Serrana Planalto Pantanal
  Amazônia Ventura Vitória Estrela Cruzeiro Imperial Ideal Modelo Progresso Avenida Central Nordeste Paulista Mineira
  Gaúcha Carioca Pioneira Bandeirante Oriente Meridional Delta Sigma Ômega Prisma Vértice Nexo Ápice Fênix Lótus Safira
  Rubi Cristal Diamante Girassol Bosque Lagoa Ribeirão Cachoeira Montanha Campina Mirante`);

const TRADES = [
  'Comércio de Alimentos',
  'Comércio de Roupas',
  'Comércio de Bebidas',
  'Materiais de Construção',
  'Construções e Reformas',
  'Construtora e Incorporadora',
  'Transportes',
  'Transportes e Logística',
  'Serviços Médicos',
  'Clínica Odontológica',
  'Engenharia e Projetos',
  'Consultoria Empresarial',
  'Contabilidade',
  'Tecnologia da Informação',
  'Desenvolvimento de Sistemas',
  'Administradora de Bens',
  'Participações',
  'Empreendimentos Imobiliários',
  'Indústria e Comércio de Móveis',
  'Indústria Metalúrgica',
  'Confecções',
  'Auto Peças',
  'Distribuidora de Medicamentos',
  'Supermercado',
  'Restaurante e Lanchonete',
  'Turismo e Viagens',
  'Importação e Exportação',
  'Agropecuária',
  'Produtos Agrícolas',
  'Gráfica e Editora',
  'Representações Comerciais',
  'Segurança Eletrônica',
  'Limpeza e Conservação',
  'Ensino de Idiomas',
  'Publicidade e Eventos',
  'Energia Solar',
  'Trading',
  'Shipping',
  'Petroleum Services',
  'General Trading',
];

/** Legal forms, as often as they are written here. */
const FORMS = ['Ltda', 'Ltda', 'Ltda', 'Ltda', 'Ltda', 'Ltda', 'Ltda', 'ME', 'ME', 'EIRELI', 'S.A.', 'S.A.', 'LLC', ''];

const ONSETS = words('b br c d dr f fr g gr j l m n p pr r s st t tr v z');
const VOWELS = words('a e i o u a e o ei au');
const ENDINGS = words('lin ron dez mar tin ssi ler van do ra ni co ta zzo des nha ski');

/** Returns random numbers from 0 to before 1 that are the same for each seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An invented person or company. */
export interface InventedSubject {
  readonly name: string;
  /** A day (ISO 8601); null for companies. */
  readonly birthDate: string | null;
}

class Inventor {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  /** One in forty has a name of another country; the others have the names of Brazil, mostly two surnames. */
  person(): InventedSubject {
    const isBrazilian = !this.#chance(40);
    const origin = isBrazilian ? BRAZIL : this.#any(ELSEWHERE);
    const given = [this.#givenName(origin), ...(this.#chance(3) ? [this.#givenName(origin)] : [])];
    const count = isBrazilian ? this.#any([1, 2, 2, 3]) : 1;
    const surnames = Array.from({ length: count }, () => this.#surname(origin));
    const particle = isBrazilian && this.#chance(4) ? [this.#any(['da', 'de', 'dos'])] : [];
    return { name: [...new Set(given), ...particle, ...new Set(surnames)].join(' '), birthDate: this.#day() };
  }

  company(): InventedSubject {
    const own = this.#chance(3)
      ? [this.#often(BRAZIL.surnames), ...(this.#chance(2) ? ['&', this.#often(BRAZIL.surnames)] : [])]
      : [this.#chance(2) ? this.#coined() : this.#any(OWN_WORDS), ...(this.#chance(4) ? [this.#any(OWN_WORDS)] : [])];
    return {
      name: [...own, this.#any(TRADES), this.#any(FORMS)].filter((word) => word !== '').join(' '),
      birthDate: null,
    };
  }

  /** One in five is coined, because a fifth of a population and more has names that are on no list of common ones. */
  #givenName({ givenNames }: Origin): string {
    return this.#chance(5) ? this.#coined() : this.#often(givenNames);
  }

  /** One in five is coined, and one in eight of the others is of another country. */
  #surname({ surnames }: Origin): string {
    if (this.#chance(5)) return this.#coined();
    return this.#often(this.#chance(8) ? this.#any(ELSEWHERE).surnames : surnames);
  }

  #coined(): string {
    const syllables = Array.from(
      { length: 1 + Math.floor(this.#next() * 2) },
      () => this.#any(ONSETS) + this.#any(VOWELS),
    );
    const word = syllables.join('') + this.#any(ENDINGS);
    return word.charAt(0).toUpperCase() + word.slice(1);
  }

  #day(): string {
    const start = Date.UTC(1940, 0, 1);
    const end = Date.UTC(2007, 0, 1);
    return new Date(start + this.#next() * (end - start)).toISOString().slice(0, 10);
  }

  #chance(oneIn: number): boolean {
    return this.#next() * oneIn < 1;
  }

  #any<T>(all: readonly T[]): T {
    return all[Math.floor(this.#next() * all.length)]!;
  }

  /** Draws the first words more often: the frequency falls with the rank, as that of names does. */
  #often(all: readonly string[]): string {
    return all[Math.floor((all.length + 1) ** this.#next() - 1)]!;
  }
}

/** Invents the same people for each seed. */
export function inventedPeople(seed: number, count: number): InventedSubject[] {
  const inventor = new Inventor(seed);
  return Array.from({ length: count }, () => inventor.person());
}

/** Invents the same companies for each seed. */
export function inventedCompanies(seed: number, count: number): InventedSubject[] {
  const inventor = new Inventor(seed);
  return Array.from({ length: count }, () => inventor.company());
}
