import { parseArgs } from 'node:util'

/** The result of an operator command. */
export interface Outcome {
  readonly text: string
  /** One sentence per fault, printed to stderr. */
  readonly faults: readonly string[]
  readonly exitCode: number
}

/** The arguments of a command. */
export interface Arguments {
  readonly json: boolean
  /** The arguments after the command's name. */
  readonly words: readonly string[]
  /** Why the operator makes a change, for the audit log. */
  readonly reason: string | undefined
  /** False: the command only shows its effect. */
  readonly execute: boolean
  /** The value of `--to`. */
  readonly to: string | undefined
  /** The value of `--from`. */
  readonly from: string | undefined
  /** The value of `--before`. */
  readonly before: string | undefined
  /** The value of `--since`. */
  readonly since: string | undefined
  /** The value of `--until`. */
  readonly until: string | undefined
  /** A text for users, in English and in Chinese. */
  readonly en: string | undefined
  readonly zh: string | undefined
  /** The value of `--signature`: what a wallet of the person signed elsewhere. */
  readonly signature: string | undefined
  /** The value of `--roles`. */
  readonly roles: string | undefined
  /** The value of `--request`: a request that was executed before. */
  readonly request: string | undefined
  /** The values of `--root-key` and `--bookkeeper-key`: the addresses of the signers of headers. */
  readonly 'root-key': string | undefined
  readonly 'bookkeeper-key': string | undefined
}

const TEXT_OPTIONS = [
  'reason',
  'to',
  'from',
  'before',
  'since',
  'until',
  'en',
  'zh',
  'signature',
  'roles',
  'request',
  'root-key',
  'bookkeeper-key',
] as const
type TextValues = Readonly<Record<(typeof TEXT_OPTIONS)[number], string | undefined>>
export type OptionName = 'execute' | (typeof TEXT_OPTIONS)[number]

export interface OperatorCommand {
  readonly about: string
  /** The syntax of the command's arguments, for the usage text. Absent: it takes none. */
  readonly words?: string
  /** The options beside `--json`. */
  readonly options?: readonly OptionName[]
  /**
   * @returns `undefined` for invalid arguments: the caller then prints the usage.
   * @throws ConfigError, DataFolderInUse: one sentence for the operator.
   */
  run(options: Arguments): Promise<Outcome | undefined>
}

const MAX_REASON = 500

/** Parses the arguments after the command's name. Returns `undefined` for those that the command does not take. */
export function readArguments(command: OperatorCommand, args: readonly string[]): Arguments | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: command.words !== undefined,
      options: {
        json: { type: 'boolean' },
        execute: { type: 'boolean' },
        ...(Object.fromEntries(TEXT_OPTIONS.map((name) => [name, { type: 'string' }])) as Record<
          (typeof TEXT_OPTIONS)[number],
          { type: 'string' }
        >),
      },
    })
    const isUnknown = (['execute', ...TEXT_OPTIONS] as const).some(
      (name) => values[name] !== undefined && !command.options?.includes(name),
    )
    if (isUnknown) return undefined
    const { json = false, execute = false, reason } = values
    const given = Object.fromEntries(TEXT_OPTIONS.map((name) => [name, values[name]])) as TextValues
    return { ...given, json, words: positionals, execute, reason: reason?.trim() || undefined }
  } catch {
    return undefined
  }
}

/** Rejects control characters: a terminal would execute them when the reason is printed later. */
export function isPrintable(text: string): boolean {
  return text.length <= MAX_REASON && !/\p{Cc}/u.test(text)
}

/** The outcome of a command that was not possible, with one sentence. */
export function failure(fault: string): Outcome {
  return { text: '', faults: [fault], exitCode: 1 }
}
