import { explainAlso } from '../../core/problem.ts';

/** Explanations of refusals that only the pages of risk get. In English the words of the service are as good. */
explainAlso({
  en: {
    backtest_required: 'Run a backtest of this content first, or end its shadow run: the activation rests on it.',
    backtest_stale: 'The backtest no longer counts: the content, the active model or a list has changed since.',
    empty_population: 'No stored assessment fits. Choose other days.',
    assessment_superseded: 'There is a later assessment of this person. Override that one.',
  },
  pt: {
    band_gap: 'Um valor não cai em nenhuma faixa.',
    band_overlap: 'Um valor cai em duas faixas.',
    weights_sum_zero: 'Todos os pesos são zero.',
    thresholds_inverted: 'Os limites não estão em ordem.',
    unknown_fact: 'O fato não existe no catálogo.',
    unknown_reference_list: 'A lista de referência não existe.',
    expression_type_error: 'Uma condição compara valores de tipos diferentes.',
    shadow_running: 'Um rascunho já é executado em paralelo.',
    shadow_not_running: 'Este rascunho não é executado em paralelo.',
    backtest_required: 'Faça antes um teste retroativo deste conteúdo, ou encerre a execução paralela dele.',
    backtest_stale: 'O teste não vale mais: o conteúdo, o modelo ativo ou uma lista mudou desde então.',
    backtest_running: 'Um teste retroativo já está em andamento.',
    empty_population: 'Nenhuma avaliação guardada corresponde. Escolha outros dias.',
    unscorable: 'Falta um fato de que o modelo precisa.',
    assessment_superseded: 'Há uma avaliação posterior desta pessoa. Ajuste aquela.',
    prohibited_cannot_be_lowered: 'O nível proibido não pode ser reduzido.',
    self_approval_forbidden: 'Ninguém revisa o próprio pedido. Peça a outra pessoa.',
    evidence_changed: 'Aquilo em que o pedido se baseia mudou. O modelo é um rascunho de novo.',
    invalid_state_transition: 'A situação desta versão não permite isto.',
  },
});
