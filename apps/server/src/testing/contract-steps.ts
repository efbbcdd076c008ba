/** Statements that take something away from servers of the version before, which still run. */
const STEPS: Readonly<Record<string, RegExp>> = {
  'drops a table, column, view, function or type': /\bdrop\s+(table|column|view|materialized\s+view|function|type)\b/i,
  'renames something': /\brename\s+(column|constraint|to)\b|\brename\s+\w+\s+to\b/i,
  'changes the type of a column': /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i,
  'drops a default': /\bdrop\s+default\b/i,
  'refuses rows without a value': /\bset\s+not\s+null\b/i,
  'adds a column that needs a value':
    /\badd\s+column\s+(?:(?!\bdefault\b)[^,;])*\bnot\s+null\b(?:(?!\bdefault\b)[^,;])*(?=[,;]|$)/i,
  'refuses rows by a new constraint': /\badd\s+(constraint|check|unique|primary\s+key|foreign\s+key|exclude)\b/i,
  'deletes rows': /\btruncate\s+(table\s+)?\w+\s*(cascade|restrict)?\s*(;|$)|\bdelete\s+from\b/i,
}

/**
 * Finds the contract steps of a migration: a server of the version before may fail after them. They need the line
 * `-- contract: needs <version>`. A table that the same migration creates has no such server.
 */
export function findContractSteps(sql: string): string[] {
  const withoutComments = sql.replaceAll(/--[^\n]*/g, '')
  const created = new Set(
    [...withoutComments.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name),
  )
  // Bodies of functions run later, and their semicolons end no statement.
  const statements = withoutComments.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").split(';')
  const steps = statements.flatMap((statement) => {
    const [, altered] = /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/i.exec(statement) ?? []
    if (altered !== undefined && created.has(altered)) return []
    return Object.entries(STEPS).flatMap(([step, pattern]) => (pattern.test(statement) ? [step] : []))
  })
  const unique = [...withoutComments.matchAll(/\bcreate\s+unique\s+index\b[^;]*?\bon\s+(\w+)/gi)]
  if (unique.some(([, table]) => !created.has(table))) steps.push('refuses rows by a new unique index')
  return [...new Set(steps)]
}
