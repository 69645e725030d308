/**
 * Types of the events by which modules hear what happened to a subject or a member. Used by publish.ts and, through the
 * index, by publishers and listeners. A listener runs in the transaction of the cause, so its failure undoes the cause.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';

type Schemas = components['schemas'];

/** Business time (`at`) and real time (`now`). */
export interface When {
  readonly at: BusinessTime;
  readonly now: RealTime;
}

/** Members of every event about a subject. */
interface OfSubject extends When {
  readonly subject: Subject;
  readonly environment: Environment;
}

interface OfHit extends OfSubject {
  readonly screeningId: string;
  readonly hitId: string;
}

/** Members of each type of event. A new type is a line here and a call of `publish`. */
interface Members {
  /** An alert was raised. A repeated or reopened alert is no event. */
  'alert.raised': OfSubject & {
    readonly alertId: string;
    readonly kind: Schemas['AlertKindFilter'];
    readonly severity: Schemas['AlertSeverityFilter'];
  };
  /** The level of risk that counts has changed: by an assessment, or because an override began or ended. */
  'assessment.changed': OfSubject & {
    readonly assessmentId: string;
    /** Null if the subject was not assessed before. */
    readonly fromLevel: Schemas['RiskLevel'] | null;
    readonly toLevel: Schemas['RiskLevel'];
  };
  /** A person recorded the outcome of a check of the subject. */
  'requirement.attested': OfSubject;
  /** The consent to biometric data was withdrawn, or another basis for it has ended. */
  'biometrics.withdrawn': OfSubject;
  /** A decision about the subject took effect, after its second review if it needed one. */
  'decision.effective': OfSubject & { readonly decisionId: string; readonly outcome: Schemas['DecisionOutcome'] };
  'document.added': OfSubject & { readonly documentId: string; readonly documentType: Schemas['Document']['type'] };
  /** A hit was decided to be the subject. */
  'hit.confirmed': OfHit;
  /** Any decision about a hit took effect, a confirmation included. */
  'hit.decided': OfHit & { readonly status: Schemas['HitVerdict'] };
  /** Hits of the subject are open again, because an entry of the allow-list that dismissed them has ended. */
  'hits.reopened': OfSubject;
  /** A member can no longer act for the tenant. The transaction is one of the platform's role. */
  'member.deactivated': { readonly userId: string; readonly now: RealTime };
  /** The applicant is asked for information, and the subject waits for the answer. */
  'information.requested': OfSubject & { readonly requestId: string };
  /** A new version of the owners of a business is recorded. */
  'ownership.replaced': OfSubject;
  /** A second person has confirmed a power of a business, or a confirmed one was revoked. */
  'power.changed': OfSubject & { readonly powerId: string };
  /** The last day of a power of a business has passed, and it counted until then. */
  'power.expired': OfSubject & { readonly powerId: string };
  /** A registry has answered about a business. */
  'registry.answered': OfSubject;
  /** What the registry says of a business contradicts gravely what is declared, and nobody has resolved it. */
  'registry.differs': OfSubject & { readonly differenceIds: readonly string[] };
  /** A screening is stored with its hits, whether a person, a key or monitoring asked for it. */
  'screening.completed': OfSubject & { readonly screeningId: string; readonly result: Schemas['ScreeningResult'] };
  /** Members of a submitted business were changed. */
  'subject.changed': OfSubject;
  /** The data of the subject is erased and its key destroyed. */
  'subject.erased': OfSubject;
  'subject.expired': OfSubject & {
    readonly reason: 'draft_expired' | 'information_overdue' | 'renewed' | 'validity_ended';
  };
  /** The subject was submitted, for the first time or with the answer to a request for information. */
  'subject.submitted': OfSubject;
  /** A verification has ended, or a person has overridden its result. */
  'verification.final': OfSubject & {
    readonly verificationId: string;
    readonly verificationType: Schemas['VerificationTypeInput'];
    readonly status: Schemas['VerificationStatusFilter'];
  };
}

export type EventType = keyof Members;

/** What happened to a subject: a union that `type` discriminates. */
export type SubjectEvent<T extends EventType = EventType> = {
  [Type in T]: Readonly<Members[Type]> & { readonly type: Type };
}[T];

/**
 * Part of a module that hears one type of event. It writes in the transaction of the cause, or queues a task in it, and
 * never calls the publisher. If it fails, its cause is rolled back with it.
 */
export type SubjectListener<T extends EventType = EventType> = {
  [Type in T]: {
    readonly event: Type;
    readonly hear: (tx: Transaction, event: SubjectEvent<Type>) => Promise<unknown>;
  };
}[T];
