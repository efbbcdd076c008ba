/** A configuration that cannot be used. Its message has one sentence for each fault, each on its own line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: string | readonly string[]) {
    const list = typeof faults === 'string' ? [faults] : faults
    super(list.join('\n'))
    this.faults = list
  }
}
