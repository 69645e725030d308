import { inLanguages } from '../../../app/language.ts';

/** Names of the fields, both in the form and where the data is shown. */
export const fieldWords = inLanguages({
  en: {
    request: 'What is asked for', purpose: 'Purpose', choose: 'Choose…', channel: 'How they came', level: 'Level of diligence',
    levels: {
      basic: 'Date of birth and tax number.', standard: 'Also an identity document and an address.',
      enhanced: 'Also a proof of address, the monthly income and where funds come from.',
    },
    externalId: 'External ID', externalIdHint: 'Your own reference, unique among your applications.', products: 'Product codes', productsHint: 'Codes of yours, with commas between them.',
    person: 'The applicant', fullName: 'Full name', fullNameHint: 'As in the identity document.', dateOfBirth: 'Date of birth', taxIdType: 'Kind of tax number', taxId: 'Tax number', taxIdCountry: 'Country of the tax number',
    nationality: 'Nationality', countryOfBirth: 'Country of birth', socialName: 'Social name', motherName: "Mother's name", email: 'E-mail', phone: 'Phone',
    addressPart: 'Address', address: 'Street', number: 'Number', line2: 'Complement', district: 'District', city: 'City', state: 'State', postalCode: 'Postal code', country: 'Country',
    means: 'Work and means', occupation: 'Occupation', monthlyIncome: 'Monthly income', currency: 'Currency', currencyHint: 'Three letters, such as BRL.', sourceOfFunds: 'Source of funds',
    isPep: 'Politically exposed person', isPepHint: 'What the person declares of themselves or of someone close.', notAsked: 'Not declared', yes: 'Yes', no: 'No',
    relationship: 'Relationship', role: 'Public function', taxResidencies: 'Tax residencies', taxResidenciesHint: 'One a line: the country code and the number, such as PT 123456789.',
    residentAbroad: 'Lives outside Brazil', documentsHint: 'Documents are added once the draft is saved.',
    enterName: 'Enter the full name.', enterPurpose: 'Choose a purpose.', unreadableIncome: 'Enter an amount, such as 8500.00.',
    unreadableResidency: 'Enter a country code and a number on each line, such as PT 123456789.',
    needed: 'This level needs it.', neededDocument: (names: string) => `This level needs a document: ${names}. Save the draft, then add it.`,
    checkDigits: 'The check digits do not fit: look for a mistyped character.',
  },
  pt: {
    request: 'O que se pede', purpose: 'Finalidade', choose: 'Escolha…', channel: 'Como chegou', level: 'Nível de diligência',
    levels: {
      basic: 'Data de nascimento e número fiscal.', standard: 'Também um documento de identidade e um endereço.',
      enhanced: 'Também comprovante de endereço, renda mensal e origem dos recursos.',
    },
    externalId: 'ID externo', externalIdHint: 'Sua própria referência, única entre as suas solicitações.', products: 'Códigos de produto', productsHint: 'Códigos seus, separados por vírgulas.',
    person: 'Quem pede o cadastro', fullName: 'Nome completo', fullNameHint: 'Como no documento de identidade.', dateOfBirth: 'Data de nascimento', taxIdType: 'Tipo de número fiscal', taxId: 'Número fiscal', taxIdCountry: 'País do número fiscal',
    nationality: 'Nacionalidade', countryOfBirth: 'País de nascimento', socialName: 'Nome social', motherName: 'Nome da mãe', email: 'E-mail', phone: 'Telefone',
    addressPart: 'Endereço', address: 'Logradouro', number: 'Número', line2: 'Complemento', district: 'Bairro', city: 'Cidade', state: 'Estado', postalCode: 'CEP ou código postal', country: 'País',
    means: 'Trabalho e renda', occupation: 'Ocupação', monthlyIncome: 'Renda mensal', currency: 'Moeda', currencyHint: 'Três letras, como BRL.', sourceOfFunds: 'Origem dos recursos',
    isPep: 'Pessoa politicamente exposta', isPepHint: 'O que a pessoa declara de si ou de alguém próximo.', notAsked: 'Não declarado', yes: 'Sim', no: 'Não',
    relationship: 'Vínculo', role: 'Função pública', taxResidencies: 'Residências fiscais', taxResidenciesHint: 'Uma por linha: o código do país e o número, como PT 123456789.',
    residentAbroad: 'Mora fora do Brasil', documentsHint: 'Os documentos são acrescentados depois de salvar o rascunho.',
    enterName: 'Digite o nome completo.', enterPurpose: 'Escolha uma finalidade.', unreadableIncome: 'Digite um valor, como 8500,00.',
    unreadableResidency: 'Digite um código de país e um número em cada linha, como PT 123456789.',
    needed: 'Este nível precisa disto.', neededDocument: (names: string) => `Este nível precisa de um documento: ${names}. Salve o rascunho e depois acrescente.`,
    checkDigits: 'Os dígitos verificadores não conferem: procure um erro de digitação.',
  },
});
