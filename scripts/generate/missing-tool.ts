/** A tool of the host is missing; the message says what to install. `make generate` then ends with status 3. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool';
}
