import type { RiskCounterfactual, RiskInputs, RiskModel } from './model.ts';

/** Returns up to ten changes of one fact that would move the level by one step, the smallest change of score first. */
export declare function counterfactualsOf(model: RiskModel, inputs: RiskInputs): readonly RiskCounterfactual[];
