import type { Persona } from './persona.ts';

const person = (digit: number, key: string, name: string, outcomes: string[], description: string): Persona => ({
  key, kind: 'person', taxId: String(digit).repeat(11), name, outcomes, description,
});

/** One digit eleven times passes the arithmetic of a CPF and is never issued (Receita Federal). */
export const persons: readonly Persona[] = [
  person(1, 'clean', 'Clara Limpa Santos', ['screening_clear', 'risk_low'], 'Every check passes and the risk is low.'),
  person(2, 'pep', 'Paulo Exposto Lima', ['pep_active'], 'Holds a public office: an active politically exposed person.'),
  person(3, 'sanctioned', 'Sergei Listado Petrov', ['sanctions_match'], 'A true match on the consolidated list of the United Nations.'),
  person(4, 'expired_document', 'Vera Vencida Alves', ['document_expired'], 'The identity document is past its date.'),
  person(5, 'face_mismatch', 'Fabio Trocado Nunes', ['face_mismatch'], 'The face is not the one on the document.'),
  person(6, 'liveness_spoof', 'Livia Mascarada Reis', ['liveness_spoof'], 'The camera sees a picture instead of a living person.'),
  person(7, 'provider_timeout', 'Tito Demorado Costa', ['provider_timeout', 'provider_success'], 'The provider does not answer the first time and succeeds the second.'),
  person(8, 'homonyms', 'Maria da Silva', ['homonym_hits_12'], 'Twelve hits by name, all of them other people.'),
  person(9, 'account_protection', 'Bento Protegido Rocha', ['account_protection_active'], 'Has asked the Central Bank (BC Protege+) that no account be opened.'),
  person(0, 'cancelled_cpf', 'Dario Ausente Melo', ['cpf_cancelled', 'deceased'], 'The registration is cancelled because the holder has died.'),
];
