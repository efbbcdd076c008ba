import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConfirmButton } from './stage-parts.tsx'

const draw = (busy: boolean) =>
  renderToStaticMarkup(<ConfirmButton confirms="review" label="Swap" busy={busy} onPress={() => {}} />)

test('a dimmed confirm button keeps focus until its figures were seen', () => {
  expect(draw(false)).toMatch(/^<button(?=[^>]* aria-disabled="true")(?![^>]* (aria-busy|disabled)=)/)
  expect(draw(true)).toMatch(/^<button(?=[^>]* aria-disabled="true")(?=[^>]* aria-busy="true")/)
})
