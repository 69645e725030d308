/** A finding about a model. Errors keep a draft from being activated; warnings do not. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: FindingCode;
  /** Id of the element that the finding is about, or null if it is about the whole file. */
  readonly elementId: string | null;
  readonly message: string;
  /** Elements that lead to the fault, in the order in which they were passed. */
  readonly path?: readonly string[];
}

export type FindingCode =
  | 'xml_too_large'
  | 'xml_too_deep'
  | 'xml_too_many_elements'
  | 'xml_attribute_too_long'
  | 'xml_forbidden_declaration'
  | 'xml_encoding'
  | 'xml_malformed'
  | 'xml_unknown_element'
  | 'unresolved_reference'
  | 'duplicate_id'
  | 'invalid_id'
  | 'invalid_variable'
  | 'too_many_nodes'
  | 'too_many_processes'
  | 'no_process'
  | 'unsupported_element'
  | 'unsupported_expression'
  | 'invalid_expression'
  | 'unknown_function'
  | 'equality_of_computed_numbers'
  | 'range_too_large'
  | 'invalid_timer'
  | 'no_start'
  | 'no_end'
  | 'dangling_flow'
  | 'flow_between_scopes'
  | 'unreachable'
  | 'missing_condition'
  | 'missing_default'
  | 'missing_event'
  | 'invalid_event_target'
  | 'missing_host'
  | 'missing_link'
  | 'missing_correlation_key'
  | 'missing_job_type'
  | 'unknown_job_type'
  | 'unknown_called_process'
  | 'missing_loop_count'
  | 'unknown_activity'
  | 'deadlock'
  | 'no_flow'
  | 'double_token'
  | 'no_way_to_end'
  | 'endless_loop'
  | 'not_proven';

export const error = (code: FindingCode, elementId: string | null, message: string): Finding => ({
  severity: 'error',
  code,
  elementId,
  message,
});

export const warning = (code: FindingCode, elementId: string | null, message: string): Finding => ({
  severity: 'warning',
  code,
  elementId,
  message,
});
