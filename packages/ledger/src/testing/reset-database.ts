import type { Queryable } from '../database.ts'

/** A statement that changes rows alone. After any other one, a database is not used again. */
const CHANGES_ROWS = /^\s*(select|with|insert|update|delete|truncate|explain)\b/i
/** Functions that change the connection, which the next test would inherit. */
const CHANGES_CONNECTION = /\b(set_config|pg_\w*advisory\w*lock\w*)\b/i

/** Returns true if {@link resetStatement} undoes all that this statement can do. */
export function isUndoneByReset(text: string): boolean {
  return CHANGES_ROWS.test(text) && !CHANGES_CONNECTION.test(text)
}

/** A larger table is truncated, because deleted rows would slow down the tests after this one. */
const MOST_DELETED_BYTES = 262_144

/** The tables that may have rows: one that was never written to has no blocks. No test changes the list of migrations. */
const USED_TABLES = `relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
  and pg_relation_size(oid) > 0`

/**
 * The statement that brings a database back to its present rows and sequences, in a tenth of the time that a new one takes. It
 * needs a superuser: it switches off the triggers that protect rows.
 */
export async function resetStatement(db: Queryable): Promise<string> {
  const firstState = [...(await insertStatements(db)), ...(await sequenceStatements(db))]
  return `do $reset$
    declare used record;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for used in select relname as name, pg_relation_size(oid) as bytes from pg_class where ${USED_TABLES} loop
        if used.bytes > ${MOST_DELETED_BYTES} then execute format('truncate %I cascade', used.name);
        else execute format('delete from %I', used.name); end if;
      end loop;
      ${firstState.join('\n')}
    end $reset$`
}

async function insertStatements(db: Queryable): Promise<string[]> {
  const tables = await db.query<{ name: string }>(`select relname as name from pg_class where ${USED_TABLES}`)
  const statements = tables.map(async ({ name }) => {
    const [found] = await db.query<{ rows: string }>(`select coalesce(json_agg(t), '[]')::text as rows from ${name} t`)
    const rows = `json_populate_recordset(null::${name}, '${found?.rows.replaceAll("'", "''")}')`
    return `insert into ${name} overriding system value select * from ${rows};`
  })
  return Promise.all(statements)
}

async function sequenceStatements(db: Queryable): Promise<string[]> {
  const sequences = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`,
  )
  const statements = sequences.map(async ({ name }) => {
    const [at] = await db.query<{ value: bigint; called: boolean }>(
      `select last_value as value, is_called as called from ${name}`,
    )
    return `perform setval('${name}', ${at?.value}, ${at?.called});`
  })
  return Promise.all(statements)
}
