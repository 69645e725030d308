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
  /** Members of this code, in addition to those of every code. */
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
  /** Methods under their former names in this resource. */
  readonly aliases: readonly AliasModel[];
  /** Operation that calling the resource runs, if the resource has the former name of a method. Null for nearly all. */
  readonly formerly: OperationModel | null;
  readonly children: readonly ResourceNode[];
}

/** A method under its former name, which the SDKs keep as deprecated. */
export interface AliasModel {
  readonly name: SdkName;
  readonly operation: OperationModel;
}

/**
 * An operation. Includes everything that the dialect declares of it (`roles`, `humanOnly`, …:
 * scripts/contract/dialect.ts).
 */
export interface OperationModel extends Columns {
  readonly operationId: string;
  readonly method: Method;
  /** `/v1/applications/{applicationId}` */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Dates of its deprecation and of its end; null if it is not deprecated. */
  readonly deprecation: { readonly since: string; readonly sunset: string } | null;
  readonly sdk: SdkName & {
    /** Former names of the method, from `x-sdk.aliases`. */
    readonly aliases: readonly SdkName[];
    /** Former operation ids, which are functions of the TypeScript SDK. */
    readonly formerIds: readonly string[];
  };
  readonly parameters: {
    /** In the order of the path. */
    readonly path: readonly ParameterModel[];
    readonly query: readonly ParameterModel[];
    readonly header: readonly ParameterModel[];
  };
  readonly body: BodyModel | null;
  /** 2xx and 3xx responses, in ascending order; the SDKs type the first. */
  readonly successes: readonly ResponseModel[];
  /** Documented errors, in ascending status order. */
  readonly failures: readonly ResponseModel[];
  readonly security: readonly SecurityRequirement[];
  /** Refused to callers who see personal data masked: the operation, or a call with one of these parameters. */
  readonly needsFullData: { readonly operation: boolean; readonly parameters: readonly string[] };
  /** Whether its responses can contain personal data. */
  readonly showsPersons: boolean;
  readonly pagination: PaginationModel | null;
  /** Set if the list is a feed, for which the SDKs add a method `follow`. */
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
  /** Method of the same resource that takes `{cursor}` and acknowledges everything up to it. */
  readonly acknowledge: string;
  /** Header of the list with the number of seconds to wait before reading again. */
  readonly interval: string;
}

export interface ParameterModel {
  /** Name on the wire, e.g. `Idempotency-Key`. */
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
  readonly headers: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: Schema;
  }[];
  readonly example: unknown;
}

/**
 * Options that `pipeline.ts` passes to `typescript-sdk/index.ts` and `python-sdk/index.ts`: `generate(contract, model,
 * options)`.
 */
export interface EmitterOptions {
  /**
   * An empty folder that represents the package folder (`sdks/typescript` or `sdks/python`). Write generated files
   * beneath it at their final relative path, e.g. `src/generated/types.gen.ts`. The caller compares it with the real
   * folder (`--check`), or copies the changes and removes missing files beneath `generated/` and `_generated/`.
   */
  readonly directory: string;
  /** Repository root. */
  readonly root: string;
}
