/** What a command of the operator's has to say. */
export interface Outcome {
  readonly text: string
  /** What is wrong, one sentence each: to where errors go. */
  readonly faults: readonly string[]
  readonly exitCode: number
}

export interface OperatorCommand {
  readonly about: string
  /** What may stand behind the command's name, where anything may. */
  readonly words?: string
  /**
   * @param options.words what stands behind the command's name; none where the command takes none.
   * @returns `undefined` where the words make no sense: then the operator is told what there is.
   * @throws ConfigError, DataFolderInUse: one sentence for the operator.
   */
  run(options: { readonly json: boolean; readonly words: readonly string[] }): Promise<Outcome | undefined>
}
