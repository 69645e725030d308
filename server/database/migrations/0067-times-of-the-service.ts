/** Gave the service the right to write the times of records. The definitions of the tables give it now (rights.ts). */
export async function timesOfTheService(): Promise<void> {}
