/** What a command of the operator's has to say. */
export interface Outcome {
  readonly text: string
  /** What is wrong, one sentence each: to where errors go. */
  readonly faults: readonly string[]
  readonly exitCode: number
}

export interface OperatorCommand {
  readonly about: string
  /**
   * @throws ConfigError, DataFolderInUse: one sentence for the operator.
   */
  run(options: { readonly json: boolean }): Promise<Outcome>
}
