/** Reads small watch-list files in tests. */
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import type { Bytes, SourceFacts, SourceReader } from '../../server/screening/sources/source-file.ts';

/** Yields pieces of a few bytes, so that letters and quoted values are split. */
export async function* piecesOf(file: string | Uint8Array, length = 7): Bytes & AsyncGenerator<Uint8Array> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  for (let at = 0; at < Math.max(1, bytes.length); at += length) yield bytes.subarray(at, at + length);
}

export async function read(
  reader: SourceReader,
  file: string | Uint8Array,
  others: Readonly<Record<string, string>> = {},
): Promise<{ entities: ListedEntity[]; facts: SourceFacts }> {
  const facts: SourceFacts = {};
  const entities: ListedEntity[] = [];
  for await (const entity of reader(
    piecesOf(file),
    facts,
    Object.fromEntries(Object.entries(others).map(([name, text]) => [name, piecesOf(text)])),
  ))
    entities.push(entity);
  return { entities, facts };
}
export const entitiesOf = async (...given: Parameters<typeof read>): Promise<ListedEntity[]> =>
  (await read(...given)).entities;
export const namesOf = ({ names }: ListedEntity): string[] =>
  names.map(({ name, quality }) => (quality === 'weak' ? `${name}~` : name));

/** Invented entries in the formats of the publishers. */
export const SDN = `101,"MONTALVAO, Heitor",individual,"SDGT] [NPWMD","Director",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 17 Feb 1967; alt. DOB circa 1966; POB Vila Nova; nationality Brazil; citizen Portugal; Gender Male; Passport A123456 (Brazil) expires 05 Nov 2025; a.k.a. 'O NAVEGADOR'; Linked To: AURORA LTDA."\r
102,"AURORA ENCANTADA LTDA",-0- ,"SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"Tax ID No. 7736640919 (Russia); Registration Number 2890985 (Hong Kong)."\r
103,"ESTRELA 15",vessel,"SDGT",-0- ,"UALW","Tanker",-0- ,-0- ,"Brazil",-0- ,"Vessel Registration Identification IMO 9777670."\r
\u001a`;

export const UN = `<?xml version="1.0" encoding="UTF-8"?><CONSOLIDATED_LIST dateGenerated="2020-12-01T19:08:54.997-05:00"><INDIVIDUALS><INDIVIDUAL><DATAID>9</DATAID><FIRST_NAME> Heitor </FIRST_NAME><SECOND_NAME>MONTALVÃO</SECOND_NAME><THIRD_NAME/>
  <UN_LIST_TYPE>DPRK</UN_LIST_TYPE><REFERENCE_NUMBER>KPi.999</REFERENCE_NUMBER><NAME_ORIGINAL_SCRIPT>Монталван</NAME_ORIGINAL_SCRIPT><NATIONALITY><VALUE>Democratic People's Republic of Korea</VALUE></NATIONALITY>
  <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>O Navegador; O Piloto</ALIAS_NAME></INDIVIDUAL_ALIAS><INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1958</FROM_YEAR><TO_YEAR>1963</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
  <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER> 381-310 </NUMBER></INDIVIDUAL_DOCUMENT></INDIVIDUAL></INDIVIDUALS><ENTITIES><ENTITY><DATAID>10</DATAID><FIRST_NAME>AURORA TRADING</FIRST_NAME><REFERENCE_NUMBER>KPe.999</REFERENCE_NUMBER></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;
