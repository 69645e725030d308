/**
 * The provider of the sandbox, which measures nothing: personas have the outcomes of their description, and callers may
 * set an outcome. Chosen by index.ts, and never in live.
 */
import { type Check, check, type CheckOutcome, conclude } from '../../verification/check.ts';
import { REQUIRED_CHECKS } from '../../verification/document.ts';
import { REQUIRED_OF_ADDRESS } from '../../verification/proof-of-address.ts';
import { injectionCheck } from '../../verification/liveness.ts';
import { personaFor } from '../personas/index.ts';
import {
  type ProviderAnswer,
  ProviderError,
  type VerificationJob,
  type VerificationProvider,
  type VerificationType,
} from './provider.ts';

/** Check that decides a simulated verification, and the other checks, which pass. */
interface Simulated {
  readonly deciding: string;
  readonly others: readonly string[];
}

const LIVENESS = ['liveness_challenge_binding', 'injection_signals'];

function checksOf({
  type,
  registrySource,
  proves,
}: Pick<VerificationJob, 'type' | 'registrySource' | 'proves'>): Simulated {
  if (type === 'registry')
    return registrySource === 'bc_protege'
      ? { deciding: 'account_opening_protection', others: [] }
      : { deciding: 'cpf_status', others: ['cpf_name_match'] };
  if (proves === 'address')
    return { deciding: 'address_match', others: REQUIRED_OF_ADDRESS.filter((code) => code !== 'address_match') };
  const ofType: Readonly<Record<Exclude<VerificationType, 'registry'>, Simulated>> = {
    document_ocr: {
      deciding: 'document_expired',
      others: ['image_quality', ...REQUIRED_CHECKS.filter((code) => code !== 'document_expired')],
    },
    face_match: { deciding: 'face_similarity', others: ['image_quality'] },
    liveness: { deciding: 'liveness_passive', others: LIVENESS },
  };
  return ofType[type];
}

/** Findings about personas: the outcome in `outcomes` of the persona, the type that finds it, and its reason. */
const FINDINGS: readonly {
  readonly outcome: string;
  readonly type: VerificationType;
  readonly source?: VerificationJob['registrySource'];
  readonly reasonCode: string;
}[] = [
  { outcome: 'document_expired', type: 'document_ocr', reasonCode: 'document_expired' },
  { outcome: 'face_mismatch', type: 'face_match', reasonCode: 'faces_differ' },
  { outcome: 'liveness_spoof', type: 'liveness', reasonCode: 'picture_of_a_person' },
  {
    outcome: 'account_protection_active',
    type: 'registry',
    source: 'bc_protege',
    reasonCode: 'protection_active',
  },
  {
    outcome: 'deceased',
    type: 'registry',
    source: 'receita_cpf',
    reasonCode: 'deceased',
  },
];

/**
 * The sandbox: personas have the outcomes that their description says, and a caller can set the outcome of anybody
 * else. Nothing is measured, and the results say so by the name of the provider.
 */
export const sandboxProvider: VerificationProvider = {
  id: 'sandbox',
  version: '1',
  within: 20_000,
  verify: async (job) => {
    const outcomes = personaFor(job.person.cpf ?? '')?.outcomes ?? [];
    if (job.wantedOutcome === 'error') throw new ProviderError('provider_unavailable');
    if (job.wantedOutcome !== null) return simulated(job, OUTCOMES[job.wantedOutcome], 'simulated');
    if (outcomes.includes('provider_timeout') && job.earlierErrors === 0) throw new ProviderError('provider_timeout');
    const finding = FINDINGS.find(
      ({ outcome, type, source = null }) =>
        outcomes.includes(outcome) && type === job.type && source === job.registrySource && job.proves === 'identity',
    );
    return Promise.resolve(simulated(job, finding === undefined ? 'pass' : 'fail', finding?.reasonCode ?? null));
  },
};

const OUTCOMES = { passed: 'pass', failed: 'fail', inconclusive: 'warn' } as const;

function simulated(job: VerificationJob, outcome: CheckOutcome, reasonCode: string | null): ProviderAnswer {
  const { deciding, others } = checksOf(job);
  const checks: Check[] = [
    check(deciding, outcome, outcome === 'pass' ? null : reasonCode),
    ...others.map((code) =>
      code === 'injection_signals' && job.challenge !== null
        ? injectionCheck(job.challenge.frames)
        : check(code, 'pass'),
    ),
  ];
  return {
    status: conclude(checks, [deciding, ...others]),
    confidence: null,
    checks,
    extracted: null,
  };
}
