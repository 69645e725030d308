/**
 * Work about the business of a process: the answer of its registry, who owns it, and who may sign for it. The numbers
 * that the process is given lead it to people; nothing is concluded from them here.
 */
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { unlessErased } from '../../rules/subject.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { findBusiness } from '../businesses/index.ts';
import { askRegistry, fetchedEvent } from '../company-registry/index.ts';
import { beneficialOwnersNow } from '../ownership/index.ts';
import { signatoriesOn } from '../powers/index.ts';
import { auditOf, businessIdOf, type Call, inNameOf, Refused } from './binding-call.ts';

/** Asks the registry, as a person would, and counts the differences that nobody has resolved. */
export async function fetchRegistry(call: Call): Promise<Variables> {
  const audit = auditOf(call);
  const { answer, differences } = await askRegistry(inNameOf(call), businessIdOf(call.instance), audit);
  audit('registry.fetched', ...fetchedEvent(answer, differences));
  const openDifferences = differences.filter(({ resolution }) => resolution === null).length;
  return { registry: { id: answer.id, situation: answer.situation, openDifferences } };
}

async function businessOf({ tx, instance }: Call) {
  const business = unlessErased(await findBusiness(tx, businessIdOf(instance)));
  if (business === null) throw new Refused('no_business');
  return business;
}

/** Counts the beneficial owners of the latest version, and those of them whom no number or date identifies. */
export async function checkOwnership(call: Call): Promise<Variables> {
  const { id } = await businessOf(call);
  const found = await beneficialOwnersNow(call.tx, id);
  if (found === null) throw new Refused('ownership_missing');
  return { ownership: { ...found } };
}

/** Counts the powers in force today, and the persons who may sign by them alone or with others. */
export async function checkPowers(call: Call): Promise<Variables> {
  const found = await signatoriesOn(call.tx, await businessOf(call), calendarDate(call.at));
  if (found.activeCount === 0) throw new Refused('powers_missing');
  return { powers: { ...found } };
}
