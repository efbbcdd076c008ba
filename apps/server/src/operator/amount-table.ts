import { ASSET_DECIMALS, ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'

export type AmountRow = 'line' | { readonly name: string; readonly units: Readonly<Record<AssetId, bigint>> }

/** Amounts in all assets as lines of text, to the unit, with their points under each other. */
export function amountTable(rows: readonly AmountRow[]): string[] {
  const named = rows.filter((row) => row !== 'line')
  const nameWidth = Math.max(...named.map((row) => row.name.length))
  const columns = ASSET_IDS.map((asset) => {
    const cells = named.map((row) => partsOf(row.units[asset], asset))
    const whole = Math.max(...cells.map((cell) => cell.whole.length))
    const fraction = Math.max(...cells.map((cell) => cell.fraction.length))
    return { asset, whole, width: Math.max(whole + fraction, asset.length) }
  })
  const line = '-'.repeat(nameWidth + columns.reduce((sum, column) => sum + column.width + 2, 0))
  const head = ''.padEnd(nameWidth) + columns.map(({ asset, width }) => `  ${asset.padEnd(width)}`).join('')
  return [
    head.trimEnd(),
    ...rows.map((row) => {
      if (row === 'line') return line
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
