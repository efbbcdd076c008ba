import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { loadSlot, provideSlots, Slot, type Slots } from './slots.ts'

function filler(word: string) {
  const Filler = ({ symbol, amount = 'nothing' }: Slots['moreWaysToSwap']) => (
    <p>
      {word}: {amount} on {symbol}
    </p>
  )
  return { moreWaysToSwap: async () => ({ default: Filler }) }
}

test('a slot shows each filler in the order of features', async () => {
  provideSlots([filler('limit'), {}, filler('schedule')])
  await loadSlot('moreWaysToSwap')
  const html = renderToStaticMarkup(<Slot name="moreWaysToSwap" symbol="BNBUSDT" sell="BNB" amount="1.5" />)
  expect(html).toBe('<p>limit: 1.5 on BNBUSDT</p><p>schedule: 1.5 on BNBUSDT</p>')
})

test('a slot without a filler shows nothing', async () => {
  provideSlots([filler('limit')])
  await loadSlot('swapsToCome')
  expect(renderToStaticMarkup(<Slot name="swapsToCome" />)).toBe('')
})

test('a slot that its screen does not load throws', () => {
  // As a name that a manifest has never loaded.
  const name = 'unknown' as 'swapsToCome'
  expect(() => renderToStaticMarkup(<Slot name={name} />)).toThrow('does not load the slot unknown')
})
