import { renderToStaticMarkup } from 'react-dom/server'
import { parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { TransferOutToday } from './transfer-out-today.tsx'

test('the button is named by its visible amount at 18 decimals', () => {
  const units = parseUnits('426.000000000000000022', 18)
  const html = renderToStaticMarkup(
    <TransferOutToday
      asset={{ asset: 'USDT', decimals: 18 }}
      onUse={() => {}}
      limit={{ limited_by: 'account', more_at: null }}
      today={units}
      balance={units}
    />,
  )
  const [, label, button] = html.match(/<span id="([^"]+)">.*aria-labelledby="\1 ([^"]+)"/) ?? []
  expect(label).toBeTruthy()
  expect(html).toContain(`<button type="button" id="${button}"`)
  expect(html).not.toContain('aria-label=')
})
