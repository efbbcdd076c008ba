import { childrenOf, isTestCode, type ParsedSource, type SyntaxNode } from './sources.ts'

/** Only the ledger has SQL on its own tables. Everyone else calls its reads and its writer. */
const LEDGER_SQL =
  /\b(?:from|join|into|update|table|truncate)\s+(?:only\s+)?(entries|postings|balances|owner_postings|command_outcomes|writer_lease)\b/i

/** Parts that are checked, without the ledger. `sim` and `bench` look into the database as a test does. */
const CHECKED = /^(apps|packages)\/(?!ledger\/)/

/** Texts that are SQL on a table of the ledger where there must be none. */
export function ledgerSqlIn({ path, program }: ParsedSource): { readonly table: string; readonly offset: number }[] {
  if (!CHECKED.test(path) || isTestCode(path)) return []
  const found: { table: string; offset: number }[] = []
  const visit = (node: SyntaxNode) => {
    const table = LEDGER_SQL.exec(textOf(node))?.[1]
    if (table) found.push({ table, offset: node.start })
    childrenOf(node).forEach(visit)
  }
  visit(program)
  return found
}

/** The text of a string, or of a piece of a template between its holes. */
function textOf(node: SyntaxNode): string {
  if (node.type === 'TemplateElement') return (node.value as { raw: string }).raw
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''
}
