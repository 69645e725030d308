/**
 * Runs `work` now; while it runs, further calls are merged into one run afterwards. Nothing is lost, and never do two
 * runs overlap.
 */
export function latestOnly(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  return function run(): void {
    if (running) {
      again = true;
      return;
    }
    running = true;
    void work().finally(() => {
      running = false;
      if (!again) return;
      again = false;
      run();
    });
  };
}
