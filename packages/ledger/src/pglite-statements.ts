import { messages, type PGlite, parse, protocol, types } from '@electric-sql/pglite'
import type { Statement } from './database.ts'

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [types.INT8]: BigInt,
  [types.NUMERIC]: BigInt,
  [types.TIMESTAMPTZ]: (text: string) => new Date(text),
}
const { serialize } = protocol
/** More than the product's own texts. Beyond it the oldest makes room, so that composed texts do not pile up. */
const MAX_PREPARED = 1_000
/**
 * After so many new rows all statements are planned again. PGlite gathers no statistics, which would tell PostgreSQL to do so,
 * and a plan that was made for an empty table may read a grown one whole.
 */
const ROWS_PER_PLAN = 5_000

interface Prepared {
  readonly name: string
  /** PostgreSQL's type of each parameter. */
  readonly parameterTypes: readonly number[]
  /** The columns of its rows; empty for a statement without rows. */
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** Statements of one PGlite: each text is prepared once, and then sent as a whole. */
export interface PgliteStatements {
  /** Runs a statement. The caller sees to it that no other one runs meanwhile. */
  run<Row>(text: string, params: readonly unknown[]): Promise<Row[]>
  /** Runs statements in one transaction, which takes one message instead of one each and two more for its ends. */
  runTogether(statements: readonly Statement[]): Promise<void>
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
  let rowsSincePlan = 0

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
    const rows = described.find((each) => each instanceof messages.RowDescriptionMessage)
    const columns = (rows?.fields ?? []).map((field) => columnOf(pglite, field))
    const made = { name, parameterTypes: parse.parseDescribeStatementResults(described), columns }
    prepared.set(text, made)
    return made
  }

  /** Finds a statement or prepares it. The one that was used the longest ago makes room. */
  async function find(text: string): Promise<Prepared> {
    const known = prepared.get(text)
    if (!known) return prepare(text)
    prepared.delete(text)
    prepared.set(text, known)
    return known
  }

  /** Has a prepared statement executed, once the message is sent. */
  function execution({ name, parameterTypes }: Prepared, params: readonly unknown[]): Uint8Array {
    const values = params.map((value, index) => textOf(pglite, value, parameterTypes[index]))
    return Buffer.concat([serialize.bind({ statement: name, values }), serialize.execute({})])
  }

  async function planAgainAfter(response: readonly messages.BackendMessage[]): Promise<void> {
    for (const each of response)
      if (each instanceof messages.CommandCompleteMessage) rowsSincePlan += insertedRows(each.text)
    if (rowsSincePlan < ROWS_PER_PLAN) return
    rowsSincePlan = 0
    await pglite.execProtocolStream(serialize.query('discard plans'), { syncToFs: false })
  }

  return {
    async run<Row>(text: string, params: readonly unknown[]) {
      const statement = await find(text)
      const response = await send(execution(statement, params))
      await planAgainAfter(response)
      const rows: Row[] = []
      for (const each of response)
        if (each instanceof messages.DataRowMessage) rows.push(rowOf(statement.columns, each.fields) as Row)
      return rows
    },
    async runTogether(statements) {
      const executions: Uint8Array[] = []
      for (const { text, params } of statements) executions.push(execution(await find(text), params))
      // PostgreSQL commits or undoes everything before the end of a message together.
      await planAgainAfter(await send(...executions))
    },
    async forget() {
      prepared.clear()
      await pglite.execProtocolStream(serialize.query('deallocate all'), { syncToFs: false })
    },
  }
}

/** Reads the number of rows from the tag of a command, such as `INSERT 0 5`. */
function insertedRows(tag: string): number {
  return tag.startsWith('INSERT ') ? Number(tag.slice(tag.lastIndexOf(' '))) : 0
}

/** Finds the parser of a column once: `PGlite.query` merges all parsers for each response, which takes longer than most statements. */
function columnOf(pglite: PGlite, { name, dataTypeID }: messages.RowDescriptionMessage['fields'][number]): Column {
  const parser = PARSERS[dataTypeID] ?? pglite.parsers[dataTypeID]
  return { name, parse: parser ? (text) => parser(text, dataTypeID) : (text) => text }
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): object {
  const row: Record<string, unknown> = {}
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index]
    row[name] = text === null || text === undefined ? null : parse(text)
  }
  return row
}

/** Writes a parameter as PGlite does. */
function textOf(pglite: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null
  const serializer = type === undefined ? undefined : pglite.serializers[type]
  return serializer ? serializer(value) : String(value)
}
