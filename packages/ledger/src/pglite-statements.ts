import { messages, type PGlite, parse, protocol, types } from '@electric-sql/pglite'

const PARSERS = {
  [types.INT8]: BigInt,
  [types.NUMERIC]: BigInt,
  [types.TIMESTAMPTZ]: (text: string) => new Date(text),
}
const { serialize } = protocol
/** More than the product's own texts. Beyond it the oldest makes room, so that composed texts do not pile up. */
const MAX_PREPARED = 1_000

interface Prepared {
  readonly name: string
  /** PostgreSQL's type of each parameter. */
  readonly parameterTypes: readonly number[]
  /** Describes the columns of its rows; absent for a statement without rows. */
  readonly columns: messages.RowDescriptionMessage | undefined
}

/** Statements of one PGlite: each text is prepared once, and then sent as a whole. */
export interface PgliteStatements {
  /** Runs a statement. The caller sees to it that no other one runs meanwhile. */
  run<Row>(text: string, params: readonly unknown[]): Promise<Row[]>
  /** Forgets all: the tables have changed. */
  forget(): Promise<void>
}

/**
 * Prepares statements on PGlite. `PGlite.query` parses each statement every time and sends it in six parts, which takes
 * about three times as long.
 */
export function createPgliteStatements(pglite: PGlite): PgliteStatements {
  const prepared = new Map<string, Prepared>()
  let count = 0

  const send = (...parts: readonly Uint8Array[]) =>
    pglite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false })

  async function prepare(text: string): Promise<Prepared> {
    const [oldest] = prepared.size >= MAX_PREPARED ? prepared : []
    if (oldest) {
      prepared.delete(oldest[0])
      await send(serialize.close({ type: 'S', name: oldest[1].name }))
    }
    const name = `s${count++}`
    const described = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    const columns = described.find((each) => each instanceof messages.RowDescriptionMessage)
    const made = { name, parameterTypes: parse.parseDescribeStatementResults(described), columns }
    prepared.set(text, made)
    return made
  }

  return {
    async run<Row>(text: string, params: readonly unknown[]) {
      const { name, parameterTypes, columns } = prepared.get(text) ?? (await prepare(text))
      const values = params.map((value, index) => textOf(pglite, value, parameterTypes[index]))
      const response = await send(serialize.bind({ statement: name, values }), serialize.execute({}))
      const [result] = parse.parseResults(columns ? [columns, ...response] : response, pglite.parsers, {
        parsers: PARSERS,
      })
      return (result?.rows ?? []) as Row[]
    },
    async forget() {
      prepared.clear()
      await pglite.execProtocolStream(serialize.query('deallocate all'), { syncToFs: false })
    },
  }
}

/** Writes a parameter as PGlite does. */
function textOf(pglite: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null
  const serializer = type === undefined ? undefined : pglite.serializers[type]
  return serializer ? serializer(value) : String(value)
}
