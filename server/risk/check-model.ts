import type { FactCatalogue } from './facts.ts';
import type { RiskModel } from './model.ts';

/** A fault of a model. The code is a problem code of the contract. */
export interface ModelFault {
  readonly code:
    | 'weights_sum_zero'
    | 'thresholds_inverted'
    | 'band_gap'
    | 'band_overlap'
    | 'unknown_fact'
    | 'unknown_reference_list'
    | 'duplicate_key'
    | 'too_many_decimals'
    | 'expression_type_error'
    | 'expression_too_large';
  /** JSON Pointer into the model. */
  readonly pointer: string;
  readonly message: string;
}

/** Returns the faults of a model; none if it can be scored. `listKeys` names the reference lists that exist. */
export declare function modelFaults(
  model: RiskModel,
  catalogue: FactCatalogue,
  listKeys: ReadonlySet<string>,
): readonly ModelFault[];

/** Returns the paths of the facts that a model reads, sorted. */
export declare function factsOf(model: RiskModel): readonly string[];

/** Returns the keys of the reference lists that a model reads, sorted. */
export declare function listsOf(model: RiskModel): readonly string[];
