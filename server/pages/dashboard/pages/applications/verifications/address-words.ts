/** Reasons of checks of proofs of address in both languages. Part of verification-words.ts. */

export const ADDRESS_REASONS = {
  en: {
    address_partly_shown: 'a part of the address',
    address_not_shown: 'the address was not found',
    document_too_old: 'older than 90 days',
    date_in_future: 'the date is in the future',
    date_of_issue_not_read: 'the date of issue was not read',
  },
  pt: {
    address_partly_shown: 'parte do endereço',
    address_not_shown: 'o endereço não foi encontrado',
    document_too_old: 'mais de 90 dias',
    date_in_future: 'a data está no futuro',
    date_of_issue_not_read: 'a data de emissão não foi lida',
  },
} as const;
