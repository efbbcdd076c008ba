/** The result of an operator command. */
export interface Outcome {
  readonly text: string
  /** One sentence per fault, printed to stderr. */
  readonly faults: readonly string[]
  readonly exitCode: number
}

export interface OperatorCommand {
  readonly about: string
  /** The syntax of the command's arguments, for the usage text. Absent: it takes none. */
  readonly words?: string
  /**
   * @param options.words the arguments after the command's name.
   * @returns `undefined` for invalid arguments: the caller then prints the usage.
   * @throws ConfigError, DataFolderInUse: one sentence for the operator.
   */
  run(options: { readonly json: boolean; readonly words: readonly string[] }): Promise<Outcome | undefined>
}
