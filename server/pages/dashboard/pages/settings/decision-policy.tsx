/**
 * Defines the section of the settings about decisions. Used by settings-page.tsx. A member that weakens protection when
 * changed must say so here, or the user is not warned before saving.
 */
import type { Schemas } from '../../core/api.ts';
import { kindsIn, riskOptions } from './kinds.tsx';
import { membersOf, pick, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';
import { amountRaised, dropped, granted, shortened } from './weakening.ts';

type FourEyes = Schemas['FourEyesSettings'];
type Validity = Schemas['ValidityByRisk'];
type Rest = Omit<
  Schemas['DecisionPolicySettings'],
  'fourEyes' | 'validityByRisk' | 'validityMonths' | 'reasonCatalogue'
>;

/** Members of the policy, of its four-eyes rule and of its validity by risk, flat as in the form. */
type Policy = Rest & FourEyes & Validity;

const FOUR_EYES: readonly (keyof FourEyes)[] = [
  'levels',
  'onPep',
  'onConfirmedHit',
  'onNotScreened',
  'onOverride',
  'amountAbove',
];
const VALIDITY: readonly (keyof Validity)[] = ['low', 'medium', 'high'];
const REST: readonly (keyof Rest)[] = [
  'autoApprove',
  'minimumAge',
  'requiredChecks',
  'requiredChecksOfBusinesses',
  'resubmissionLimit',
  'informationDueDays',
  'reasonCodes',
];

export const decisionPolicy = (t: SettingsWords): Section<Policy> => {
  const { flag, several, amount, checks, number, lines } = kindsIn(t);
  const w = t.sections.decisionPolicy;
  const of = membersOf<Policy>('/decisionPolicy');
  const fourEyes = membersOf<Policy>('/decisionPolicy/fourEyes');
  const validity = membersOf<Policy>('/decisionPolicy/validityByRisk');
  return {
    key: 'decisionPolicy',
    title: w.title,
    explanation: w.explanation,
    draftOf: ({
      decisionPolicy: { fourEyes: rule, validityByRisk, validityMonths: _, reasonCatalogue: _shown, ...rest },
    }) => ({ ...rest, ...rule, ...validityByRisk }),
    patchOf: (draft, names) => {
      const [rule, months] = [
        FOUR_EYES.filter((name) => names.includes(name)),
        VALIDITY.filter((name) => names.includes(name)),
      ];
      return {
        decisionPolicy: {
          ...pick(
            draft,
            REST.filter((name) => names.includes(name)),
          ),
          ...(rule.length > 0 && { fourEyes: pick(draft, rule) }),
          ...(months.length > 0 && { validityByRisk: pick(draft, months) }),
        },
      };
    },
    members: [
      of('autoApprove', flag(w.autoApprove, w.autoApproveHint, granted)),
      fourEyes('levels', several(w.levels, riskOptions(t), shortened)),
      fourEyes('onPep', flag(w.onPep, w.onPepHint, dropped)),
      fourEyes('onConfirmedHit', flag(w.onConfirmedHit, w.onConfirmedHitHint, dropped)),
      fourEyes('onNotScreened', flag(w.onNotScreened, w.onNotScreenedHint, dropped)),
      fourEyes('onOverride', flag(w.onOverride, w.onOverrideHint, dropped)),
      fourEyes('amountAbove', amount(w.amountAbove, w.amountHint, amountRaised)),
      of('requiredChecks', checks(w.requiredChecks, 'person')),
      of('requiredChecksOfBusinesses', checks(w.requiredChecksOfBusinesses, 'company')),
      of('minimumAge', number(w.minimumAge)),
      ...riskOptions(t).map(([risk, name]) => validity(risk, number(w.validity(name)))),
      of('informationDueDays', number(w.informationDueDays)),
      of('resubmissionLimit', number(w.resubmissionLimit)),
      of('reasonCodes', lines(w.reasonCodes, { hint: w.onePerLine, rows: 6 })),
    ],
  };
};
