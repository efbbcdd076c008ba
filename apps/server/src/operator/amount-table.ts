import { ASSET_DECIMALS, ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'

export type AmountRow = 'line' | { readonly name: string; readonly units: Readonly<Record<AssetId, bigint>> }

/** In characters: a line that fits a terminal. */
const MAX_WIDTH = 100

/**
 * Formats exact amounts in all assets as lines of text, with their decimal points aligned. Assets that don't fit on the
 * line continue in a second table below.
 */
export function amountTable(rows: readonly AmountRow[]): string[] {
  const named = rows.filter((row) => row !== 'line')
  const nameWidth = Math.max(...named.map((row) => row.name.length))
  const columns = ASSET_IDS.map((asset): Column => {
    const cells = named.map((row) => partsOf(row.units[asset], asset))
    const whole = Math.max(...cells.map((cell) => cell.whole.length))
    const fraction = Math.max(...cells.map((cell) => cell.fraction.length))
    return { asset, whole, width: Math.max(whole + fraction, asset.length) }
  })
  const blocks: Column[][] = []
  for (const column of columns) {
    const last = blocks.at(-1)
    if (last && nameWidth + widthOf([...last, column]) <= MAX_WIDTH) last.push(column)
    else blocks.push([column])
  }
  return blocks.flatMap((block, index) => [...(index === 0 ? [] : ['']), ...blockOf(block, rows, nameWidth)])
}

interface Column {
  readonly asset: AssetId
  /** The most characters before the decimal point. */
  readonly whole: number
  readonly width: number
}

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width + 2, 0)
}

function blockOf(columns: readonly Column[], rows: readonly AmountRow[], nameWidth: number): string[] {
  const head = ''.padEnd(nameWidth) + columns.map(({ asset, width }) => `  ${asset.padEnd(width)}`).join('')
  return [
    head.trimEnd(),
    ...rows.map((row) => {
      if (row === 'line') return '-'.repeat(nameWidth + widthOf(columns))
      const cells = columns.map(({ asset, whole, width }) => {
        const cell = partsOf(row.units[asset], asset)
        return `  ${(cell.whole.padStart(whole) + cell.fraction).padEnd(width)}`
      })
      return (row.name.padEnd(nameWidth) + cells.join('')).trimEnd()
    }),
  ]
}

function partsOf(units: bigint, asset: AssetId): { whole: string; fraction: string } {
  const [whole = '', fraction] = formatUnits(units, ASSET_DECIMALS[asset]).split('.')
  return { whole, fraction: fraction === undefined ? '' : `.${fraction}` }
}
