/**
 * What an applicant is asked to do about a document that could not be verified, by the reason of the check, in the
 * three languages in which tenants write. Used by ask-again.tsx. A reason without an entry is nothing that an applicant
 * can mend.
 */
import type { Schemas } from '../../../core/api.ts';

export type Locale = Schemas['BrandingSettings']['locale'];

/** Reason of a request for information, and the message in each language. */
export interface ApplicantMessage {
  readonly reasonCode: 'unreadable' | 'incomplete' | 'out_of_date';
  readonly message: Readonly<Record<Locale, string>>;
}

const CLEARER: ApplicantMessage = {
  reasonCode: 'unreadable',
  message: {
    'en':
      'Some characters of your document cannot be read. Please take the picture again, in bright light and from ' +
      'nearer, without reflections.',
    'pt-BR':
      'Alguns caracteres do seu documento não podem ser lidos. Tire a foto de novo, com boa luz e mais de perto, ' +
      'sem reflexos.',
    'es':
      'Algunos caracteres de su documento no se pueden leer. Tome la foto de nuevo, con buena luz y más de cerca, ' +
      'sin reflejos.',
  },
};

/** Messages by the reason of a check, the most helpful first. */
export const APPLICANT_MESSAGES: Readonly<Record<string, ApplicantMessage>> = {
  document_expired: {
    reasonCode: 'out_of_date',
    message: {
      'en': 'Your document is past its date. Please send a valid one.',
      'pt-BR': 'Seu documento está fora da validade. Envie um documento válido.',
      'es': 'Su documento está vencido. Envíe uno vigente.',
    },
  },
  picture_unreadable: {
    reasonCode: 'unreadable',
    message: {
      'en': 'The file of your document cannot be opened. Please send another picture.',
      'pt-BR': 'O arquivo do seu documento não pode ser aberto. Envie outra foto.',
      'es': 'El archivo de su documento no se puede abrir. Envíe otra foto.',
    },
  },
  nothing_legible: {
    reasonCode: 'unreadable',
    message: {
      'en': 'One side of your document shows no text. Please take a picture of the whole side.',
      'pt-BR': 'Um lado do seu documento não mostra texto. Tire uma foto do lado inteiro.',
      'es': 'Un lado de su documento no muestra texto. Tome una foto del lado completo.',
    },
  },
  picture_too_small: {
    reasonCode: 'unreadable',
    message: {
      'en': 'Your document is too small in the picture. Please take it from nearer, so that it fills the picture.',
      'pt-BR': 'Seu documento está pequeno demais na foto. Tire a foto de mais perto, para que ele a preencha.',
      'es': 'Su documento se ve demasiado pequeño en la foto. Tómela de más cerca, para que la llene.',
    },
  },
  several_documents: {
    reasonCode: 'incomplete',
    message: {
      'en': 'The pictures show more than one document. Please send the two sides of one document.',
      'pt-BR': 'As fotos mostram mais de um documento. Envie os dois lados de um só documento.',
      'es': 'Las fotos muestran más de un documento. Envíe los dos lados de un solo documento.',
    },
  },
  too_many_pages: {
    reasonCode: 'unreadable',
    message: {
      'en': 'Your file has more than five pages. Please send the pages of your document alone.',
      'pt-BR': 'Seu arquivo tem mais de cinco páginas. Envie somente as páginas do documento.',
      'es': 'Su archivo tiene más de cinco páginas. Envíe solo las páginas de su documento.',
    },
  },
  format_not_read: {
    reasonCode: 'unreadable',
    message: {
      'en': 'Please send your document as a picture (JPEG or PNG).',
      'pt-BR': 'Envie seu documento como imagem (JPEG ou PNG).',
      'es': 'Envíe su documento como imagen (JPEG o PNG).',
    },
  },
  document_too_old: {
    reasonCode: 'out_of_date',
    message: {
      'en': 'Your proof of address is older than 90 days. Please send a newer one.',
      'pt-BR': 'Seu comprovante de endereço tem mais de 90 dias. Envie um mais recente.',
      'es': 'Su comprobante de domicilio tiene más de 90 días. Envíe uno más reciente.',
    },
  },
  characters_uncertain: CLEARER,
  visual_zone_partly_read: CLEARER,
};
