/**
 * Runs an estimate in a thread, which ends with it. Started by estimating.ts. It uses idle processor time only, because
 * nobody waits for the figures.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { yieldToRequests } from '../less-urgent.ts';
import { estimate, type EstimateOrder } from './estimate.ts';

yieldToRequests('estimating');
parentPort!.postMessage(estimate(workerData as EstimateOrder));
