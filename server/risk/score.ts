import type { RiskInputs, RiskModel, RiskOutcome, Unscorable } from './model.ts';

/** Scores a subject by a model that `modelFaults` finds no fault in. */
export declare function assessRisk(model: RiskModel, inputs: RiskInputs): RiskOutcome | Unscorable;
