/**
 * The one intermediate model of the contract. The server table, both SDK emitters and the code samples read
 * this and nothing else, so they cannot disagree about a name, an argument or its place.
 *
 * Call shapes, the same for every operation:
 *   TypeScript  client.<resource>.<method>(...pathParameters, params?, options?)
 *               `params` is the request body, or (operations without one) the query parameters;
 *               header parameters travel in `options` (`idempotencyKey`, `ifMatch`, …).
 *   Python      client.<resource>.<method>(*path_parameters, *, <body members | query parameters>, <headers>, …options)
 *               all snake_case; a body that is not one plain object schema is passed as `body=`.
 * The dialect (lint rule `sdk-arguments`) forbids an operation with both a body and query parameters.
 */
import type { Columns } from '../contract/dialect-columns.ts';
import type { Method, Schema, SecurityRequirement } from '../contract/contract.ts';

export interface ApiModel {
  readonly title: string;
  readonly version: string;
  /** Operations in contract order. */
  readonly operations: readonly OperationModel[];
  /** Resource tree; the root has an empty name and normally no methods. */
  readonly resources: ResourceNode;
  /** All named schemas of the contract, in contract order. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The problem catalogue, in contract order. */
  readonly problems: readonly ProblemModel[];
  /** Scope → what it grants, from the OAuth 2.0 client-credentials flow. */
  readonly scopes: Readonly<Record<string, string>>;
}

export interface ProblemModel {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly description: string;
  /** What comes with this code beside what comes with every one. */
  readonly members: readonly MemberModel[];
}

export interface ResourceNode {
  /** Last segment, e.g. `apiKeys`; empty for the root. */
  readonly name: string;
  /** `settings.apiKeys`; empty for the root. */
  readonly path: string;
  /** `SettingsApiKeys`: stem for class names. */
  readonly className: string;
  /** PEP 8 attribute, e.g. `api_keys`. */
  readonly python: string;
  readonly operations: readonly OperationModel[];
  /** Methods by the names that they had here before. */
  readonly aliases: readonly AliasModel[];
  /** The resource is called like a method from before: who calls it calls this operation. Null for nearly all. */
  readonly formerly: OperationModel | null;
  readonly children: readonly ResourceNode[];
}

/** A method by a name from before, which the SDKs keep as deprecated. */
export interface AliasModel {
  readonly name: SdkName;
  readonly operation: OperationModel;
}

/** Besides these, what the dialect declares of an operation (`roles`, `humanOnly`, …: scripts/contract/dialect.ts). */
export interface OperationModel extends Columns {
  readonly operationId: string;
  readonly method: Method;
  /** `/v1/applications/{applicationId}` */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Since when it is deprecated and when it ends, as dates; null while it stays. */
  readonly deprecation: { readonly since: string; readonly sunset: string } | null;
  readonly sdk: SdkName & {
    /** What the method was called before, from `x-sdk.aliases`. */
    readonly aliases: readonly SdkName[];
    /** What the operation id was before: functions of the TypeScript SDK. */
    readonly formerIds: readonly string[];
  };
  readonly parameters: {
    /** In the order in which they stand in the path. */
    readonly path: readonly ParameterModel[];
    readonly query: readonly ParameterModel[];
    readonly header: readonly ParameterModel[];
  };
  readonly body: BodyModel | null;
  /** 2xx and 3xx answers, in ascending status order; the SDK types the first. */
  readonly successes: readonly ResponseModel[];
  /** Documented errors, in ascending status order. */
  readonly failures: readonly ResponseModel[];
  readonly security: readonly SecurityRequirement[];
  /** Refused to who is shown personal data masked: the operation, or a call with one of these parameters. */
  readonly needsFullData: { readonly operation: boolean; readonly parameters: readonly string[] };
  /** Its answers can hold personal data. */
  readonly showsPersons: boolean;
  readonly pagination: PaginationModel | null;
  /** The list is a feed: the SDKs add a method `follow` beside it. */
  readonly follow: FollowModel | null;
}

export interface SdkName {
  /** `settings.apiKeys` */
  readonly resource: string;
  /** `replaceScopes` */
  readonly method: string;
  /** `client.settings.apiKeys.replaceScopes` without the `client.` */
  readonly typescript: string;
  /** `settings.api_keys.replace_scopes` */
  readonly python: string;
}

export interface PaginationModel {
  /** Property of the list envelope that holds the items: `items` or `events`. */
  readonly items: string;
  /** Named schema of one item. */
  readonly itemSchema: string;
}

export interface FollowModel {
  /** The method of the same resource that takes `{cursor}` and acknowledges everything up to it. */
  readonly acknowledge: string;
  /** The header of the list that tells how many seconds later it is worth reading again. */
  readonly interval: string;
}

export interface ParameterModel {
  /** The name on the wire, e.g. `Idempotency-Key`. */
  readonly name: string;
  /** `idempotencyKey`; `totpCode` of `X-TOTP-Code`; query parameters keep their wire name. */
  readonly typescript: string;
  /** `idempotency_key` */
  readonly python: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  /** Named schema when `schema` is a plain reference. */
  readonly schemaName: string | null;
  /** The contract's example, or undefined. */
  readonly example: unknown;
}

export type BodyKind = 'json' | 'form' | 'multipart' | 'binary';

export interface BodyModel {
  /** The media type that an SDK sends: the first one listed. */
  readonly mediaType: string;
  readonly mediaTypes: readonly string[];
  readonly kind: BodyKind;
  readonly required: boolean;
  /** Named schema; null only for `binary`. */
  readonly schemaName: string | null;
  /** Members when the schema is one plain object (allOf flattened); null for unions and binaries. */
  readonly members: readonly MemberModel[] | null;
  /** The contract's first example, or undefined. */
  readonly example: unknown;
}

/** A member keeps its wire name in TypeScript. */
export interface MemberModel {
  readonly name: string;
  readonly python: string;
  readonly required: boolean;
  readonly nullable: boolean;
  /** A file part of a multipart body (`format: binary`). */
  readonly file: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly schemaName: string | null;
}

export interface ResponseModel {
  readonly status: number;
  readonly description: string;
  /** First media type, null when there is no body (204). */
  readonly mediaType: string | null;
  readonly mediaTypes: readonly string[];
  readonly schemaName: string | null;
  /** The body is bytes (`format: binary`), e.g. a document download. */
  readonly binary: boolean;
  readonly headers: readonly { readonly name: string; readonly required: boolean; readonly description: string; readonly schema: Schema }[];
  readonly example: unknown;
}

/** What `pipeline.ts` hands to `typescript-sdk/index.ts` and `python-sdk/index.ts`: `generate(contract, model, options)`. */
export interface EmitterOptions {
  /**
   * An empty folder that stands for the package folder (`sdks/typescript` or `sdks/python`). Write generated files
   * beneath it at their final relative path, e.g. `src/generated/types.gen.ts`. The caller compares it with the
   * real folder (`--check`) or copies what changed and removes what vanished beneath `generated/` and `_generated/`.
   */
  readonly directory: string;
  /** Repository root. */
  readonly root: string;
}
